/** The files of a folder, in an order that does not depend on the machine. Links are not followed. */
import { createReadStream } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { problemOf } from '../file-problem.ts';
import { type Input, unread } from './input.ts';
import { byPath, irrelevance, isForeignFolder, type ListedFile, partsOfJobs } from './relevance.ts';
import { isZipFile, zipFileInputs } from './zip.ts';

const MAX_FILES = 20_000;
const MAX_DEPTH = 32;

interface Listing {
  readonly files: ListedFile[];
  readonly passed: Input[];
}

/** Every file of the folder: readable, or with the reason why it is not read. `name` is what the folder is called. */
export async function* folderInputs(path: string, name: string): AsyncGenerator<Input> {
  const listing: Listing = { files: [], passed: [] };
  await list(path, name, '', 0, listing);
  yield* listing.passed;
  listing.files.sort(byPath);
  const parts = partsOfJobs(listing.files);
  for (const { path: inside } of listing.files) {
    const [full, shown] = [join(path, inside), `${name}/${inside}`];
    const whole = parts.get(inside);
    const reason = whole === undefined ? irrelevance(inside) : `is part of ${whole}`;
    if (reason !== null) yield unread('skipped', shown, reason);
    else if (await isZipFile(full)) yield* zipFileInputs(full, shown);
    else yield { kind: 'readable', name: shown, named: false, open: () => createReadStream(full) };
  }
}

async function list(root: string, name: string, inside: string, depth: number, listing: Listing): Promise<void> {
  const shown = inside === '' ? name : `${name}/${inside}`;
  if (depth > MAX_DEPTH) {
    listing.passed.push(unread('unreadable', shown, `lies more than ${MAX_DEPTH} folders deep`));
    return;
  }
  try {
    for await (const entry of await opendir(join(root, inside))) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory() && !isForeignFolder(entry.name)) await list(root, name, path, depth + 1, listing);
      else if (entry.isDirectory()) listing.passed.push(unread('skipped', `${name}/${path}`, 'holds installed files'));
      else if (!entry.isFile()) listing.passed.push(unread('skipped', `${name}/${path}`, 'is a link or no file'));
      else if (listing.files.length < MAX_FILES)
        listing.files.push({ path, size: (await lstat(join(root, path))).size });
      else
        return void listing.passed.push(
          unread('unreadable', shown, `has more than ${MAX_FILES} files; the rest was not read`),
        );
    }
  } catch (error) {
    listing.passed.push(unread('unreadable', shown, problemOf(error)));
  }
}
