/** Makes files of a tree that nobody trusts what they are in another tree, without following any link of it. */
import { chmod, constants, copyFile, lstat, mkdir, open, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from './remove-tree.ts';

type Stats = Awaited<ReturnType<typeof lstat>>;

const AT_ONCE = 8;
const CHUNK_BYTES = 256 * 1024;

/**
 * `paths` are relative, with forward slashes. A file that is the same already keeps its time, so that builds stay fresh; one that
 * `pristine` lacks is removed; folders of submodules are left alone.
 */
export async function restoreFiles(pristine: string, tree: string, paths: readonly string[]): Promise<void> {
  const folders = new Set<string>();
  for (const path of paths) await ensureFolder(tree, dirname(path), folders);
  const pending = paths.values();
  const work = async () => {
    for (const path of pending) await restoreFile(join(pristine, path), join(tree, path));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** A link, a file or nothing at the place of a folder becomes a folder; one without permissions is opened. */
async function ensureFolder(tree: string, folder: string, known: Set<string>): Promise<void> {
  if (known.has(folder)) return;
  if (folder !== '.') await ensureFolder(tree, dirname(folder), known);
  known.add(folder);
  const path = join(tree, folder);
  const found = await look(path);
  if (found?.isDirectory()) {
    if ((Number(found.mode) & 0o700) !== 0o700) await chmod(path, 0o700);
    return;
  }
  await removeTree(path);
  await mkdir(path);
}

async function restoreFile(from: string, to: string): Promise<void> {
  const [wanted, found] = await Promise.all([look(from), look(to)]);
  if (wanted?.isDirectory()) return;
  if (wanted !== null && found !== null && (await isSame(from, wanted, to, found))) return;
  await removeTree(to);
  if (wanted?.isSymbolicLink()) await symlink(await readlink(from), to);
  if (!wanted?.isFile()) return;
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await chmod(to, permissions(wanted));
}

async function isSame(from: string, wanted: Stats, to: string, found: Stats): Promise<boolean> {
  if (wanted.isSymbolicLink() && found.isSymbolicLink()) return (await readlink(from)) === (await readlink(to));
  if (!wanted.isFile() || !found.isFile()) return false;
  if (wanted.size !== found.size || permissions(wanted) !== permissions(found)) return false;
  return hasSameBytes(from, to);
}

/** False also when the second cannot be read. */
async function hasSameBytes(first: string, second: string): Promise<boolean> {
  const a = await open(first, 'r');
  const b = await open(second, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
  try {
    if (b === null) return false;
    const [left, right] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)];
    for (let at = 0; ; ) {
      const [one, other] = await Promise.all([a.read(left, 0, CHUNK_BYTES, at), b.read(right, 0, CHUNK_BYTES, at)]);
      if (one.bytesRead !== other.bytesRead) return false;
      if (!left.subarray(0, one.bytesRead).equals(right.subarray(0, other.bytesRead))) return false;
      if (one.bytesRead === 0) return true;
      at += one.bytesRead;
    }
  } finally {
    await a.close();
    await b?.close();
  }
}

function permissions(stats: Stats): number {
  return Number(stats.mode) & 0o7777;
}

async function look(path: string): Promise<Stats | null> {
  return lstat(path).catch(() => null);
}
