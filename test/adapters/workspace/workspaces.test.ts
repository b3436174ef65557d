import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
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
import type { Workspace, WorkspaceRequest } from '../../../src/ports/workspace.ts';
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

describe('tracked files are restored', () => {
  const FILES = {
    'src/a.js': 'a',
    'src/b.js': 'b',
    'spec/s.md': 'spec',
    'deep/er/c': 'c',
    'run.sh': 'x',
    crlf: 'a\r\n',
  };

  async function prepared() {
    symlinkSync('src/a.js', join(repository.dir, 'link'));
    const sha = repository.commit({ ...FILES, '.gitattributes': 'crlf -text\n' });
    return workspaces.prepare(request(sha));
  }

  async function texts(workspace: Workspace) {
    return Object.fromEntries(
      await Promise.all(Object.keys(FILES).map(async (path) => [path, await workspace.read(path)])),
    );
  }

  it('that were changed, deleted, or replaced by links, folders and pipes; untracked ones stay', async () => {
    const workspace = await prepared();
    const at = (path: string) => join(workspace.root, path);
    writeFileSync(at('src/a.js'), 'A');
    rmSync(at('src/b.js'));
    symlinkSync('/etc/passwd', at('src/b.js'));
    rmSync(at('spec'), { recursive: true });
    const outside = join(root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 's.md'), 'outside');
    symlinkSync(outside, at('spec'));
    rmSync(at('deep/er/c'));
    mkdirSync(at('deep/er/c/x'), { recursive: true });
    chmodSync(at('deep'), 0);
    rmSync(at('run.sh'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', at('run.sh')]);
    rmSync(at('link'));
    writeFileSync(at('link'), 'no link');
    mkdirSync(at('node_modules'));
    writeFileSync(at('node_modules/dep.js'), 'dep');
    await workspace.restore();
    expect(await texts(workspace)).toEqual(FILES);
    expect(readlinkSync(at('link'))).toBe('src/a.js');
    expect(readFileSync(join(outside, 's.md'), 'utf8')).toBe('outside');
    expect(existsSync(at('node_modules/dep.js'))).toBe(true);
    expect(readdirSync(join(workspace.root, '..')).sort()).toEqual(['ready', 'scratch', 'tree']);
  });

  it('whatever attributes, .git file or index the tree has been given; same files keep their times', async () => {
    const workspace = await prepared();
    const at = (path: string) => join(workspace.root, path);
    const proof = join(root, 'proof');
    const own = join(root, 'own.git');
    execFileSync('git', ['init', '--quiet', '--bare', own]);
    execFileSync('git', ['-C', own, 'config', 'filter.evil.smudge', `touch ${proof}`]);
    writeFileSync(at('.git'), `gitdir: ${own}\n`);
    writeFileSync(at('.gitattributes'), '* text=auto filter=evil ident\n');
    writeFileSync(at('src/.gitattributes'), '* filter=evil\n');
    writeFileSync(at('crlf'), 'a\n');
    utimesSync(at('src/b.js'), 1000, 1000);
    const mirror = join(root, 'data', 'mirrors', '7.git');
    const index = join(mirror, 'worktrees', 'tree', 'index');
    writeFileSync(index, 'forged');
    await workspace.restore();
    expect(await texts(workspace)).toEqual(FILES);
    expect(statSync(at('src/b.js')).mtimeMs).toBe(1_000_000);
    expect(existsSync(proof)).toBe(false);
  });

  it('when the run is opened again after a setup that broke off', async () => {
    const workspace = await prepared();
    const broken = workspace.setUpOnce(async () => {
      writeFileSync(join(workspace.root, 'src/a.js'), 'A');
      throw new Error('broke off');
    }, new AbortController().signal);
    await expect(broken).rejects.toThrow('broke off');
    const sha = repository.git('rev-parse', 'HEAD');
    expect(await (await workspaces.prepare(request(sha))).read('src/a.js')).toBe('a');
  });

  it('from a worktree made anew when the mirror has lost the commit', async () => {
    const workspace = await prepared();
    rmSync(join(root, 'data', 'mirrors', '7.git'), { recursive: true });
    writeFileSync(join(workspace.root, 'src/a.js'), 'A');
    await expect(workspace.restore()).rejects.toMatchObject({ retryable: true });
    const sha = repository.git('rev-parse', 'HEAD');
    expect(await texts(await workspaces.prepare(request(sha)))).toEqual(FILES);
  });

  it('and an untracked file is not read through a tracked link', async () => {
    symlinkSync('built', join(repository.dir, 'spec.md'));
    const workspace = await workspaces.prepare(request(repository.commit({ a: '1' })));
    writeFileSync(join(workspace.root, 'built'), 'made by a script');
    expect(await workspace.read('spec.md')).toBeNull();
  });
});

describe('a worktree is set up', () => {
  const { signal } = new AbortController();

  it('once, by whichever worker comes first; the others wait for it', async () => {
    const sha = repository.commit({ a: '1' });
    const other = createWorkspaces({ dir: join(root, 'data'), clock, logger });
    const both = [await workspaces.prepare(request(sha)), await other.prepare(request(sha))];
    let [under_way, most, times] = [0, 0, 0];
    const work = async () => {
      times++;
      most = Math.max(most, ++under_way);
      await new Promise((resolve) => setImmediate(resolve));
      under_way--;
    };
    await Promise.all(both.map((workspace) => workspace.setUpOnce(work, signal)));
    expect([most, times]).toEqual([1, 1]);
  });

  it('again when it is made anew or the setup failed, with an empty home folder', async () => {
    const sha = repository.commit({ a: '1' });
    let times = 0;
    const work = async () => void times++;
    const first = await workspaces.prepare(request(sha));
    await expect(first.setUpOnce(async () => Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
    await first.setUpOnce(work, signal);
    writeFileSync(join(first.scratch, 'left'), 'x');
    rmSync(join(first.root, '..', 'ready'));
    const second = await workspaces.prepare(request(sha));
    await second.setUpOnce(work, signal);
    expect(times).toBe(2);
    expect(readdirSync(second.scratch)).toEqual([]);
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

  it('keeps an old folder that has just been opened again', async () => {
    const sha = repository.commit({ a: '1' });
    await workspaces.prepare(request(sha));
    utimesSync(join(root, 'data', 'runs', 'run_1'), 1, 1);
    await workspaces.prepare(request(sha));
    expect(await workspaces.collect(new Set())).toEqual([]);
  });

  it('leaves no folder behind when a run is released while it is prepared', async () => {
    const sha = repository.commit({ a: '1' });
    const preparing = workspaces.prepare(request(sha));
    await workspaces.release('run_1');
    await preparing;
    expect(readdirSync(join(root, 'data', 'runs'))).toEqual([]);
  });

  it('packs a mirror of many objects, once a day', async () => {
    const sha = repository.commit({ a: '1' });
    await workspaces.prepare(request(sha));
    const mirror = join(root, 'data', 'mirrors', '7.git');
    const scatter = () => {
      const folder = join(mirror, 'objects', '17');
      mkdirSync(folder, { recursive: true });
      // git estimates the number of loose objects by this one folder.
      for (let n = 0; n < 20; n++) writeFileSync(join(folder, `${n}`.padStart(38, '0')), '');
    };
    const packs = () => readdirSync(join(mirror, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length;
    rmSync(join(mirror, 'objects', '17'), { recursive: true, force: true });
    expect(packs()).toBe(0);
    scatter();
    await workspaces.collect(new Set(['run_1']));
    expect(packs()).toBe(1);
    expect(existsSync(`${mirror}.lock`)).toBe(false);
    expect(await (await workspaces.prepare(request(sha, { run_id: 'run_2' }))).read('a')).toBe('1');
  });

  it('removes a mirror that no run has used for thirty days', async () => {
    let now = Date.now();
    const dated = createWorkspaces({ dir: join(root, 'data'), clock: { now: () => now }, logger });
    await dated.prepare(request(repository.commit({ a: '1' })));
    const mirrors = () => readdirSync(join(root, 'data', 'mirrors'));
    now += 31 * 24 * 60 * 60_000;
    await dated.collect(new Set(['run_1']));
    expect(mirrors()).toEqual(['7.git']);
    now += 2 * 24 * 60 * 60_000;
    await dated.release('run_1');
    await dated.collect(new Set());
    expect(mirrors()).toEqual([]);
  });

  it('shows its folders to nobody else of the machine', async () => {
    mkdirSync(join(root, 'data'), { mode: 0o755 });
    const { root: tree } = await workspaces.prepare(request(repository.commit({ a: '1' })));
    const folders = ['.', 'mirrors', 'runs', 'runs/run_1', 'runs/run_1/scratch'].map((path) =>
      join(root, 'data', path),
    );
    expect(folders.map((path) => statSync(path).mode & 0o777)).toEqual(folders.map(() => 0o700));
    expect(existsSync(tree)).toBe(true);
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
