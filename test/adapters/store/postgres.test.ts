import { describe } from '@jest/globals';
import { openStore } from '../../../src/adapters/store/open-store.ts';
import { startPostgres } from '../../support/postgres.ts';
import { storeContract } from './contract.ts';

describe('store on PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  storeContract({
    start: async () => {
      postgres = await startPostgres();
    },
    open: () => openStore({ databaseUrl: postgres.url, dataDir: '', clock: { now: Date.now } }),
    stop: async () => postgres?.stop(),
  });
});
