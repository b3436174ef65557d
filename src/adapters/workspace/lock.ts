/** A lock between processes: a file that names its owner. An owner that has died holds nothing. */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { InquestError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { hasCode } from './system-error.ts';

const POLL_MS = 25;
const HEARTBEAT_MS = 5000;
/** An owner on another machine is known by its heartbeat only. */
const SILENT_MS = 60_000;

const ownerSchema = z.object({ id: z.string(), host: z.string(), pid: z.int(), started: z.string() });
type Owner = z.infer<typeof ownerSchema>;

/** Ids of the locks that this process holds: a lock with our pid that is not among them is left over from a restart. */
const held = new Set<string>();

/** Runs `work` while no other holder of `path` does, here or in another process. Throws `CANCELLED` while it waits. */
export async function withLock<Result>(
  path: string,
  clock: Clock,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const id = await acquire(path, clock, signal);
  const heartbeat = setInterval(() => void beat(path), HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    held.delete(id);
    await removeIfOwned(path, id);
  }
}

async function acquire(path: string, clock: Clock, signal: AbortSignal): Promise<string> {
  const id = randomUUID();
  const owner: Owner = { id, host: hostname(), pid: process.pid, started: await startOf(process.pid) };
  const draft = `${path}.${id}`;
  await writeFile(draft, JSON.stringify(owner));
  // Before the lock exists: a waiter in this process must not take it for one that a restart left behind.
  held.add(id);
  try {
    while (!(await place(draft, path))) {
      if (signal.aborted) throw new InquestError('CANCELLED', `gave up waiting for the lock ${path}`);
      await removeIfStale(path, clock);
      await delay(POLL_MS);
    }
    return id;
  } catch (thrown) {
    held.delete(id);
    throw thrown;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Linking is atomic, and the file is complete when it appears. */
async function place(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) return false;
    throw thrown;
  }
}

async function removeIfStale(path: string, clock: Clock): Promise<void> {
  const owner = await readOwner(path);
  if (owner === null || (await isAlive(owner, path, clock))) return;
  await removeIfOwned(path, owner.id);
}

/** Moves the lock away first, so that of several who saw a dead owner only one removes it; a live one goes back. */
async function removeIfOwned(path: string, id: string): Promise<void> {
  if ((await readOwner(path))?.id !== id) return;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return;
    throw thrown;
  }
  if ((await readOwner(aside))?.id !== id) await place(aside, path);
  await rm(aside, { force: true });
}

async function isAlive(owner: Owner, path: string, clock: Clock): Promise<boolean> {
  if (owner.host !== hostname()) {
    const found = await stat(path).catch(() => null);
    return found !== null && clock.now() - found.mtimeMs < SILENT_MS;
  }
  if (owner.pid === process.pid) return held.has(owner.id);
  try {
    process.kill(owner.pid, 0);
  } catch (thrown) {
    return !hasCode(thrown, 'ESRCH');
  }
  return (await startOf(owner.pid)) === owner.started;
}

/** Start time of a process in kernel ticks, so that a reused pid is seen; empty where there is no `/proc`. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

async function readOwner(path: string): Promise<Owner | null> {
  try {
    return ownerSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return null;
    throw new InquestError('WORKSPACE_FAILED', `the lock ${path} cannot be read`, {
      hint: 'Remove the file when no Inquest process runs.',
      cause: thrown,
    });
  }
}

async function beat(path: string): Promise<void> {
  const now = new Date();
  // Gone when the work has just ended.
  await utimes(path, now, now).catch(() => undefined);
}
