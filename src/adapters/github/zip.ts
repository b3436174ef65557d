/** Zips of logs and reports, read by their central directory and within bounds. */
import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { InquestError } from '../../errors.ts';
import { type ForgeLimits, sizeOf } from './limits.ts';

export interface ZipEntry {
  readonly name: string;
  /** Unpacked, in bytes. A file that turns out longer ends with an error. */
  readonly size: number;
  /** Why it is not unpacked; null when it can be. */
  readonly refusal: string | null;
  bytes(): AsyncIterable<Uint8Array>;
}

/** Files that unpack to less are not suspected. */
const RATIO_APPLIES_FROM = 1024 * 1024;

/** True when the content begins as a zip does. */
export function isZip(head: Uint8Array): boolean {
  const [first, second, third] = head;
  return first === 0x50 && second === 0x4b && (third === 0x03 || third === 0x05);
}

/** The files of the zip in the order of its directory. Throws `INPUT_UNREADABLE` for a damaged one or a zip bomb. */
export async function entriesOf(what: string, zip: Buffer, limits: ForgeLimits): Promise<readonly ZipEntry[]> {
  return reading(what, async () => {
    const file = await fromBufferPromise(zip, { lazyEntries: true, autoClose: false });
    if (file.entryCount > limits.zip_entries) {
      throw unreadable(what, `it holds ${file.entryCount} files, more than ${limits.zip_entries}`);
    }
    const listed: Entry[] = [];
    for await (const entry of file.eachEntry()) listed.push(entry);
    const shared = overlapping(listed);
    return listed.flatMap((entry): ZipEntry[] => {
      if (entry.fileName.endsWith('/') || !entry.canDecodeFileData()) return [];
      const refusal = shared.has(entry) ? `${entry.fileName} lies over another file` : refusalOf(entry, limits);
      const { fileName: name, uncompressedSize: size } = entry;
      return [{ name, size, refusal, bytes: () => unpack(what, file, entry, refusal) }];
    });
  });
}

/** Size of a local header without its name and extra field, in bytes. */
const LOCAL_HEADER = 30;

/** The entries that begin inside another: a small zip can so unpack to any size. */
function overlapping(entries: readonly Entry[]): ReadonlySet<Entry> {
  const found = new Set<Entry>();
  let end = 0;
  const inOrder = [...entries].sort(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  );
  for (const entry of inOrder) {
    const start = entry.relativeOffsetOfLocalHeader;
    if (start < end) found.add(entry);
    end = Math.max(end, start + LOCAL_HEADER + entry.fileNameLength + entry.compressedSize);
  }
  return found;
}

function refusalOf(entry: Entry, limits: ForgeLimits): string | null {
  const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
  if (entry.uncompressedSize > RATIO_APPLIES_FROM && ratio > limits.zip_ratio) {
    return `${entry.fileName} unpacks to ${Math.round(ratio)} times its size`;
  }
  if (entry.uncompressedSize <= limits.log_bytes) return null;
  return `${entry.fileName} unpacks to more than ${sizeOf(limits.log_bytes)}`;
}

async function* unpack(what: string, file: ZipFile, entry: Entry, refusal: string | null): AsyncGenerator<Uint8Array> {
  if (refusal !== null) throw unreadable(what, refusal);
  let stream: Readable | undefined;
  try {
    stream = await file.openReadStreamPromise(entry);
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    throw asUnreadable(what, error);
  } finally {
    stream?.destroy();
  }
}

async function reading<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnreadable(what, error);
  }
}

function asUnreadable(what: string, error: unknown): InquestError {
  if (error instanceof InquestError) return error;
  return unreadable(what, `the zip is damaged (${error instanceof Error ? error.message : String(error)})`, error);
}

function unreadable(what: string, why: string, cause?: unknown): InquestError {
  return new InquestError('INPUT_UNREADABLE', `Cannot read ${what}: ${why}.`, { cause });
}
