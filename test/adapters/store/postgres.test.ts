import { describe, expect, it } from '@jest/globals';
import { openStore } from '../../../src/adapters/store/open-store.ts';
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

describe('a PostgreSQL that is not there', () => {
  const clock = { now: () => 0 };

  it('is an error that may pass, and does not tell the password', async () => {
    const databaseUrl = 'postgres://bob:letmein@127.0.0.1:1/inquest';
    const store = await openStore({ databaseUrl, dataDir: '', clock });
    const error: unknown = await store.findRun('run_1').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'STORE_FAILED', retryable: true });
    expect(String(error)).toContain('PostgreSQL 127.0.0.1:1/inquest');
    expect(String(error)).not.toContain('letmein');
    await store.close();
  });

  it('is a mistake in the configuration when its URL is none', async () => {
    await expect(openStore({ databaseUrl: 'localhost', dataDir: '', clock })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });
});
