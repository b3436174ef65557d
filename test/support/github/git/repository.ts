/** One bare git repository, asked through git itself. */
import { execa } from 'execa';

export interface GitIdentity {
  readonly name: string;
  readonly email: string;
  /** ISO 8601. */
  readonly date: string;
}

export interface GitCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: GitIdentity;
  readonly committer: GitIdentity;
  readonly message: string;
}

export interface TreeEntry {
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly sha: string;
  readonly size: number;
  readonly path: string;
}

export interface FileChange {
  readonly path: string;
  readonly status: 'added' | 'removed' | 'modified';
  readonly blob: string;
  readonly additions: number;
  readonly deletions: number;
  readonly patch: string | null;
}

/** Nothing of the machine's own git configuration reaches the simulator. */
export const GIT_ENV = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C.UTF-8',
} as const;

const SHA = /^[0-9a-f]{40}$/;
const NO_BLOB = '0'.repeat(40);

export class GitRepository {
  readonly dir: string;
  readonly #commits = new Map<string, GitCommit>();
  readonly #answers = new Map<string, Promise<unknown>>();

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Makes the bare repository; objects may be asked for by SHA, as on GitHub. */
  static async init(dir: string, defaultBranch: string): Promise<GitRepository> {
    await execa('git', ['init', '--quiet', '--bare', `--initial-branch=${defaultBranch}`, dir], { env: GIT_ENV });
    const repository = new GitRepository(dir);
    for (const key of ['uploadpack.allowAnySHA1InWant', 'uploadpack.allowFilter', 'http.receivepack']) {
      await repository.run('config', key, 'true');
    }
    await repository.run('config', 'receive.denyDeleteCurrent', 'ignore');
    await repository.run('config', 'gc.auto', '0');
    return repository;
  }

  async run(...args: string[]): Promise<string> {
    const { stdout } = await execa('git', ['--git-dir', this.dir, ...args], { env: GIT_ENV });
    return stdout;
  }

