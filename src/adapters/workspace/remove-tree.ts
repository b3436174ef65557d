/** Removes a folder that untrusted code has written into. */
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Never fails on what is already gone. Folders without permissions are opened up first; links are not followed. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await openUp(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function openUp(root: string): Promise<void> {
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const found = await lstat(folder).catch(() => null);
    if (found === null || !found.isDirectory()) continue;
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) pending.push(join(folder, entry.name));
    }
  }
}
