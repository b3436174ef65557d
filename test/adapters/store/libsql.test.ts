import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../../src/adapters/store/open-store.ts';
import { storeContract } from './contract.ts';

describe('store on libsql', () => {
  let dataDir: string;
  storeContract({
    start: async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'inquest-store-'));
      return { databaseUrl: null, dataDir };
    },
    stop: () => rm(dataDir, { recursive: true, force: true }),
  });
});

describe('opening the embedded database', () => {
  const clock = { now: () => 0 };
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inquest-store-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('creates the data folder', async () => {
    const store = await openStore({ databaseUrl: null, dataDir: join(folder, 'a', 'b'), clock });
    await store.migrate();
    expect(await store.findRuns({})).toEqual([]);
    await store.close();
  });

  it('says so when the folder is a file', async () => {
    const dataDir = join(folder, 'file');
    await writeFile(dataDir, '');
    await expect(openStore({ databaseUrl: null, dataDir, clock })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining(join(dataDir, 'inquest.db')),
      retryable: false,
    });
  });

  it('says so when the file is no database', async () => {
    await writeFile(join(folder, 'inquest.db'), 'not a database, '.repeat(1_000));
    const opening = openStore({ databaseUrl: null, dataDir: folder, clock });
    await expect(opening).rejects.toMatchObject({ code: 'STORE_FAILED', retryable: false, cause: expect.any(Error) });
  });
});
