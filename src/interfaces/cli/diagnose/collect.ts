/** From the paths on the command line to inputs: files, folders, zips, and `-` for stdin. */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { problemOf } from '../file-problem.ts';
import type { Shell } from '../shell.ts';
import { folderInputs } from './folder.ts';
import { type Input, unread } from './input.ts';
import { isZipFile, zipFileInputs } from './zip.ts';

export const STDIN = '-';
const STDIN_NAME = 'stdin';

/** Everything the paths name, in their order; what two of them name is given once. Read each input before the next. */
export async function* collectInputs(paths: readonly string[], shell: Shell): AsyncGenerator<Input> {
  const seen = new Set<string>();
  for (const path of paths) {
    if (path === STDIN) {
      if (!seen.has(STDIN)) yield { kind: 'readable', name: STDIN_NAME, named: true, open: () => shell.stdin };
      seen.add(STDIN);
      continue;
    }
    yield* pathInputs(resolve(shell.cwd, path), nameOf(path), seen);
  }
}

async function* pathInputs(path: string, name: string, seen: Set<string>): AsyncGenerator<Input> {
  try {
    const real = await realpath(path);
    if (seen.has(real)) return;
    seen.add(real);
    const found = await stat(path);
    if (found.isDirectory()) yield* folderInputs(path, name);
    else if (found.isFile() && (await isZipFile(path))) yield* zipFileInputs(path, name);
    // A pipe is welcome too: `inquest diagnose <(make test)`.
    else yield { kind: 'readable', name, named: true, open: () => createReadStream(path) };
  } catch (error) {
    yield unread('unreadable', name, problemOf(error));
  }
}

/** As typed, with forward slashes and no slash at the end. */
function nameOf(path: string): string {
  const forward = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return forward.replace(/(?<=[^/])\/+$/, '');
}
