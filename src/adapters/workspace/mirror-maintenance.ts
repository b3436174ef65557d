/** Keeps mirrors from growing for ever: git packs them once a day, and one that no run uses any more goes. */
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InquestError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { git } from './git.ts';
import { withLock } from './lock.ts';
import { tidyMirror } from './mirror.ts';
import { removeTree } from './remove-tree.ts';

interface Owner {
  readonly clock: Clock;
  readonly logger: { warn(details: object, message: string): void };
}

const DAY_MS = 24 * 60 * 60_000;
const UNUSED_MS = 30 * DAY_MS;
/** A mirror that somebody fetches into just now has its turn another time. */
const LOCK_WAIT_MS = 1000;
const PACK_MS = 10 * 60_000;

/** Files whose times tell when; they lie in the mirror, so that they go with it. */
const USED = 'inquest-used';
const MAINTAINED = 'inquest-maintained';

export async function markUsed(mirror: string, clock: Clock): Promise<void> {
  await mark(join(mirror, USED), clock);
}

/** What goes wrong with one mirror is logged, and the others are still looked after. */
export async function maintainMirrors(places: { mirrors: string; runs: string }, owner: Owner): Promise<void> {
  const names = await readdir(places.mirrors).catch(() => []);
  for (const mirror of names.filter((name) => name.endsWith('.git')).map((name) => join(places.mirrors, name))) {
    try {
      const wait = AbortSignal.timeout(LOCK_WAIT_MS);
      if ((await ageOf(join(mirror, MAINTAINED), owner.clock)) < DAY_MS) continue;
      await withLock(`${mirror}.lock`, owner.clock, wait, () => maintain(mirror, places.runs, owner.clock));
    } catch (thrown) {
      if (thrown instanceof InquestError && thrown.code === 'CANCELLED') continue;
      owner.logger.warn({ mirror, err: thrown }, 'the mirror cannot be maintained; it is tried again later');
    }
  }
}

async function maintain(mirror: string, runs: string, clock: Clock): Promise<void> {
  const { signal } = new AbortController();
  await tidyMirror(mirror, runs, signal);
  const worktrees = await readdir(join(mirror, 'worktrees')).catch(() => []);
  const unused = await ageOf(join(mirror, USED), clock);
  if (worktrees.length === 0 && unused !== Number.POSITIVE_INFINITY && unused > UNUSED_MS) {
    await removeTree(mirror);
    return;
  }
  if (unused === Number.POSITIVE_INFINITY) await markUsed(mirror, clock);
  // Later settings win over the common ones, which keep git from packing in the middle of a run.
  const settings = ['gc.auto=2000', 'gc.autoDetach=false', 'gc.pruneExpire=2.weeks.ago'].flatMap((one) => ['-c', one]);
  await git({ cwd: mirror, args: [...settings, '--git-dir', mirror, 'gc', '--auto', '--quiet'], timeout: PACK_MS });
  await mark(join(mirror, MAINTAINED), clock);
}

async function mark(path: string, clock: Clock): Promise<void> {
  const now = new Date(clock.now());
  await writeFile(path, '');
  await utimes(path, now, now);
}

/** Milliseconds since the mark was set; infinite when it never was. */
async function ageOf(path: string, clock: Clock): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found === null ? Number.POSITIVE_INFINITY : clock.now() - found.mtimeMs;
}
