/** Reads files of a tree that nobody trusts: only listed ones, only text, never through a link to what is not listed. */
import { open, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const MAX_BYTES = 2 * 1024 * 1024;
/** As git does: a NUL byte within the first 8,000 makes a file binary. */
const SNIFFED_BYTES = 8000;

/** Text of the file, or null when it or what it links to is not listed, it is no plain file, is binary or is over 2 MiB. */
export async function readTracked(root: string, files: ReadonlySet<string>, path: string): Promise<string | null> {
  if (!files.has(path)) return null;
  const real = await realpath(join(root, path)).catch(() => null);
  if (
    real === null ||
    !files.has(
      relative(await realpath(root), real)
        .split(sep)
        .join('/'),
    )
  )
    return null;
  const found = await stat(real).catch(() => null);
  if (found === null || !found.isFile() || found.size > MAX_BYTES) return null;
  const bytes = await readBounded(real);
  if (bytes === null || bytes.subarray(0, SNIFFED_BYTES).includes(0)) return null;
  return bytes.toString('utf8');
}

/** Null when the file has grown over the limit since it was looked at, or is gone. */
async function readBounded(path: string): Promise<Buffer | null> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, bytes, buffer.length - bytes);
      bytes += bytesRead;
      if (bytes > MAX_BYTES) return null;
      if (bytesRead === 0) return buffer.subarray(0, bytes);
    }
  } finally {
    await file.close();
  }
}

/** In code unit order, whatever the locale. */
export function sorted(paths: Iterable<string>): readonly string[] {
  return [...paths].sort();
}
