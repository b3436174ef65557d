/** Prepares the code of runs: `mirrors/<repository>.git`, and `runs/<run>/{tree,scratch}` for each run. */
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InquestError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Workspace, WorkspaceRequest, Workspaces } from '../../ports/workspace.ts';
import { type Credentials, git, gitSucceeds, writeAskpass } from './git.ts';
import { withLock } from './lock.ts';
import { fetchCommit, isSound, type MirrorFetch, rebuildMirror, tidyMirror } from './mirror.ts';
import { removeTree } from './remove-tree.ts';
import { readTracked, sorted } from './tracked-files.ts';

export interface WorkspacesOptions {
  /** The data folder. Nothing else may write there. */
  readonly dir: string;
  readonly clock: Clock;
  readonly logger: { warn(details: object, message: string): void };
  readonly limits?: { readonly fetch_ms: number };
}

export interface ManagedWorkspaces extends Workspaces {
  /**
   * Removes the folders of all runs but the `running` ones; call it once at start. Folders younger than ten minutes stay,
   * because another process may just be making them. Returns the ids that were removed, sorted.
   */
  collect(running: ReadonlySet<string>): Promise<readonly string[]>;
}

const DEFAULT_LIMITS = { fetch_ms: 10 * 60_000 };
const PROTOCOLS = new Set(['http:', 'https:', 'file:']);
const YOUNG_MS = 10 * 60_000;

interface Places {
  readonly dir: string;
  readonly mirrors: string;
  readonly runs: string;
}

export function createWorkspaces(options: WorkspacesOptions): ManagedWorkspaces {
  const dir = resolve(options.dir);
  const places: Places = { dir, mirrors: join(dir, 'mirrors'), runs: join(dir, 'runs') };
  return {
    prepare: (request) => prepare(request, places, options),
    release: (runId) => removeTree(join(places.runs, checkedName(runId))),
    changedFiles: (repoId, base, sha) => changedFiles(mirrorOf(places, repoId), base, sha),
    collect: (running) => collect(running, places, options.clock),
  };
}

async function prepare(request: WorkspaceRequest, places: Places, options: WorkspacesOptions): Promise<Workspace> {
  checkRequest(request);
  const folder = join(places.runs, checkedName(request.run_id));
  const ready = await openReady(folder, request.sha);
  if (ready !== null) return ready;
  await mkdir(places.mirrors, { recursive: true });
  await mkdir(join(folder, 'scratch'), { recursive: true });
  const mirror = mirrorOf(places, request.repo_id);
  return withLock(`${mirror}.lock`, options.clock, request.signal, async () => {
    const made = await openReady(folder, request.sha);
    if (made !== null) return made;
    const fetch = await fetchFor(request, mirror, places, options);
    await fetchCommit(fetch);
    await tidyMirror(mirror, places.runs, request.signal);
    await checkOut(fetch, folder, options.logger);
    return finish(folder, mirror, request);
  });
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

/** The list of files is kept beside the tree, and written last: a folder that has it is complete. */
async function finish(folder: string, mirror: string, { sha, signal }: WorkspaceRequest): Promise<Workspace> {
  const listing = await git({
    cwd: mirror,
    args: ['--git-dir', mirror, 'ls-tree', '-r', '-z', '--full-tree', sha],
    signal,
  });
  const entries = listing.split('\0').flatMap((entry) => {
    const [meta = '', path] = splitOnce(entry, '\t');
    return path === undefined || meta.split(' ')[1] !== 'blob' ? [] : [path];
  });
  const draft = join(folder, 'ready.draft');
  await writeFile(draft, JSON.stringify({ sha, files: sorted(entries) }));
  await rename(draft, join(folder, 'ready'));
  return openWorkspace(folder, entries);
}

/** Null when the folder is not complete, or holds another commit. */
async function openReady(folder: string, sha: string): Promise<Workspace | null> {
  const text = await readFile(join(folder, 'ready'), 'utf8').catch(() => null);
  if (text === null) return null;
  const ready: { sha: string; files: readonly string[] } = JSON.parse(text);
  return ready.sha === sha ? openWorkspace(folder, ready.files) : null;
}

function openWorkspace(folder: string, paths: readonly string[]): Workspace {
  const root = join(folder, 'tree');
  const files = sorted(paths);
  const known = new Set(files);
  return {
    root,
    scratch: join(folder, 'scratch'),
    files: async () => files,
    read: (path) => readTracked(root, known, path),
  };
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
    if (await gitSucceeds({ cwd: mirror, args })) return (await git({ cwd: mirror, args })).trim();
  }
  throw new InquestError('GIT_FAILED', `the base ${base} is neither a commit nor a branch of the mirror`, {
    hint: 'The base branch may have been removed or rewritten.',
  });
}

async function collect(running: ReadonlySet<string>, places: Places, clock: Clock): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await readdir(places.runs).catch(() => [])) {
    const folder = join(places.runs, name);
    const found = await stat(folder).catch(() => null);
    if (running.has(name) || found === null || clock.now() - found.mtimeMs < YOUNG_MS) continue;
    await removeTree(folder);
    removed.push(name);
  }
  return sorted(removed);
}

function mirrorOf(places: Places, repoId: number): string {
  return join(places.mirrors, `${repoId}.git`);
}

function checkRequest(request: WorkspaceRequest): void {
  checkedSha(request.sha);
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

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
