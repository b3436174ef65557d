/** Writes that come at the same time share one transaction: on one connection, committing costs more than writing. */
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

type Work<T> = (trx: Transaction<Tables>) => Promise<T>;

interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes in one transaction: bounds how long the write lock is held. */
const MOST_TOGETHER = 100;

/**
 * A function that runs `work` in a transaction and resolves when that is committed, alone or with others. When the
 * shared one fails it is rolled back and each work is done once more in a transaction of its own, so that nobody fails
 * for another's fault: `work` must do nothing but ask the database.
 */
export function sharedTransactions(db: Kysely<Tables>): <T>(work: Work<T>) => Promise<T> {
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const together = waiting.slice(0, MOST_TOGETHER);
      waiting = waiting.slice(MOST_TOGETHER);
      await transact(db, together);
    }
    isRunning = false;
  }

  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (isRunning) return;
      isRunning = true;
      // What else this turn of the event loop wants to write comes along.
      setImmediate(() => void run());
    });
}

/** Never rejects. */
async function transact(db: Kysely<Tables>, together: readonly Waiting[]): Promise<void> {
  try {
    const results = await db.transaction().execute(async (trx) => {
      const all: unknown[] = [];
      for (const { work } of together) all.push(await work(trx));
      return all;
    });
    for (const [index, { resolve }] of together.entries()) resolve(results[index]);
  } catch (error) {
    if (together.length === 1) together[0]?.reject(error);
    else for (const one of together) await transact(db, [one]);
  }
}
