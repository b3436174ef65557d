/** The bare mirror of one repository: fetched by exact SHA, thrown away and made anew when it is broken. */
import { access, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InquestError } from '../../errors.ts';
import { type Credentials, git, gitSucceeds } from './git.ts';
import { removeTree } from './remove-tree.ts';

export interface MirrorFetch {
  readonly path: string;
  readonly url: string;
  readonly sha: string;
  /** The ref that keeps the commit while the run needs it. */
  readonly run_id: string;
  readonly credentials: Credentials | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds for one fetch. */
  readonly timeout: number;
}

const ATTEMPTS = 3;
const BACK_OFF_MS = 500;
const RUN_REFS = 'refs/inquest/runs';

/** Afterwards the mirror has the commit, and all branches as far as the server gave them. */
export async function fetchCommit(fetch: MirrorFetch): Promise<void> {
  await ensureMirror(fetch.path, fetch.signal);
  let rebuilt = false;
  for (let attempt = 1; ; attempt++) {
    try {
      await fetchOnce(fetch);
      return;
    } catch (thrown) {
      if (!(thrown instanceof InquestError) || thrown.code !== 'GIT_FAILED') throw thrown;
      if (!rebuilt && !(await isSound(fetch))) {
        rebuilt = true;
        await rebuildMirror(fetch);
        continue;
      }
      if (await hasCommit(fetch)) return;
      if (attempt >= ATTEMPTS) throw thrown;
      await delay(BACK_OFF_MS * 2 ** attempt, undefined, { signal: fetch.signal }).catch(() => {
        throw new InquestError('CANCELLED', 'the fetch was cancelled');
      });
    }
  }
}

/** Throws the mirror away; worktrees made from it keep their files. */
export async function rebuildMirror(fetch: Pick<MirrorFetch, 'path' | 'signal'>): Promise<void> {
  await removeTree(fetch.path);
  await ensureMirror(fetch.path, fetch.signal);
}

/** True when every ref and what it reaches is there. */
export async function isSound({ path, signal }: Pick<MirrorFetch, 'path' | 'signal'>): Promise<boolean> {
  return gitSucceeds({
    cwd: path,
    args: ['--git-dir', path, 'fsck', '--connectivity-only', '--no-dangling', '--no-progress'],
    signal,
  });
}

/** Drops what finished runs have left: entries of removed worktrees, and refs of runs without a folder. */
export async function tidyMirror(path: string, runs: string, signal: AbortSignal): Promise<void> {
  await git({ cwd: path, args: ['--git-dir', path, 'worktree', 'prune'], signal });
  const present = new Set(await readdir(runs));
  const refs = await git({
    cwd: path,
    args: ['--git-dir', path, 'for-each-ref', '--format=%(refname)', RUN_REFS],
    signal,
  });
  for (const ref of refs.split('\n')) {
    if (ref === '' || present.has(basename(ref))) continue;
    await git({ cwd: path, args: ['--git-dir', path, 'update-ref', '-d', ref], signal });
  }
}

async function ensureMirror(path: string, signal: AbortSignal): Promise<void> {
  if (await exists(join(path, 'HEAD'))) return;
  await mkdir(dirname(path), { recursive: true });
  await git({ cwd: dirname(path), args: ['init', '--quiet', '--bare', '--template=', path], signal });
  await mkdir(join(path, 'info'), { recursive: true });
}

/** By SHA, as GitHub allows; where a server does not, by the branches and pull requests that may hold it. */
async function fetchOnce(fetch: MirrorFetch): Promise<void> {
  const bySha = [`+${fetch.sha}:${RUN_REFS}/${fetch.run_id}`];
  try {
    await fetchRefs(fetch, [...HEADS, ...bySha]);
  } catch (thrown) {
    if (!(thrown instanceof InquestError) || thrown.code !== 'GIT_FAILED') throw thrown;
    await fetchRefs(fetch, [...HEADS, '+refs/pull/*:refs/inquest/pull/*']);
    if (!(await hasCommit(fetch))) throw thrown;
    await git({
      cwd: fetch.path,
      args: ['--git-dir', fetch.path, 'update-ref', `${RUN_REFS}/${fetch.run_id}`, fetch.sha],
      signal: fetch.signal,
    });
  }
}

const HEADS = ['+refs/heads/*:refs/inquest/heads/*'];

async function fetchRefs(fetch: MirrorFetch, refspecs: readonly string[]): Promise<void> {
  const flags = [
    '--quiet',
    '--prune',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
  ];
  await git({
    cwd: fetch.path,
    args: ['--git-dir', fetch.path, 'fetch', ...flags, '--', fetch.url, ...refspecs],
    signal: fetch.signal,
    timeout: fetch.timeout,
    ...(fetch.credentials === undefined ? {} : { credentials: fetch.credentials }),
  });
}

async function hasCommit({ path, sha, signal }: MirrorFetch): Promise<boolean> {
  return gitSucceeds({ cwd: path, args: ['--git-dir', path, 'cat-file', '-e', `${sha}^{commit}`], signal });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
