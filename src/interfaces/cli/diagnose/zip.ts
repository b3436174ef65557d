/** The files of a zip (a downloaded log archive or artifact), within limits: a zip is as hostile as what it holds. */
import { open } from 'node:fs/promises';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { type Bytes, type Input, unread } from './input.ts';
import { byPath, irrelevance, partsOfJobs } from './relevance.ts';
import { contentOf } from './sniff.ts';

const MAX_ENTRIES = 20_000;
const MAX_ENTRY_BYTES = 2 * 1024 ** 3;
/** Of all entries together, unpacked. Read as a stream: this bounds time, not memory. */
const MAX_TOTAL_BYTES = 4 * 1024 ** 3;
/** Of a zip that comes through a pipe; its directory is at its end, so it must be held whole. */
const MAX_PIPED_BYTES = 512 * 1024 ** 2;

const OPTIONS = { autoClose: false, lazyEntries: true, validateEntrySizes: true, strictFileNames: false } as const;

/** True when the file begins like a zip, whatever it is called. False when it cannot be read. */
export async function isZipFile(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
      return contentOf(buffer.subarray(0, bytesRead)) === 'zip';
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

/** The inputs of a zip on disk. Each must be read before the next one is asked for. */
export async function* zipFileInputs(path: string, name: string): AsyncGenerator<Input> {
  yield* zipInputs(name, () => openPromise(path, OPTIONS));
}

/** The inputs of a zip that comes as a stream. */
export async function* zipStreamInputs(bytes: Bytes, name: string): AsyncGenerator<Input> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(Uint8Array.from(chunk));
    length += chunk.length;
    if (length > MAX_PIPED_BYTES) {
      yield unread(
        'unreadable',
        name,
        `is a zip of more than ${MAX_PIPED_BYTES / 1024 ** 2} MiB; save it to a file first`,
      );
      return;
    }
  }
  yield* zipInputs(name, () => fromBufferPromise(Buffer.concat(chunks), OPTIONS));
}

async function* zipInputs(name: string, openZip: () => Promise<ZipFile>): AsyncGenerator<Input> {
  let zip: ZipFile | null = null;
  try {
    zip = await openZip();
    yield* entryInputs(zip, name, await readDirectory(zip));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    yield unread('unreadable', name, `is a damaged zip (${reason})`);
  } finally {
    zip?.close();
  }
}

async function readDirectory(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > MAX_ENTRIES) throw new Error(`it has ${zip.entryCount} entries, more than ${MAX_ENTRIES}`);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) entries.push(entry);
    if (entries.length > MAX_ENTRIES) throw new Error(`it has more than ${MAX_ENTRIES} entries`);
  }
  return entries;
}

function* entryInputs(zip: ZipFile, name: string, entries: readonly Entry[]): Generator<Input> {
  const files = entries.map((entry) => ({ path: entry.fileName, size: entry.uncompressedSize, entry })).sort(byPath);
  const parts = partsOfJobs(files);
  let total = 0;
  if (files.length === 0) yield unread('unreadable', name, 'is a zip with nothing in it');
  for (const { path, size, entry } of files) {
    const shown = `${name}/${path}`;
    const whole = parts.get(path);
    const reason = whole === undefined ? irrelevance(path) : `is part of ${whole}`;
    const problem = entryProblem(entry, total + size);
    if (reason !== null) yield unread('skipped', shown, reason);
    else if (problem !== null) yield unread('unreadable', shown, problem);
    else {
      total += size;
      yield { kind: 'readable', name: shown, named: false, open: () => zip.openReadStreamPromise(entry) };
    }
  }
}

function entryProblem(entry: Entry, totalWithIt: number): string | null {
  if (entry.isEncrypted()) return 'is encrypted';
  if (entry.uncompressedSize > MAX_ENTRY_BYTES) return `is larger than ${MAX_ENTRY_BYTES / 1024 ** 3} GiB`;
  if (totalWithIt > MAX_TOTAL_BYTES)
    return `is left out: the zip unpacks to more than ${MAX_TOTAL_BYTES / 1024 ** 3} GiB`;
  return null;
}
