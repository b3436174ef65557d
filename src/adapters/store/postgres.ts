/** PostgreSQL, for several workers on several machines. */
import { types } from 'node:util';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { InquestError } from '../../errors.ts';
import type { Tables } from './schema.ts';
import type { SqlDatabase } from './sql-database.ts';

const INT8 = 20;
const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;

/** SQLSTATEs, or their first two digits, after which the same statement may succeed. */
const PASSING_STATES = ['08', '40', '53', '55P03', '57P'];

/** Connects on first use. `databaseUrl` is a `postgres://` URL; its password appears nowhere else. */
export function openPostgres(databaseUrl: string): SqlDatabase {
  const label = labelOf(databaseUrl);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: { getTypeParser: numbersForInt8 },
  });
  // A lost idle connection has left the pool when this is called; whoever needs one gets a new one, or its error.
  pool.on('error', () => {});
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { kysely, label, transact: (work) => kysely.transaction().execute(work), isPassing };
}

/** Ids and times fit a double; pg would hand them out as text. */
function numbersForInt8(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
}

function isPassing(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  if (!(error instanceof pg.DatabaseError)) return !isDefect(error);
  const state = error.code ?? '';
  return PASSING_STATES.some((prefix) => state.startsWith(prefix));
}

/** What the server did not say comes from the connection, or from a defect of ours. */
function isDefect(error: Error): boolean {
  return ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'ZodError', 'NoResultError'].includes(error.name);
}

function labelOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) {
    throw new InquestError('CONFIG_INVALID', 'DATABASE_URL is not a URL.', {
      hint: 'Write it as postgres://user:password@host:5432/database.',
    });
  }
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL ${host}${pathname}`;
}
