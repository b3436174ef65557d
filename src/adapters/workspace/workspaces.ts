/** Prepares the code of runs: `mirrors/<repository>.git`, and `runs/<run>/{tree,scratch}` for each run. */
import { chmod, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InquestError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Workspace, WorkspaceRequest, Workspaces } from '../../ports/workspace.ts';
import { collectRuns } from './collect.ts';
import { type Credentials, git, writeAskpass } from './git.ts';
import { withLock } from './lock.ts';
import { fetchCommit, isSound, type MirrorFetch, rebuildMirror, tidyMirror } from './mirror.ts';
import { maintainMirrors, markUsed } from './mirror-maintenance.ts';
import { removeTree } from './remove-tree.ts';
import { emptyRunFolder, finishRunFolder, openRunFolder, type RunFolder } from './run-folder.ts';
import { sorted } from './tracked-files.ts';
import { createTurns } from './turns.ts';

export interface WorkspacesOptions {
  /** The data folder. Nothing else may write there. */
  readonly dir: string;
  readonly clock: Clock;
  readonly logger: { warn(details: object, message: string): void };
  readonly limits?: { readonly fetch_ms: number };
}

export interface ManagedWorkspaces extends Workspaces {
  /**
   * Removes the folders of all runs but the `running` ones, packs the mirrors, and removes those that no run has used for thirty
   * days. May be called at any time: folders that were opened within ten minutes stay, because another process may just be
   * making them. Returns the ids of the runs that were removed, sorted.
   */
  collect(running: ReadonlySet<string>): Promise<readonly string[]>;
}

const DEFAULT_LIMITS = { fetch_ms: 10 * 60_000 };
const PROTOCOLS = new Set(['http:', 'https:', 'file:']);

interface Places {
  readonly dir: string;
  readonly mirrors: string;
  readonly runs: string;
}

export function createWorkspaces(options: WorkspacesOptions): ManagedWorkspaces {
  const dir = resolve(options.dir);
  const places: Places = { dir, mirrors: join(dir, 'mirrors'), runs: join(dir, 'runs') };
  // A release that comes while its run is being prepared must not leave the folder behind.
  const turns = createTurns();
  return {
    prepare: async (request) => {
      checkRequest(request);
      return turns.take(request.run_id, () => prepare(request, places, options));
    },
    release: async (runId) => {
      const folder = join(places.runs, checkedName(runId));
      await turns.take(runId, () => removeTree(folder));
    },
    changedFiles: (repoId, base, sha) => changedFiles(mirrorOf(places, repoId), base, sha),
    collect: async (running) => {
      const removed = await collectRuns(running, places.runs, turns, options.clock);
      await maintainMirrors(places, options);
      return removed;
    },
  };
}

async function prepare(request: WorkspaceRequest, places: Places, options: WorkspacesOptions): Promise<Workspace> {
  const mirror = mirrorOf(places, request.repo_id);
  const path = join(places.runs, request.run_id);
  const folder: RunFolder = { path, mirror, sha: request.sha, clock: options.clock };
  const ready = await openRunFolder(folder, request.signal);
  if (ready !== null) return ready;
  await makePrivate(places);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return withLock(`${mirror}.lock`, options.clock, request.signal, async () => {
    const made = await openRunFolder(folder, request.signal);
    if (made !== null) return made;
    const fetch = await fetchFor(request, mirror, places, options);
    await fetchCommit(fetch);
    await markUsed(mirror, options.clock);
    await emptyRunFolder(path);
    await checkOut(fetch, path, options.logger);
    const tidied = tidyMirror(mirror, places.runs, request.signal);
    const [workspace] = await Promise.all([finishRunFolder(folder, request.signal), tidied]);
    return workspace;
  });
}

/** Code of private repositories lies here: for nobody else of this machine. */
async function makePrivate(places: Places): Promise<void> {
  for (const path of [places.dir, places.mirrors, places.runs]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
  }
}

