/** Watches what a command adds to the folders where it may write. The kernel bounds single files only. */
import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { DISK_RESERVE_BYTES, DISK_SAMPLE_MS } from './limits.ts';

/** Bytes in the folders, and bytes left on their file system. */
export interface DiskUse {
  readonly size: number;
  readonly free: number;
}

export async function measureDisk(folders: readonly string[], signal: AbortSignal): Promise<DiskUse> {
  const [size, free] = await Promise.all([sizeOf(folders, signal), freeSpace(folders)]);
  return { size, free };
}

/**
 * Calls `exceeded` once the folders have grown by more than `limit` bytes since `before`, or their file system is nearly full; the second
 * also sees files that are deleted but open, or lie in folders that cannot be read. Returns what ends the watch.
 */
export function watchDisk(
  folders: readonly string[],
  before: DiskUse,
  limit: number,
  exceeded: () => void,
): () => Promise<void> {
  const stop = new AbortController();
  const watching = watch(folders, before, limit, stop.signal).then((found) => {
    if (found) exceeded();
  });
  return () => {
    stop.abort();
    return watching;
  };
}

/** True when over the limit, false when stopped. Pauses are at least as long as the measurements, so that large trees cost no more than that. */
async function watch(
  folders: readonly string[],
  before: DiskUse,
  limit: number,
  signal: AbortSignal,
): Promise<boolean> {
  let pause = DISK_SAMPLE_MS;
  while (!signal.aborted) {
    await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    const began = performance.now();
    const { size, free } = await measureDisk(folders, signal);
    if (signal.aborted) return false;
    if (size - before.size > limit) return true;
    if (free < DISK_RESERVE_BYTES && before.free >= DISK_RESERVE_BYTES) return true;
    pause = Math.max(DISK_SAMPLE_MS, performance.now() - began);
  }
  return false;
}

/** Bytes on disk, hard links counted once, other file systems left out; NaN, which exceeds nothing, when it cannot be told. */
async function sizeOf(folders: readonly string[], signal: AbortSignal): Promise<number> {
  const { stdout } = await execa('du', ['-skx', '--', ...folders], {
    reject: false,
    cancelSignal: signal,
    stderr: 'ignore',
    stdin: 'ignore',
  });
  // It ends with 1 when a file goes away under it; the sums are printed all the same.
  const sums = (stdout ?? '').split('\n').map((line) => Number.parseInt(line, 10));
  return sums.length < folders.length ? Number.NaN : sums.reduce((sum, kib) => sum + kib * 1024, 0);
}

/** Of the fullest of their file systems, in bytes; infinite when it cannot be told. */
async function freeSpace(folders: readonly string[]): Promise<number> {
  const free = await Promise.all(
    folders.map((folder) =>
      statfs(folder).then(
        (found) => found.bavail * found.bsize,
        () => Number.POSITIVE_INFINITY,
      ),
    ),
  );
  return Math.min(...free);
}
