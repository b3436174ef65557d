import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createContainerSandbox } from '../../../src/adapters/sandbox/container.ts';
import { containerArguments } from '../../../src/adapters/sandbox/container-arguments.ts';
import type { SandboxRequest } from '../../../src/ports/sandbox.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'inquest-test-'));
  mkdirSync(join(root, 'tree'));
  mkdirSync(join(root, 'scratch'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function request(over: Partial<SandboxRequest> = {}): SandboxRequest {
  return {
    argv: ['node', '--test'],
    workspace: join(root, 'tree'),
    cwd: 'packages/a',
    scratch: join(root, 'scratch'),
    workspace_access: 'read-write',
    env: { A: 'b c' },
    network: false,
    limits: { wall_ms: 20_000, memory_bytes: 1000, processes: 9, output_bytes: 1000 },
    signal: new AbortController().signal,
    ...over,
  };
}

/** Stands in for the engine's client: notes its arguments, then does what `run` says. */
function engine(run: string): { path: string; calls: () => string[] } {
  const path = join(root, 'engine');
  const log = join(root, 'calls');
  writeFileSync(log, '');
  writeFileSync(path, `#!/bin/sh\necho "$*" >> ${log}\ncase "$1" in run) ${run} ;; inspect) echo false ;; esac\n`);
  chmodSync(path, 0o755);
  return { path, calls: () => readFileSync(log, 'utf8').trim().split('\n') };
}

describe('the arguments of the engine', () => {
  const plan = {
    workspace: '/data/copy',
    scratch: '/data/home',
    git: '/data/copy/.git',
    image: 'node:24',
    name: 'inquest-1',
    user: '1000:1000',
  };

  it('grant no network, no privilege, no host folder but worktree and scratch', () => {
    const args = containerArguments({
      ...plan,
      request: request({ workspace: '/w', scratch: '/s', show: ['/probe,1'] }),
    });
    expect(args.slice(args.indexOf('node:24') - 2)).toEqual(['--entrypoint', 'node', 'node:24', '--test']);
    const pairs = (name: string) => args.flatMap((word, index) => (word === name ? [args[index + 1]] : []));
    expect(pairs('--network')).toEqual(['none']);
    expect(pairs('--cap-drop')).toEqual(['ALL']);
    expect(pairs('--security-opt')).toEqual(['no-new-privileges']);
    expect(pairs('--user')).toEqual(['1000:1000']);
    expect([pairs('--memory'), pairs('--memory-swap'), pairs('--pids-limit')]).toEqual([['1000'], ['1000'], ['9']]);
    expect(pairs('--ulimit')).toEqual(['core=0', `fsize=${4 * 1024 ** 3}`]);
    expect(pairs('--workdir')).toEqual(['/w/packages/a']);
    expect(args).toContain('--read-only');
    expect(pairs('--env')).toEqual(['LANG=C.UTF-8', 'TZ=UTC', 'CI=true', 'A=b c', 'HOME=/s', 'TMPDIR=/s']);
    expect(pairs('--mount')).toEqual([
      'type=bind,source=/data/copy,target=/w',
      'type=bind,source=/data/copy/.git,target=/w/.git,readonly',
      'type=bind,source=/data/home,target=/s',
      'type=bind,"source=/probe,1","target=/probe,1",readonly',
    ]);
  });

  it('share the network only where it is asked for', () => {
    const args = containerArguments({ ...plan, request: request({ network: true }) });
    expect(args[args.indexOf('--network') + 1]).toBe('bridge');
  });
});

describe('the container sandbox', () => {
  it('returns what the command did, and removes the container', async () => {
    const { path, calls } = engine('echo out; exit 4');
    const result = await createContainerSandbox(path, 'node:24').run(request());
    expect(result).toMatchObject({ exit_code: 4, ended_by: 'exit' });
    expect(Buffer.from(result.stdout).toString()).toBe('out\n');
    expect(calls().at(-1)).toMatch(/^rm --force inquest-/);
  });

  it('kills the container by its name when it is called off', async () => {
    const { path, calls } = engine('exec sleep 1000');
    const controller = new AbortController();
    const running = createContainerSandbox(path, 'node:24').run(request({ signal: controller.signal }));
    setImmediate(() => controller.abort());
    expect((await running).ended_by).toBe('cancelled');
    expect(calls().filter((call) => /^(?:kill|rm --force) inquest-/.test(call)).length).toBeGreaterThan(0);
  });

  it('tells a failure of the engine from a failure of the command', async () => {
    const { path } = engine('echo "no such image" >&2; exit 125');
    await expect(createContainerSandbox(path, 'nope').run(request())).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('no such image'),
    });
  });

  it('says in its check when there is no engine', async () => {
    const missing = createContainerSandbox(join(root, 'none'), 'node:24');
    await expect(missing.check()).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      hint: expect.stringContaining('engine'),
    });
    await expect(missing.run(request())).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
  });
});
