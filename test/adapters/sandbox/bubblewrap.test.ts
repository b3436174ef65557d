import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createBubblewrapSandbox } from '../../../src/adapters/sandbox/bubblewrap.ts';
import type { SandboxRequest, SandboxResult } from '../../../src/ports/sandbox.ts';

const sandbox = createBubblewrapSandbox();
const LIMITS = { wall_ms: 30_000, memory_bytes: 300 * 1024 * 1024, processes: 64, output_bytes: 100_000 };

let root: string;
let tree: string;
let scratch: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'inquest-test-'));
  tree = join(root, 'tree');
  scratch = join(root, 'scratch');
  mkdirSync(tree);
  mkdirSync(scratch);
});
afterEach(() => {
  // No temporary folder of this command is left behind; others of this machine may be using theirs.
  expect(spawnSync('sh', ['-c', `grep -ls ${root} /tmp/inquest-identity-*/passwd`], { encoding: 'utf8' }).stdout).toBe(
    '',
  );
  rmSync(root, { recursive: true, force: true });
});

function run(argv: readonly string[], over: Partial<SandboxRequest> = {}): Promise<SandboxResult> {
  return sandbox.run({
    argv,
    workspace: tree,
    cwd: '.',
    scratch,
    workspace_access: 'read-write',
    env: {},
    network: false,
    limits: LIMITS,
    signal: new AbortController().signal,
    ...over,
  });
}

const shell = (script: string, over?: Partial<SandboxRequest>) => run(['sh', '-c', script], over);
const text = (result: SandboxResult) => Buffer.from(result.combined).toString('utf8');

describe('a command in bubblewrap', () => {
  it('passes the check of this machine', () => sandbox.check());

  it('reports its exit code and both streams', async () => {
    const result = await shell('echo out; echo err >&2; exit 3');
    expect(result).toMatchObject({ exit_code: 3, ended_by: 'exit', dropped_bytes: 0 });
    expect(Buffer.from(result.stdout).toString()).toBe('out\n');
    expect(Buffer.from(result.stderr).toString()).toBe('err\n');
  });

  it('that does not exist fails as in a shell', async () => {
    expect(await run(['no-such-program'])).toMatchObject({ exit_code: 127, ended_by: 'exit' });
  });

  it('starts in its folder, with its environment and nothing of ours', async () => {
    mkdirSync(join(tree, 'sub'));
    process.env.INQUEST_CANARY = 'canary-value';
    const result = await shell('pwd; env; tr "\\0" "\\n" < /proc/1/environ', { cwd: 'sub', env: { OWN: 'yes' } });
    delete process.env.INQUEST_CANARY;
    expect(text(result)).toContain(`${tree}/sub\n`);
    expect(text(result)).toContain('OWN=yes\n');
    expect(text(result)).toContain(`HOME=${scratch}\n`);
    expect(text(result)).not.toMatch(/canary/i);
  });

  it('runs as nobody in particular, without capabilities', async () => {
    const result = await shell('id -u; grep CapBnd /proc/self/status; unshare --user true || echo refused');
    expect(text(result)).toMatch(/^65534\nCapBnd:\s+0000000000000000\n[\s\S]*refused/);
  });
});

