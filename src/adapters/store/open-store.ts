/** Which database the store uses: PostgreSQL when a URL is given, else the embedded one. */
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { openLibsql } from './libsql.ts';
import { openPostgres } from './postgres.ts';
import { SqlStore } from './sql-store.ts';

interface StoreOptions {
  /** `postgres://…`, or null for the embedded database. */
  readonly databaseUrl: string | null;
  /** Folder of `inquest.db`; created when missing. */
  readonly dataDir: string;
  readonly clock: Clock;
}

/** Opens the store; call `migrate` before anything else. Throws `STORE_FAILED` when the database cannot be opened. */
export async function openStore({ databaseUrl, dataDir, clock }: StoreOptions): Promise<Store> {
  const database = databaseUrl === null ? await openLibsql(dataDir) : openPostgres(databaseUrl);
  return new SqlStore(database, clock);
}
