import { describe } from '@jest/globals';
import { startPostgres } from '../../support/postgres.ts';
import { storeContract } from './contract.ts';

describe('store on PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  storeContract({
    start: async () => {
      postgres = await startPostgres();
      return { databaseUrl: postgres.url, dataDir: '' };
    },
    stop: async () => postgres?.stop(),
  });
});
