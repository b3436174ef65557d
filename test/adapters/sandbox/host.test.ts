import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHostSandbox } from '../../../src/adapters/sandbox/host.ts';
import type { SandboxRequest } from '../../../src/ports/sandbox.ts';

const LIMITS = { wall_ms: 30_000, memory_bytes: 300 * 1024 * 1024, processes: 64, output_bytes: 100_000 };
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'inquest-test-'));
  mkdirSync(join(root, 'tree'));
  mkdirSync(join(root, 'scratch'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(argv: readonly string[], over: Partial<SandboxRequest> = {}) {
  const signal = new AbortController().signal;
  const folders = { workspace: join(root, 'tree'), scratch: join(root, 'scratch'), cwd: '.' };
  return createHostSandbox().run({
    argv,
    ...folders,
    workspace_access: 'read-only',
    env: {},
    network: false,
    limits: LIMITS,
    signal,
    ...over,
  });
}

describe('a command on the host', () => {
  it('still gets its own environment and a copy of the worktree', async () => {
    process.env.INQUEST_CANARY = 'canary-value';
    const result = await run(['sh', '-c', 'env; touch new']);
    delete process.env.INQUEST_CANARY;
    expect(Buffer.from(result.stdout).toString()).not.toContain('canary');
    expect(existsSync(join(root, 'tree', 'new'))).toBe(false);
  });

  it('has a home folder of its own, and is ended when it fills the disk', async () => {
    const result = await run(
      ['sh', '-c', 'touch $HOME/left; for n in 1 2 3; do head -c 9M /dev/zero > $n; done; sleep 1000'],
      {
        limits: { ...LIMITS, disk_bytes: 20 * 1024 * 1024 },
      },
    );
    expect(result.ended_by).toBe('disk');
    expect(existsSync(join(root, 'scratch', 'left'))).toBe(false);
  });

  it('is ended with all it started', async () => {
    const marker = `3${process.pid}9`;
    const result = await run(['sh', '-c', `sleep ${marker} & sleep ${marker}`], {
      limits: { ...LIMITS, wall_ms: 300 },
    });
    expect(result.ended_by).toBe('timeout');
    expect(spawnSync('pgrep', ['-f', `sleep ${marker}`]).status).toBe(1);
  });

  it('is ended over its memory', async () => {
    const result = await run(['node', '-e', 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1));']);
    expect(result.ended_by).toBe('memory');
  });

  it('that does not exist fails as in a shell', async () => {
    expect(await run(['no-such-program'])).toMatchObject({ exit_code: 127, ended_by: 'exit' });
  });
});
