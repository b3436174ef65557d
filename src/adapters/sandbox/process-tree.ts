/** Looks at a process and all that it started, through `/proc`. On a system without it, the tree is the root alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { hasCode } from '../workspace/system-error.ts';

export interface TreeUsage {
  /** Every process of the tree, root first. */
  readonly pids: readonly number[];
  /** Threads of all of them; what the kernel counts as processes too. */
  readonly threads: number;
  /** Anonymous and shared memory that is resident; pages of files are not counted, because the kernel can drop them. */
  readonly memory_bytes: number;
}

/** The root and all its descendants. A process that is orphaned within a pid namespace stays in the tree: its init is the parent. */
export function processTree(root: number): readonly number[] {
  const children = childrenByParent();
  const found = [root];
  const seen = new Set(found);
  for (let index = 0; index < found.length; index++) {
    for (const pid of children.get(found[index] ?? 0) ?? []) {
      if (seen.has(pid)) continue;
      seen.add(pid);
      found.push(pid);
    }
  }
  return found;
}

export function usageOf(root: number): TreeUsage {
  const pids = processTree(root);
  let threads = 0;
  let memory = 0;
  for (const pid of pids) {
    const status = readProc(`/proc/${pid}/status`);
    threads += field(status, 'Threads');
    memory += (field(status, 'RssAnon') + field(status, 'RssShmem')) * 1024;
  }
  return { pids, threads, memory_bytes: memory };
}

/** Sends the signal to each; a process that has ended in the meantime is no error. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (thrown) {
      if (!hasCode(thrown, 'ESRCH')) throw thrown;
    }
  }
}

function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const entry of listProc()) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const parent = parentOf(readProc(`/proc/${pid}/stat`));
    if (parent === null) continue;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [pid]);
    else known.push(pid);
  }
  return children;
}

/** `pid (name) state ppid …`; the name may hold anything, so the last parenthesis counts. */
function parentOf(stat: string): number | null {
  const end = stat.lastIndexOf(')');
  const parent = end < 0 ? Number.NaN : Number(stat.slice(end + 2).split(' ', 2)[1]);
  return Number.isInteger(parent) ? parent : null;
}

function field(status: string, name: string): number {
  const start = status.indexOf(`\n${name}:`);
  return start < 0 ? 0 : Number.parseInt(status.slice(start + name.length + 2), 10) || 0;
}

function listProc(): readonly string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return []; // No /proc here (macOS): the tree is the root alone.
  }
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // The process has ended since it was listed.
  }
}
