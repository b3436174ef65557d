import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
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
