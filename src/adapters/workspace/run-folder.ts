/** The folder of one run: `tree`, `scratch`, and beside them, where no command can write, the marks of how far it is. */
import { access, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InquestError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { git } from './git.ts';
import { withLock } from './lock.ts';
import { removeTree } from './remove-tree.ts';
import { restoreFiles } from './restore-files.ts';
import { readTracked, sorted } from './tracked-files.ts';

export interface RunFolder {
  readonly path: string;
  /** The mirror that has the commit. */
  readonly mirror: string;
  readonly sha: string;
  readonly clock: Clock;
}

/** Written last; it has the list of files, because the tree's own index could be forged. */
const READY = 'ready';
/** A setup has begun, and the tracked files are not restored since. */
const TOUCHED = 'touched';
/** A setup has come to its end. */
const SET_UP = 'set-up';
const SETUP_LOCK = 'set-up.lock';

/** Null when the folder is not complete, or holds another commit. What a setup that broke off has changed is restored first. */
export async function openRunFolder(folder: RunFolder, signal: AbortSignal): Promise<Workspace | null> {
  const text = await readFile(join(folder.path, READY), 'utf8').catch(() => null);
  if (text === null) return null;
  const ready: { sha: string; files: readonly string[] } = JSON.parse(text);
  if (ready.sha !== folder.sha) return null;
  const workspace = workspaceOf(folder, ready.files);
  const now = new Date(folder.clock.now());
  await utimes(folder.path, now, now);
  if (await exists(join(folder.path, TOUCHED))) await restoreUnderLock(folder, workspace, signal);
  return workspace;
}

/** Nothing is left of an earlier worktree, of what was installed into it, or of its home folder. */
export async function emptyRunFolder(path: string): Promise<void> {
  for (const name of [READY, SET_UP, TOUCHED]) await rm(join(path, name), { force: true });
  for (const name of ['tree', 'scratch']) await removeTree(join(path, name));
  await mkdir(join(path, 'scratch'), { recursive: true, mode: 0o700 });
}

/** The worktree is checked out: from now on the folder is complete. */
export async function finishRunFolder(folder: RunFolder, signal: AbortSignal): Promise<Workspace> {
  const files = await filesOf(folder, signal);
  const draft = join(folder.path, `${READY}.draft`);
  await writeFile(draft, JSON.stringify({ sha: folder.sha, files }));
  await rename(draft, join(folder.path, READY));
  return workspaceOf(folder, files);
}

function workspaceOf(folder: RunFolder, files: readonly string[]): Workspace {
  const root = join(folder.path, 'tree');
  const known = new Set(files);
  return {
    root,
    scratch: join(folder.path, 'scratch'),
    files: async () => files,
    read: (path) => readTracked(root, known, path),
    restore: () => restore(folder, root, files),
    setUpOnce: (work, signal) => setUpOnce(folder, work, signal),
  };
}

async function filesOf({ mirror, sha }: RunFolder, signal: AbortSignal): Promise<readonly string[]> {
  const args = ['--git-dir', mirror, 'ls-tree', '-r', '-z', '--full-tree', sha];
  const listing = await git({ cwd: mirror, args, signal });
  const entries = listing.split('\0').flatMap((entry) => {
    const tab = entry.indexOf('\t');
    return tab < 0 || entry.slice(0, tab).split(' ')[1] !== 'blob' ? [] : [entry.slice(tab + 1)];
  });
  return sorted(entries);
}

/**
 * Compares with a second checkout: git never looks at the tree itself, where attributes, an index or a `.git` could be forged.
 * A mirror that has lost the commit cannot tell; then the folder is not complete any more.
 */
async function restore(folder: RunFolder, root: string, files: readonly string[]): Promise<void> {
  const beside = await mkdtemp(join(folder.path, 'pristine-'));
  const [pristine, index] = [join(beside, 'tree'), join(beside, 'index')];
  try {
    await mkdir(pristine);
    const args = ['--git-dir', folder.mirror, '--work-tree', pristine, 'read-tree', '--reset', '-u', folder.sha];
    await git({ cwd: pristine, args, index });
    await restoreFiles(pristine, root, files);
    await rm(join(folder.path, TOUCHED), { force: true });
  } catch (thrown) {
    if (thrown instanceof InquestError && thrown.code === 'GIT_FAILED') {
      await rm(join(folder.path, READY), { force: true });
    }
    throw thrown;
  } finally {
    await removeTree(beside);
  }
}

/** While another process sets up, its changes are its own to restore: we wait for it. */
async function restoreUnderLock({ path, clock }: RunFolder, workspace: Workspace, signal: AbortSignal): Promise<void> {
  await withLock(join(path, SETUP_LOCK), clock, signal, async () => {
    if (await exists(join(path, TOUCHED))) await workspace.restore();
  });
}

async function setUpOnce({ path, clock }: RunFolder, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  await withLock(join(path, SETUP_LOCK), clock, signal, async () => {
    if (await exists(join(path, SET_UP))) return;
    await writeFile(join(path, TOUCHED), '');
    await work();
    await rm(join(path, TOUCHED), { force: true });
    await writeFile(join(path, SET_UP), '');
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
