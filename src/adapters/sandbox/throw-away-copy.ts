/** Copies of worktree and home folder for one command, so that tests may write as they like and both stay as they were. */
import { lstat, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { InquestError } from '../../errors.ts';
import type { SandboxRequest } from '../../ports/sandbox.ts';
import { removeTree } from '../workspace/remove-tree.ts';

/** The folders that stand at the places of worktree and scratch. */
export interface Folders {
  readonly workspace: string;
  readonly scratch: string;
}

/**
 * Calls `work` with the folders of the request itself for `read-write`, else with copies beside the scratch folder that are removed
 * afterwards: no command sees what an earlier one has left. Blocks are shared where the file system can (reflink), never by hard links.
 */
export async function withFolders<Result>(
  request: SandboxRequest,
  work: (folders: Folders) => Promise<Result>,
): Promise<Result> {
  const { workspace, scratch, signal } = request;
  if (request.workspace_access === 'read-write') return work({ workspace, scratch });
  const copy = await mkdtemp(`${scratch}-copy-`);
  const folders = { workspace: join(copy, 'tree'), scratch: join(copy, 'scratch') };
  try {
    const copies = (['workspace', 'scratch'] as const).map(async (name) => {
      await mkdir(folders[name]);
      await copyTree(request[name], folders[name], signal);
    });
    await Promise.all(copies);
    return await work(folders);
  } finally {
    await removeTree(copy);
  }
}

/** Copies what is in `from` into the existing folder `to`: links stay links, modes and times are kept. */
export async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  // Most home folders are empty: nothing was installed there.
  if ((await readdir(from)).length === 0) return;
  const flags = process.platform === 'linux' ? ['--reflink=auto'] : [];
  const copied = await execa('cp', ['-a', ...flags, '--', `${from}/.`, to], { reject: false, cancelSignal: signal });
  if (!copied.failed || copied.isCanceled) return;
  throw new InquestError('WORKSPACE_FAILED', `${from} cannot be copied: ${copied.stderr || copied.shortMessage}`, {
    hint: 'Look at the free space of the data folder.',
    cause: copied,
  });
}

/** `.git` of a worktree, to be shown without write access. A link is not shown at all: it would name a place of the machine. */
export async function gitOf(workspace: string): Promise<string | null> {
  const path = join(workspace, '.git');
  const found = await lstat(path).catch(() => null);
  return found === null || found.isSymbolicLink() ? null : path;
}
