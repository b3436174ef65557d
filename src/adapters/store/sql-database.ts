/** What the two databases give to the one store above them. */
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

export interface SqlDatabase {
  readonly kysely: Kysely<Tables>;
  /** Name for error messages, without credentials. */
  readonly label: string;
  /** True when the same statement may succeed later: the database is busy, or the connection was lost. */
  isPassing(error: unknown): boolean;
}