  /** The commit that a branch, tag, ref or (abbreviated) SHA names; null when there is none. */
  async resolve(name: string): Promise<string | null> {
    // A commit never goes away here, so a full SHA is asked for once.
    if (this.#commits.has(name)) return name;
    if (SHA.test(name)) return (await this.#exists(name)) ? name : null;
    if (name === '' || name.startsWith('-') || /[\s:^~?*[\\]|\.\./.test(name)) return null;
    const candidates = [`refs/heads/${name}`, `refs/tags/${name}`, name.startsWith('refs/') ? name : `refs/${name}`];
    if (/^[0-9a-f]{7,40}$/.test(name)) candidates.push(name);
    for (const candidate of candidates) {
      const sha = await this.#try('rev-parse', '--verify', '--quiet', `${candidate}^{commit}`);
      if (sha !== null) return sha;
    }
    return null;
  }

  /** What is asked of full SHAs has one answer for good. */
  #once<T>(args: readonly string[], ask: () => Promise<T>): Promise<T> {
    const key = args.join(' ');
    const answer = (this.#answers.get(key) as Promise<T> | undefined) ?? ask();
    this.#answers.set(key, answer);
    return answer;
  }

  async #exists(sha: string): Promise<boolean> {
    const found = await this.#try('rev-parse', '--verify', '--quiet', `${sha}^{commit}`);
    if (found === sha) await this.commit(sha);
    return found === sha;
  }

  async commit(sha: string): Promise<GitCommit> {
    const known = this.#commits.get(sha);
    if (known) return known;
    const format = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00');
    const fields = (await this.run('show', '--no-patch', `--format=${format}`, sha)).split('\0');
    const at = (index: number): string => fields[index] ?? '';
    const commit = {
      sha: at(0),
      tree: at(1),
      parents: at(2).split(' ').filter(Boolean),
      author: { name: at(3), email: at(4), date: at(5) },
      committer: { name: at(6), email: at(7), date: at(8) },
      message: at(9).trimEnd(),
    };
    this.#commits.set(sha, commit);
    return commit;
  }

  /** What lies at the path of the commit: one entry, or the entries of the folder. */
  async entries(sha: string, path: string): Promise<{ kind: 'file' | 'folder'; entries: TreeEntry[] } | null> {
    const clean = path.replace(/^\/+|\/+$/g, '');
    if (clean === '') return { kind: 'folder', entries: await this.#list(sha, []) };
    const [entry] = await this.#list(sha, [clean]);
    if (!entry) return null;
    if (entry.type !== 'tree') return { kind: 'file', entries: [entry] };
    return { kind: 'folder', entries: await this.#list(sha, [`${clean}/`]) };
  }

  async #list(sha: string, paths: string[]): Promise<TreeEntry[]> {
    const out = await this.run('ls-tree', '-z', '--long', '--full-tree', sha, '--', ...paths);
    return parseTree(out);
  }

  async tree(sha: string, ...flags: '-r'[]): Promise<TreeEntry[] | null> {
    const out = await this.#try('ls-tree', '-z', '--long', '--full-tree', ...flags, sha);
    return out === null ? null : parseTree(out);
  }

  async blob(sha: string): Promise<Uint8Array | null> {
    if (!SHA.test(sha)) return null;
    const { stdout, failed } = await execa('git', ['--git-dir', this.dir, 'cat-file', 'blob', sha], {
      env: GIT_ENV,
      encoding: 'buffer',
      stripFinalNewline: false,
      reject: false,
    });
    return failed ? null : stdout;
  }

  /** Text of a file at a commit, or null. */
  async text(sha: string, path: string): Promise<string | null> {
    const found = await this.entries(sha, path);
    const entry = found?.kind === 'file' ? found.entries[0] : undefined;
    const bytes = entry && (await this.blob(entry.sha));
    return bytes ? Buffer.from(bytes).toString('utf8') : null;
  }

  /** Every ref with its commit, sorted by name. */
  async refs(prefix = 'refs/'): Promise<Map<string, string>> {
    const out = await this.run('for-each-ref', '--format=%(refname) %(objectname)', prefix);
    return new Map(out.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' ') as [string, string]])));
  }

  async setRef(ref: string, sha: string): Promise<void> {
    await this.run('update-ref', ref, sha);
  }

  async deleteRef(ref: string): Promise<void> {
    await this.run('update-ref', '-d', ref);
  }

  async mergeBase(a: string, b: string): Promise<string | null> {
    return this.#once(['merge-base', a, b], () => this.#try('merge-base', a, b));
  }

  /** Commits in `to` that `from` does not have, oldest first. */
  async log(from: string | null, to: string, limit = 250): Promise<string[]> {
    const range = from === null ? [to] : [to, `^${from}`];
    const args = ['rev-list', '--topo-order', `--max-count=${limit}`, ...range];
    const out = SHA.test(to) ? await this.#once(args, () => this.run(...args)) : await this.run(...args);
    return out.split('\n').filter(Boolean).reverse();
  }

  async isAncestor(ancestor: string, sha: string): Promise<boolean> {
    return (await this.#try('merge-base', '--is-ancestor', ancestor, sha)) !== null;
  }

  async changes(from: string, to: string): Promise<FileChange[]> {
    const raw = await this.run('diff', '--raw', '-z', '--no-renames', '--abbrev=40', from, to);
    const counts = await this.#counts(from, to);
    const parts = raw.split('\0');
    const changes: FileChange[] = [];
    for (let index = 0; index + 1 < parts.length; index += 2) {
      const [, , before, after, letter] = (parts[index] ?? '').split(' ');
      const path = parts[index + 1] ?? '';
      const [additions, deletions] = counts.get(path) ?? [0, 0];
      const status = letter === 'A' ? 'added' : letter === 'D' ? 'removed' : 'modified';
      const blob = (after === NO_BLOB ? before : after) ?? NO_BLOB;
      changes.push({ path, status, blob, additions, deletions, patch: await this.#patch(from, to, path) });
    }
    return changes;
  }

  async #counts(from: string, to: string): Promise<Map<string, [number, number]>> {
    const out = await this.run('diff', '--numstat', '-z', '--no-renames', from, to);
    return new Map(
      out.split('\0').flatMap((line) => {
        const [added, removed, path] = line.split('\t');
        return path === undefined ? [] : [[path, [Number(added) || 0, Number(removed) || 0]]];
      }),
    );
  }

  async #patch(from: string, to: string, path: string): Promise<string | null> {
    const out = await this.run('diff', '--no-renames', from, to, '--', path);
    const start = out.indexOf('\n@@ ');
    return start === -1 ? null : out.slice(start + 1);
  }

  async #try(...args: string[]): Promise<string | null> {
    const result = await execa('git', ['--git-dir', this.dir, ...args], { env: GIT_ENV, reject: false });
    return result.failed ? null : result.stdout;
  }
}

function parseTree(out: string): TreeEntry[] {
  return out.split('\0').flatMap((line) => {
    const tab = line.indexOf('\t');
    if (tab === -1) return [];
    const [mode = '', type, sha = '', size] = line.slice(0, tab).split(/\s+/);
    return [{ mode, type: type as TreeEntry['type'], sha, size: Number(size) || 0, path: line.slice(tab + 1) }];
  });
}
