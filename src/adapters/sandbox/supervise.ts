/** Runs one program to its end, within its limits: the part that all sandboxes share. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { SandboxLimits, SandboxResult } from '../../ports/sandbox.ts';
import { createCapture } from './capture.ts';
import type { Cgroup } from './cgroup.ts';
import { type DiskUse, measureDisk, watchDisk } from './disk.ts';
import { DISK_BYTES, FLOOD_FACTOR, GRACE_MS, SAMPLE_MS } from './limits.ts';
import { processTree, signalAll, usageOf } from './process-tree.ts';

export interface Supervised {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
  readonly cgroup: Cgroup | null;
  /** Where it may write on disk; what it adds to them is bounded together. */
  readonly folders: readonly string[];
  /** Further pipes, from file descriptor 3 on. */
  readonly pipes?: number;
  /** Called once the program runs, with its process. */
  started?(child: ChildProcess): void;
  /** Ends what signals to the tree cannot reach (a container). */
  end?(): void;
}

type Ending = SandboxResult['ended_by'];

/** The result of a command that never started because the caller had given up. */
export function cancelledResult(): SandboxResult {
  const empty = createCapture(0).result();
  return { ...empty, exit_code: null, signal: null, ended_by: 'cancelled', duration_ms: 0 };
}

/**
 * Resolves when the program has ended and its output is read. Over a limit, the whole tree gets SIGTERM, then SIGKILL.
 * Rejects only when the program cannot be started.
 */
export async function supervise(task: Supervised): Promise<SandboxResult> {
  // Before the command begins: what it writes at once counts too.
  const before = await measureDisk(task.folders, task.signal);
  return task.signal.aborted ? cancelledResult() : superviseFrom(task, before);
}

function superviseFrom(task: Supervised, before: DiskUse): Promise<SandboxResult> {
  const began = performance.now();
  const [program = '', ...args] = task.argv;
  const child = spawn(program, args, {
    cwd: task.cwd,
    env: { ...task.env },
    stdio: ['ignore', 'pipe', 'pipe', ...Array.from({ length: task.pipes ?? 0 }, () => 'pipe' as const)],
    detached: true,
  });
  const diskBytes = task.limits.disk_bytes ?? DISK_BYTES;
  const capture = createCapture(task.limits.output_bytes);
  let ending: Ending = 'exit';
  let kill: NodeJS.Timeout | null = null;

  function end(reason: Ending): void {
    if (ending !== 'exit') return;
    ending = reason;
    task.end?.();
    signalTree(child, 'SIGTERM');
    kill = setTimeout(
      () => signalTree(child, 'SIGKILL'),
      reason === 'timeout' || reason === 'cancelled' ? GRACE_MS : 0,
    );
  }

  function look(): void {
    if (child.pid === undefined) return;
    const usage = usageOf(child.pid);
    if ((task.cgroup?.oomKills() ?? 0) > 0 || usage.memory_bytes > task.limits.memory_bytes) end('memory');
    else if (usage.threads > task.limits.processes + OWN_PROCESSES) end('processes');
  }

  function take(stream: Readable | null, keep: (chunk: Uint8Array) => void): void {
    stream?.on('data', (chunk: Buffer) => {
      keep(chunk);
      if (capture.dropped > task.limits.output_bytes * FLOOD_FACTOR) end('output');
    });
  }

  take(child.stdout, capture.stdout);
  take(child.stderr, capture.stderr);
  const abort = () => end('cancelled');
  task.signal.addEventListener('abort', abort, { once: true });
  const wall = setTimeout(() => end('timeout'), task.limits.wall_ms);
  const sampling = setInterval(look, SAMPLE_MS);
  const stopMeasuring = watchDisk(task.folders, before, diskBytes, () => end('disk'));

  return new Promise<SandboxResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => task.started?.(child));
    // A grandchild that outlives the command may hold the pipes open: it is ended with it.
    child.once('exit', () => signalTree(child, 'SIGKILL'));
    child.once('close', (exit_code, signal) => {
      const ended_by = ending === 'exit' ? endingByKernel(task, exit_code, signal) : ending;
      const duration_ms = Math.round(performance.now() - began);
      resolve({ ...capture.result(), exit_code, signal, ended_by, duration_ms });
    });
  }).finally(async () => {
    clearTimeout(wall);
    clearInterval(sampling);
    if (kill !== null) clearTimeout(kill);
    task.signal.removeEventListener('abort', abort);
    await stopMeasuring();
  });
}

/** 128 + SIGXFSZ, as shells and sandboxes report it: a file reached the largest size that one may have. */
const FILE_TOO_LARGE = 153;

function endingByKernel(task: Supervised, exit_code: number | null, signal: string | null): Ending {
  if ((task.cgroup?.oomKills() ?? 0) > 0) return 'memory';
  return exit_code === FILE_TOO_LARGE || signal === 'SIGXFSZ' ? 'disk' : 'exit';
}

/** The sandbox program and its init are not the command's doing. */
const OWN_PROCESSES = 2;

/** The process group, and every descendant that has left it. */
function signalTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  const [root, ...descendants] = processTree(child.pid);
  signalAll(descendants, signal);
  // On SIGTERM the sandbox program stays alive while its command winds up.
  if (signal === 'SIGKILL' || descendants.length === 0) signalAll([-(root ?? child.pid)], signal);
}
