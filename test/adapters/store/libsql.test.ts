import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { openStore } from '../../../src/adapters/store/open-store.ts';
import { storeContract } from './contract.ts';

describe('store on libsql', () => {
  let dataDir: string;
  storeContract({
    start: async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'inquest-store-'));
    },
    open: () => openStore({ databaseUrl: null, dataDir, clock: { now: Date.now } }),
    stop: () => rm(dataDir, { recursive: true, force: true }),
  });
});