describe('isolation', () => {
  let server: Server | null = null;
  afterEach(() => new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve()))));

  it('gives no network, not even to this machine', async () => {
    let connections = 0;
    const listening = createServer((socket) => {
      connections++;
      socket.end();
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const address = listening.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const script = `require('net').connect(${port}, '127.0.0.1').on('connect', () => console.log('reached')).on('error', (e) => console.log(e.code))`;
    expect(text(await run(['node', '-e', script]))).toBe('ECONNREFUSED\n');
    expect(connections).toBe(0);
    expect(text(await run(['node', '-e', script], { network: true }))).toBe('reached\n');
  });

  it('hides the home folder, secrets, other processes and the folder of Inquest itself', async () => {
    writeFileSync(join(root, 'secret'), 'outside');
    const hidden = [
      '/etc/shadow',
      '/etc/ssl/private',
      join(homedir(), '.ssh'),
      join(homedir(), '.npmrc'),
      join(root, 'secret'),
      '/var/run/docker.sock',
      '/run',
      '/sys/fs',
      process.cwd(),
    ];
    const result = await shell(
      `${hidden.map((path) => `[ -e ${path} ] && echo seen:${path}`).join('\n')}\nls /proc | grep -c '^[0-9]'`,
    );
    expect(text(result)).not.toContain('seen:');
    expect(Number(text(result))).toBeLessThan(8);
  });

  it('lets nothing be written outside of worktree, scratch and temporary folders', async () => {
    const places = ['/', '/usr', '/usr/bin', '/etc', '/dev', '/root', '/home', '/var'];
    const result =
      await shell(`${places.map((place) => `touch ${place}/x 2>/dev/null && echo wrote:${place}`).join('\n')}
      touch a ${scratch}/b /tmp/c /dev/shm/d && echo fine`);
    expect(text(result)).toBe('fine\n');
    expect(existsSync(join(tree, 'a')) && existsSync(join(scratch, 'b'))).toBe(true);
    expect(existsSync('/tmp/c')).toBe(false);
    await shell(`touch ${root}/x`);
    expect(existsSync(join(root, 'x'))).toBe(false);
  });

  it('resolves links of the worktree inside, where what they name is not', async () => {
    writeFileSync(join(root, 'secret'), 'outside');
    symlinkSync(join(root, 'secret'), join(tree, 'link'));
    symlinkSync(root, join(tree, 'up'));
    const result = await shell('cat link; cat up/secret; ls /proc/1/root/etc/shadow; echo x > link');
    expect(text(result)).not.toContain('outside');
    expect(readFileSync(join(root, 'secret'), 'utf8')).toBe('outside');
    expect((await run(['pwd'], { cwd: '../..' })).ended_by).toBe('exit');
  });

  it('keeps .git as it is', async () => {
    writeFileSync(join(tree, '.git'), 'gitdir: /elsewhere\n');
    const result = await shell('echo x > .git; rm -f .git; mv .git y; echo done');
    expect(text(result)).toContain('done');
    expect(readFileSync(join(tree, '.git'), 'utf8')).toBe('gitdir: /elsewhere\n');
  });

  it('read-only: the command may write, and the worktree stays as it was', async () => {
    writeFileSync(join(tree, 'a'), 'before');
    mkdirSync(join(tree, 'locked'));
    const result = await shell('echo after > a; touch new; mkdir d; touch d/x; chmod 000 d; cat a; pwd', {
      workspace_access: 'read-only',
    });
    expect(text(result)).toBe(`after\n${tree}\n`);
    expect(readFileSync(join(tree, 'a'), 'utf8')).toBe('before');
    expect(existsSync(join(tree, 'new'))).toBe(false);
    expect(spawnSync('ls', [root], { encoding: 'utf8' }).stdout).toBe('scratch\ntree\n');
  });

  it('read-only: no command sees what an earlier one left at home, but what the setup installed there', async () => {
    await shell('mkdir -p $HOME/.local/bin; echo cache > $HOME/cache');
    const first =
      'echo left > $HOME/cache; touch $TMPDIR/lock; printf "#!/bin/sh\necho forged" > $HOME/.local/bin/node';
    const over = { workspace_access: 'read-only' } as const;
    await shell(`${first}; chmod +x $HOME/.local/bin/node`, over);
    expect(text(await shell('cat $HOME/cache; ls $TMPDIR; echo $HOME; node -p 6*7', over))).toBe(
      `cache\ncache\n${scratch}\n42\n`,
    );
  });

  it("takes no program of its home folder for the machine's", async () => {
    await shell(
      'mkdir -p $HOME/.local/bin; printf "#!/bin/sh\necho own" | tee $HOME/.local/bin/own > $HOME/.local/bin/node',
    );
    expect(text(await shell('chmod +x $HOME/.local/bin/*; own; node -p 6*7'))).toBe('own\n42\n');
  });

  it('does not follow a .git that a command made a link', async () => {
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside', 'secret'), 'outside');
    await shell(`ln -s ${root}/outside .git`);
    expect(text(await shell('cat .git/secret'))).not.toContain('outside\n');
    expect(text(await shell('cat .git/secret && echo read'))).not.toContain('read');
  });

  it('shows a further file where it is asked to, read-only', async () => {
    const probe = join(root, 'probe.js');
    writeFileSync(probe, '1');
    expect(text(await shell(`cat ${probe}; echo 2 > ${probe}`, { show: [probe] }))).toMatch(/^1/);
    expect(readFileSync(probe, 'utf8')).toBe('1');
  });
});

