/** What the two databases give to the one store above them. */
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

export interface SqlDatabase {
  readonly kysely: Kysely<Tables>;
  /** Name for error messages, without credentials. */
  readonly label: string;
  /** Runs `work`, which only asks the database, in a transaction; resolves when that is committed. */
  transact<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** True when the same statement may succeed later: the database is busy, or the connection was lost. */
  isPassing(error: unknown): boolean;
}
