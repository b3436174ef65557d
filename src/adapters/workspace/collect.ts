/** Removes the folders of runs that do not go on: what a crash, or a release by another process, has left. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import { removeTree } from './remove-tree.ts';
import { sorted } from './tracked-files.ts';
import type { Turns } from './turns.ts';

/** Another process may have opened the folder since its runs were listed. */
const YOUNG_MS = 10 * 60_000;

/** Ids of the runs whose folders were removed, sorted. */
export async function collectRuns(
  running: ReadonlySet<string>,
  runs: string,
  turns: Turns,
  clock: Clock,
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const id of await readdir(runs).catch(() => [])) {
    if (running.has(id) || turns.isTaken(id)) continue;
    await turns.take(id, async () => {
      const found = await stat(join(runs, id)).catch(() => null);
      if (found === null || clock.now() - found.mtimeMs < YOUNG_MS) return;
      await removeTree(join(runs, id));
      removed.push(id);
    });
  }
  return sorted(removed);
}
