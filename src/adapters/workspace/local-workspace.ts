/** A workspace over a folder of the person at the terminal: a throw-away copy of it, so that nothing of theirs changes. */
import { mkdir, mkdtemp, opendir, readdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { execa } from 'execa';
import { InquestError } from '../../errors.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { git, gitSucceeds } from './git.ts';
import { removeTree } from './remove-tree.ts';
import { restoreFiles } from './restore-files.ts';
import { readTracked, sorted } from './tracked-files.ts';

export interface LocalWorkspace extends Workspace {
  /** The folder that was copied. */
  readonly original: string;
  /** Removes the copy. */
  dispose(): Promise<void>;
}

const MAX_FILES = 100_000;
/** Folders of tools; their files are copied, so that tests find them, but are not the project's own. */
const IGNORED = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.tox',
]);

/** Files are what git tracks or would track; without git, all but the folders of tools. Throws `INPUT_UNREADABLE` when `dir` is no folder. */
export async function localWorkspace(dir: string): Promise<LocalWorkspace> {
  const original = await folderAt(dir);
  const folder = await mkdtemp(join(tmpdir(), 'inquest-local-'));
  const [root, scratch] = [join(folder, 'tree'), join(folder, 'scratch')];
  try {
    await mkdir(root);
    await mkdir(scratch);
    const files = await listFiles(original);
    await copyWithoutGit(original, root);
    const known = new Set(files);
    return {
      original,
      root,
      scratch,
      files: async () => files,
      read: (path) => readTracked(root, known, path),
      restore: () => restoreFiles(original, root, files),
      setUpOnce: (work) => work(),
      dispose: () => removeTree(folder),
    };
  } catch (thrown) {
    await removeTree(folder);
    throw thrown;
  }
}

async function folderAt(dir: string): Promise<string> {
  const found = await stat(dir).catch(() => null);
  if (found?.isDirectory()) return realpath(dir);
  throw new InquestError('INPUT_UNREADABLE', `${dir} is ${found === null ? 'not there' : 'not a folder'}`);
}

async function listFiles(root: string): Promise<readonly string[]> {
  const inGit = await gitSucceeds({ cwd: root, args: ['rev-parse', '--is-inside-work-tree'] });
  if (!inGit) return walk(root);
  const listing = await git({ cwd: root, args: ['ls-files', '-z', '--cached', '--others', '--exclude-standard'] });
  return sorted(new Set(listing.split('\0').filter((path) => path !== '')));
}

async function walk(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!IGNORED.has(entry.name)) pending.push(path);
      } else {
        found.push(relative(root, path).split(sep).join('/'));
      }
      if (found.length > MAX_FILES)
        throw new InquestError('INPUT_TOO_LARGE', `${root} has more than ${MAX_FILES} files`);
    }
  }
  return sorted(found);
}

async function copyWithoutGit(from: string, to: string): Promise<void> {
  const entries = (await readdir(from)).filter((name) => name !== '.git').map((name) => join(from, name));
  if (entries.length === 0) return;
  const flags = process.platform === 'linux' ? ['--reflink=auto'] : [];
  const copied = await execa('cp', ['-a', ...flags, '--', ...entries, to], { reject: false });
  if (!copied.failed) return;
  throw new InquestError('WORKSPACE_FAILED', `${from} cannot be copied: ${copied.stderr || copied.shortMessage}`, {
    hint: 'Look at the free space of the temporary folder.',
    cause: copied,
  });
}