describe('limits', () => {
  it('bounds a fork bomb', async () => {
    const bomb = 'f() { f | f & }; f; for i in $(seq 500); do sleep 5 & done; wait';
    const result = await run(['bash', '-c', bomb], { limits: { ...LIMITS, wall_ms: 2000, processes: 40 } });
    expect(text(result) + result.ended_by).toMatch(/fork|timeout|processes/);
  });

  it('ends a command that eats memory', async () => {
    const result = await run(['node', '-e', 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1));']);
    expect(result.ended_by).toBe('memory');
  });

  it.each(['read-write', 'read-only'] as const)('ends a command that fills the disk, %s', async (workspace_access) => {
    const limits = { ...LIMITS, disk_bytes: 20 * 1024 * 1024 };
    writeFileSync(join(tree, 'big'), Buffer.alloc(30 * 1024 * 1024, 1));
    const fill = 'for n in 1 2 3; do head -c 9M /dev/zero | tr "\\0" x > $HOME/$n; done; sleep 1000';
    expect((await shell(fill, { limits, workspace_access })).ended_by).toBe('disk');
    expect(await shell('sleep 1.5', { limits, workspace_access })).toMatchObject({ ended_by: 'exit', exit_code: 0 });
    expect((await shell('head -c 30M /dev/zero > one', { limits, workspace_access })).ended_by).toBe('disk');
    expect(statSync(join(tree, 'one'), { throwIfNoEntry: false })?.size ?? 0).toBeLessThanOrEqual(limits.disk_bytes);
  });

  it('counts files in memory as memory', async () => {
    const result = await shell('head -c 1G /dev/zero > /tmp/big; head -c 1G /dev/zero > /dev/shm/big; wc -c /tmp/big');
    expect(Number(/(\d+) \/tmp\/big/.exec(text(result))?.[1] ?? 0)).toBeLessThan(LIMITS.memory_bytes);
  });

  it('keeps output up to its limit, counts the rest, and ends a flood', async () => {
    const some = await shell('head -c 150000 /dev/zero; head -c 50000 /dev/zero >&2');
    expect(some).toMatchObject({ exit_code: 0, ended_by: 'exit', dropped_bytes: 50_000 });
    expect([some.stdout.length, some.stderr.length, some.combined.length]).toEqual([100_000, 50_000, 150_000]);
    const flood = await shell('yes');
    expect(flood.ended_by).toBe('output');
    expect(flood.stdout.length).toBe(100_000);
  });

  it('ends grandchildren that ignore the polite signal when time is up', async () => {
    const marker = `4${process.pid}7`;
    const script = `trap "" TERM; (trap "" TERM; setsid sleep ${marker}) & (trap "" TERM; sleep ${marker}) & sleep ${marker}`;
    const result = await shell(script, { limits: { ...LIMITS, wall_ms: 400 } });
    expect(result.ended_by).toBe('timeout');
    expect(spawnSync('pgrep', ['-f', `sleep ${marker}`]).status).toBe(1);
  });

  it('gives a command time to say goodbye', async () => {
    const result = await shell('trap "echo bye; exit 5" TERM; echo up; while :; do sleep 0.05; done', {
      limits: { ...LIMITS, wall_ms: 1500 },
    });
    expect(result).toMatchObject({ ended_by: 'timeout', exit_code: 5 });
    expect(text(result)).toMatch(/^up\n[\s\S]*bye\n/);
  });

  it('does not wait for what a finished command has left in the background', async () => {
    const result = await shell('sleep 1000 & echo done');
    expect(result).toMatchObject({ exit_code: 0, ended_by: 'exit' });
  });

  it('ends when it is called off, before and during the command', async () => {
    const controller = new AbortController();
    const running = shell('sleep 1000', { signal: controller.signal });
    setImmediate(() => controller.abort());
    expect((await running).ended_by).toBe('cancelled');
    expect((await shell('true', { signal: controller.signal })).ended_by).toBe('cancelled');
  });
});

describe('test runners work inside', () => {
  it('node --test', async () => {
    writeFileSync(join(tree, 'a.test.js'), `require('node:test').test('t', () => require('node:assert').equal(1, 2));`);
    const result = await run(['node', '--test'], { workspace_access: 'read-only' });
    expect(result.exit_code).toBe(1);
    expect(text(result)).toContain('1 == 2');
  });

  it('python3 -m unittest', async () => {
    writeFileSync(
      join(tree, 'test_a.py'),
      'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): self.assertEqual(1, 2)\n',
    );
    expect(text(await run(['python3', '-m', 'unittest'], { workspace_access: 'read-only' }))).toContain(
      'AssertionError: 1 != 2',
    );
  });

  const pytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0 ? it : it.skip;
  pytest('python3 -m pytest', async () => {
    writeFileSync(join(tree, 'test_a.py'), 'def test_a():\n  assert 1 == 2\n');
    expect(text(await run(['python3', '-m', 'pytest'], { workspace_access: 'read-only' }))).toContain('assert 1 == 2');
  });
});

/** Control groups without processes: others of this machine may be using theirs. */
function emptyGroups(): readonly string[] {
  const script = 'for g in /sys/fs/cgroup/pids/inquest-*; do [ -z "$(cat $g/cgroup.procs 2>&1)" ] && echo $g; done';
  return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout.split('\n');
}

const before = emptyGroups();
afterAll(() => expect(emptyGroups().filter((path) => !before.includes(path))).toEqual([]));