async function fetchFor(
  request: WorkspaceRequest,
  mirror: string,
  places: Places,
  options: WorkspacesOptions,
): Promise<MirrorFetch> {
  const token = await request.token();
  const credentials: Credentials | undefined =
    token === null
      ? undefined
      : { token, host: new URL(request.clone_url).host, askpass: await writeAskpass(places.dir) };
  return {
    path: mirror,
    url: request.clone_url,
    sha: request.sha,
    run_id: request.run_id,
    credentials,
    signal: request.signal,
    timeout: (options.limits ?? DEFAULT_LIMITS).fetch_ms,
  };
}

/** A mirror that fetches well can still lack an old object: then it is made anew, once. */
async function checkOut(fetch: MirrorFetch, folder: string, logger: WorkspacesOptions['logger']): Promise<void> {
  try {
    await addWorktree(fetch, folder);
  } catch (thrown) {
    if (!(thrown instanceof InquestError) || thrown.code !== 'GIT_FAILED' || (await isSound(fetch))) throw thrown;
    logger.warn({ mirror: fetch.path, run_id: fetch.run_id }, 'the mirror is broken and is cloned again');
    await rebuildMirror(fetch);
    await fetchCommit(fetch);
    await addWorktree(fetch, folder);
  }
}

async function addWorktree({ path, sha, signal }: MirrorFetch, folder: string): Promise<void> {
  const tree = join(folder, 'tree');
  await removeTree(tree);
  await git({
    cwd: path,
    args: ['--git-dir', path, 'worktree', 'add', '--quiet', '--force', '--detach', tree, sha],
    signal,
  });
}

async function changedFiles(mirror: string, base: string, sha: string): Promise<readonly string[]> {
  const start = await resolveBase(mirror, base);
  const args = ['--git-dir', mirror, 'diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const listing = await git({ cwd: mirror, args: [...args, `${start}...${checkedSha(sha)}`] });
  return sorted(listing.split('\0').filter((path) => path !== ''));
}

/** `base` is a commit, or the name of a branch as it was at the last fetch. */
async function resolveBase(mirror: string, base: string): Promise<string> {
  for (const name of [`${base}^{commit}`, `refs/inquest/heads/${base}^{commit}`]) {
    const args = ['--git-dir', mirror, 'rev-parse', '--verify', '--quiet', '--end-of-options', name];
    try {
      return (await git({ cwd: mirror, args })).trim();
    } catch (thrown) {
      if (!(thrown instanceof InquestError) || thrown.code !== 'GIT_FAILED') throw thrown;
    }
  }
  throw new InquestError('GIT_FAILED', `the base ${base} is neither a commit nor a branch of the mirror`, {
    hint: 'The base branch may have been removed or rewritten.',
  });
}

function mirrorOf(places: Places, repoId: number): string {
  return join(places.mirrors, `${repoId}.git`);
}

function checkRequest(request: WorkspaceRequest): void {
  checkedSha(request.sha);
  checkedName(request.run_id);
  const url = URL.canParse(request.clone_url) ? new URL(request.clone_url) : null;
  if (url !== null && PROTOCOLS.has(url.protocol) && url.username === '' && url.password === '') return;
  throw new InquestError('WORKSPACE_FAILED', 'the clone URL is no http, https or file URL, or carries credentials', {
    hint: 'Pass an https URL without user name; the token has its own field.',
  });
}

function checkedSha(sha: string): string {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha)) return sha;
  throw new InquestError('WORKSPACE_FAILED', `${JSON.stringify(sha)} is no full commit SHA`);
}

/** Run ids become folder and ref names. */
function checkedName(runId: string): string {
  if (/^[A-Za-z0-9_-]{1,100}$/.test(runId)) return runId;
  throw new InquestError('WORKSPACE_FAILED', `${JSON.stringify(runId)} cannot be a run id`);
}
