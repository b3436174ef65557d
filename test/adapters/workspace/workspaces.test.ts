import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWorkspaces, type ManagedWorkspaces } from '../../../src/adapters/workspace/workspaces.ts';
import type { WorkspaceRequest } from '../../../src/ports/workspace.ts';
import { type SampleRepository, sampleRepository } from './sample-repository.ts';

const warnings: string[] = [];
const logger = { warn: (_: object, message: string) => void warnings.push(message) };
const clock = { now: () => Date.now() };

let root: string;
let repository: SampleRepository;
let workspaces: ManagedWorkspaces;

beforeEach(() => {
  warnings.length = 0;
  root = mkdtempSync(join(tmpdir(), 'inquest-test-'));
  repository = sampleRepository(join(root, 'origin'));
  workspaces = createWorkspaces({ dir: join(root, 'data'), clock, logger });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function request(sha: string, over: Partial<WorkspaceRequest> = {}): WorkspaceRequest {
  return {
    run_id: 'run_1',
    repo_id: 7,
    clone_url: repository.url,
    token: async () => null,
    sha,
    signal: new AbortController().signal,
    ...over,
  };
}

describe('a workspace is the exact commit', () => {
  it('lists and reads the files of that commit, not of a later one', async () => {
    const sha = repository.commit({ 'b.txt': 'old', 'a/ü.txt': 'x' });
    repository.commit({ 'b.txt': 'new' });
    const workspace = await workspaces.prepare(request(sha));
    expect(await workspace.files()).toEqual(['a/ü.txt', 'b.txt']);
    expect(await workspace.read('b.txt')).toBe('old');
    expect(await workspace.read('a/ü.txt')).toBe('x');
    expect(await workspace.read('missing')).toBeNull();
  });

  it('gives the same run the same worktree, and what was written into it stays', async () => {
    const sha = repository.commit({ a: '1' });
    const first = await workspaces.prepare(request(sha));
    writeFileSync(join(first.root, 'built'), 'x');
    rmSync(repository.dir, { recursive: true });
    const again = await workspaces.prepare(request(sha));
    expect(again.root).toBe(first.root);
    expect(existsSync(join(again.root, 'built'))).toBe(true);
  });

  it('finds a commit that no branch holds any more', async () => {
    repository.commit({ a: '1' });
    const orphan = repository.commit({ a: '2' });
    repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    const workspace = await workspaces.prepare(request(orphan));
    expect(await workspace.read('a')).toBe('2');
  });

  it('serves several runs of one repository at once', async () => {
    const shas = ['1', '2', '3', '4'].map((text) => repository.commit({ a: text }));
    const made = await Promise.all(
      shas.map((sha, index) => workspaces.prepare(request(sha, { run_id: `run_${index}` }))),
    );
    expect(await Promise.all(made.map((workspace) => workspace.read('a')))).toEqual(['1', '2', '3', '4']);
    expect(readdirSync(join(root, 'data', 'mirrors'))).toEqual(['7.git']);
  });

  it('makes a half-made worktree anew', async () => {
    const sha = repository.commit({ a: '1', b: '2' });
    const first = await workspaces.prepare(request(sha));
    rmSync(join(first.root, '..', 'ready'));
    rmSync(join(first.root, 'b'));
    expect(await (await workspaces.prepare(request(sha))).read('b')).toBe('2');
  });
});

describe('reading stays inside the worktree', () => {
  it('refuses links that lead out, folders, binary and huge files, and paths that are not tracked', async () => {
    symlinkSync('/etc/passwd', join(repository.dir, 'out'));
    symlinkSync('a', join(repository.dir, 'in'));
    const sha = repository.commit({ a: 'text', binary: 'x\0y', huge: 'x'.repeat(2 * 1024 * 1024 + 1), 'd/e': '' });
    const workspace = await workspaces.prepare(request(sha));
    const read = async (path: string) => workspace.read(path);
    expect(await read('in')).toBe('text');
    expect(await read('d/e')).toBe('');
    for (const path of ['out', 'd', 'binary', 'huge', '.git', '../scratch', '/etc/passwd', 'd/../a']) {
      expect(await read(path)).toBeNull();
    }
  });
});

describe('a repository cannot make git run anything', () => {
  it('runs no hook, no filter and no submodule of the tree', async () => {
    const proof = join(root, 'proof');
    const sha = repository.commit({
      '.gitattributes': '* filter=evil\n',
      '.lfsconfig': '[lfs]\nurl = https://example.org\n',
      '.gitmodules': `[submodule "x"]\n  path = x\n  url = ext::sh -c "touch ${proof}"\n`,
      a: 'x',
    });
    await workspaces.prepare(request(sha));
    expect(existsSync(proof)).toBe(false);
  });

  it('takes no transport but http, https and file', async () => {
    const sha = repository.commit({ a: 'x' });
    const proof = join(root, 'proof');
    const prepared = workspaces.prepare(request(sha, { clone_url: `ext::sh -c "touch ${proof}"` }));
    await expect(prepared).rejects.toMatchObject({ code: 'WORKSPACE_FAILED' });
    expect(existsSync(proof)).toBe(false);
  });

  it('refuses ids and SHAs that are more than a name', async () => {
    const sha = repository.commit({ a: 'x' });
    await expect(workspaces.prepare(request(sha, { run_id: '../x' }))).rejects.toMatchObject({
      code: 'WORKSPACE_FAILED',
    });
    await expect(workspaces.prepare(request('--upload-pack=x'))).rejects.toMatchObject({ code: 'WORKSPACE_FAILED' });
    await expect(
      workspaces.prepare(request(sha, { clone_url: 'https://x:secret@example.org/a.git' })),
    ).rejects.toMatchObject({ code: 'WORKSPACE_FAILED' });
  });
});

describe('changed files', () => {
  it('are those between the merge base and the commit, by SHA and by branch name', async () => {
    const base = repository.commit({ a: '1', b: '1' });
    repository.git('checkout', '--quiet', '-b', 'topic');
    const head = repository.commit({ b: '2', 'c/d': '1' });
    repository.git('checkout', '--quiet', 'main');
    const tip = repository.commit({ a: '2' });
    await workspaces.prepare(request(head));
    for (const from of [base, tip, 'main']) expect(await workspaces.changedFiles(7, from, head)).toEqual(['b', 'c/d']);
    await expect(workspaces.changedFiles(7, 'gone', head)).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});

describe('mirrors heal and shrink', () => {
  it('clones a mirror again whose objects are gone', async () => {
    const first = repository.commit({ a: '1' });
    await workspaces.prepare(request(first));
    const mirror = join(root, 'data', 'mirrors', '7.git');
    rmSync(join(mirror, 'objects'), { recursive: true });
    const second = repository.commit({ a: '2' });
    const workspace = await workspaces.prepare(request(second, { run_id: 'run_2' }));
    expect(await workspace.read('a')).toBe('2');
  });

  it('drops the refs and worktree entries of released runs', async () => {
    const sha = repository.commit({ a: '1' });
    const { root: tree } = await workspaces.prepare(request(sha));
    await workspaces.release('run_1');
    await workspaces.release('run_1');
    expect(existsSync(tree)).toBe(false);
    await workspaces.prepare(request(sha, { run_id: 'run_2' }));
    const mirror = join(root, 'data', 'mirrors', '7.git');
    expect(
      execFileSync('git', ['-C', mirror, 'for-each-ref', '--format=%(refname)', 'refs/inquest/runs'], {
        encoding: 'utf8',
      }),
    ).toBe('refs/inquest/runs/run_2\n');
    expect(readdirSync(join(mirror, 'worktrees'))).toHaveLength(1);
  });

  it('collects the folders of runs that do not go on, but not young ones', async () => {
    const sha = repository.commit({ a: '1' });
    for (const run_id of ['run_1', 'run_2', 'run_3']) await workspaces.prepare(request(sha, { run_id }));
    for (const run of ['run_1', 'run_2']) utimesSync(join(root, 'data', 'runs', run), 1, 1);
    expect(await workspaces.collect(new Set(['run_2']))).toEqual(['run_1']);
    expect(readdirSync(join(root, 'data', 'runs'))).toEqual(['run_2', 'run_3']);
  });
});

describe('the lock of a repository', () => {
  it('is taken over from an owner that has died', async () => {
    const sha = repository.commit({ a: '1' });
    await workspaces.prepare(request(sha));
    const lock = join(root, 'data', 'mirrors', '7.git.lock');
    const ended = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
    const host = execFileSync('hostname', { encoding: 'utf8' }).trim();
    for (const pid of [ended, process.pid, process.ppid]) {
      writeFileSync(lock, JSON.stringify({ id: 'old', host, pid, started: '1' }));
      expect(await (await workspaces.prepare(request(sha, { run_id: `run_${pid}` }))).read('a')).toBe('1');
    }
    writeFileSync(lock, JSON.stringify({ id: 'old', host: 'elsewhere', pid: 1, started: '1' }));
    utimesSync(lock, 1, 1);
    expect(await (await workspaces.prepare(request(sha, { run_id: 'run_far' }))).read('a')).toBe('1');
    expect(existsSync(lock)).toBe(false);
  });

  it('is waited for while its owner lives, until the caller gives up', async () => {
    const sha = repository.commit({ a: '1' });
    await workspaces.prepare(request(sha));
    const lock = join(root, 'data', 'mirrors', '7.git.lock');
    writeFileSync(lock, JSON.stringify({ id: 'far', host: 'elsewhere', pid: 1, started: '1' }));
    const controller = new AbortController();
    const waiting = workspaces.prepare(request(sha, { run_id: 'run_2', signal: controller.signal }));
    setImmediate(() => controller.abort());
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(existsSync(lock)).toBe(true);
  });
});

describe('the token', () => {
  const token = 'ghs_TokenThatMustStayHidden0123456789';
  let server: Server;
  let seen: { authorization: string[]; commands: string[] };

  beforeEach(async () => {
    seen = { authorization: [], commands: [] };
    // Dumb HTTP behind basic authentication: enough to see what git sends.
    server = createServer((incoming, answer) => {
      const given = incoming.headers.authorization ?? '';
      seen.authorization.push(given);
      seen.commands.push(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }));
      const [user, password] = Buffer.from(given.replace('Basic ', ''), 'base64').toString().split(':');
      const path = join(
        repository.dir,
        '.git',
        new URL(incoming.url ?? '/', 'http://x').pathname.replace('/r.git/', ''),
      );
      if (user !== 'x-access-token' || password !== token) {
        answer.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      } else if (existsSync(path)) {
        answer.writeHead(200).end(readFileSync(path));
      } else {
        answer.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => new Promise<void>((resolve) => void server.close(() => resolve())));

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/r.git`;

  it('reaches the server, but no argument list, file or error message', async () => {
    const sha = repository.commit({ a: '1' });
    repository.git('update-server-info');
    const prepared = await workspaces.prepare(request(sha, { clone_url: url(), token: async () => token }));
    expect(await prepared.read('a')).toBe('1');
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    expect(seen.authorization).toContain(`Basic ${basic}`);
    for (const secret of [token, basic]) {
      expect(seen.commands.join('\n')).not.toContain(secret);
      expect(() => execFileSync('grep', ['-rqaF', secret, join(root, 'data')])).toThrow();
    }
    expect(seen.commands.join('\n')).toContain(url());
  });

  it('is not told to another host', async () => {
    const askpass = join(root, 'data', 'askpass');
    const sha = repository.commit({ a: '1' });
    repository.git('update-server-info');
    await workspaces.prepare(request(sha, { clone_url: url(), token: async () => token }));
    const ask = (prompt: string) =>
      execFileSync(askpass, [prompt], {
        env: { INQUEST_GIT_TOKEN: token, INQUEST_GIT_HOST: 'github.com' },
        encoding: 'utf8',
      });
    expect(ask("Password for 'https://x-access-token@github.com': ")).toBe(`${token}\n`);
    for (const host of ['evil.org', 'github.com.evil.org', 'evil.org/@github.com']) {
      expect(() => ask(`Password for 'https://x-access-token@${host}': `)).toThrow();
    }
  });
});
