/** A copy of the worktree for one command, so that tests may write as they like and the worktree stays as it was. */
import { mkdtemp } from 'node:fs/promises';
import { execa } from 'execa';
import { InquestError } from '../../errors.ts';
import type { SandboxRequest } from '../../ports/sandbox.ts';
import { removeTree } from '../workspace/remove-tree.ts';

/**
 * Calls `work` with the folder that is to stand at the place of the worktree: the worktree itself for `read-write`, else a copy beside
 * the scratch folder that is removed afterwards. Blocks are shared where the file system can (reflink), never by hard links.
 */
export async function withWorkspace<Result>(
  request: SandboxRequest,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (request.workspace_access === 'read-write') return work(request.workspace);
  const copy = await mkdtemp(`${request.scratch}-copy-`);
  try {
    await copyTree(request.workspace, copy, request.signal);
    return await work(copy);
  } finally {
    await removeTree(copy);
  }
}

/** Copies what is in `from` into the existing folder `to`: links stay links, modes and times are kept. */
export async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  const flags = process.platform === 'linux' ? ['--reflink=auto'] : [];
  const copied = await execa('cp', ['-a', ...flags, '--', `${from}/.`, to], { reject: false, cancelSignal: signal });
  if (!copied.failed || copied.isCanceled) return;
  throw new InquestError(
    'WORKSPACE_FAILED',
    `the worktree ${from} cannot be copied: ${copied.stderr || copied.shortMessage}`,
    {
      hint: 'Look at the free space of the data folder.',
      cause: copied,
    },
  );
}
