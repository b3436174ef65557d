/** The embedded database: one file in the data folder, several processes may share it. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import Libsql from 'libsql';
import { InquestError } from '../../errors.ts';
import { sharedTransactions } from './group-commit.ts';
import type { Tables } from './schema.ts';
import type { SqlDatabase } from './sql-database.ts';

const FILE_NAME = 'inquest.db';
/** How long the database itself waits for a lock of another process. Short: it blocks the whole process meanwhile. */
const BLOCKING_WAIT_MS = 20;
/** How long to try again after that, without blocking. */
const PATIENCE_MS = 15_000;
const PREPARED_STATEMENTS = 200;

/** Opens (and creates, when needed) `inquest.db` in `dataDir`. */
export async function openLibsql(dataDir: string): Promise<SqlDatabase> {
  const file = join(dataDir, FILE_NAME);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const native = new Libsql(file, { timeout: BLOCKING_WAIT_MS });
    await patiently(() => native.pragma('journal_mode = WAL'));
    native.pragma('synchronous = NORMAL');
    native.pragma('foreign_keys = ON');
    const kysely = new Kysely<Tables>({ dialect: new LibsqlDialect({ database: preparing(native) }) });
    return { kysely, label: file, transact: sharedTransactions(kysely), isPassing: isBusy };
  } catch (cause) {
    throw new InquestError('STORE_FAILED', `The database ${file} cannot be opened.`, {
      cause,
      retryable: isBusy(cause),
      hint: 'The data folder must be writable, on a local disk, and inquest.db must be a database of Inquest.',
    });
  }
}

/** Transactions take the write lock at once: one that reads first and then writes could not wait for another writer. */
class LibsqlDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config);
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** SQLite takes DDL in a transaction; with it the migrator runs inside the write lock. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #patient = new WeakMap<DatabaseConnection, DatabaseConnection>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    const known = this.#patient.get(connection);
    if (known) return known;
    const patient = patientConnection(connection);
    this.#patient.set(connection, patient);
    return patient;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

function patientConnection(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query) => patiently(() => connection.executeQuery(query)),
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

/** Tries again while another process holds the lock. */
async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  for (let waited = 0, pause = 1; ; waited += pause + BLOCKING_WAIT_MS, pause = Math.min(pause * 2, 50)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || waited > PATIENCE_MS) throw error;
      await sleep(pause);
    }
  }
}

function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/** Kysely prepares each statement anew; this keeps the prepared ones. */
function preparing(native: Libsql.Database): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => {
      native.close();
    },
    prepare: (text) => {
      const known = prepared.get(text);
      if (known) return known;
      const statement = new PreparedStatement(native.prepare(text));
      if (prepared.size >= PREPARED_STATEMENTS) prepared.clear();
      prepared.set(text, statement);
      return statement;
    },
  };
}

class PreparedStatement implements SqliteStatement {
  readonly reader: boolean;
  readonly #native: Libsql.Statement<unknown[]>;

  constructor(native: Libsql.Statement<unknown[]>) {
    this.#native = native;
    this.reader = native.reader;
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#native.all(parameters);
  }

  run(parameters: readonly unknown[]): Libsql.RunResult {
    return this.#native.run(parameters);
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.#native.iterate(parameters);
  }
}
