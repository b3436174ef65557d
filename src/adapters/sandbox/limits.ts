/** Limits of one command: from the configuration, and how long the endings take. */
import type { SandboxLimits } from '../../ports/sandbox.ts';

const MIB = 1024 * 1024;

interface ConfiguredLimits {
  readonly timeout_seconds: number;
  readonly memory_mb: number;
  readonly processes: number;
  readonly output_mb: number;
}

/** `timeoutSeconds` replaces the common time limit: a suite may have its own. */
export function sandboxLimits(limits: ConfiguredLimits, timeoutSeconds = limits.timeout_seconds): SandboxLimits {
  return {
    wall_ms: timeoutSeconds * 1000,
    memory_bytes: limits.memory_mb * MIB,
    processes: limits.processes,
    output_bytes: limits.output_mb * MIB,
  };
}

/** From SIGTERM to SIGKILL, in milliseconds. */
export const GRACE_MS = 2000;

/** How often memory and processes of the tree are looked at, in milliseconds. */
export const SAMPLE_MS = 100;

/** A command that prints this many times its output limit is ended: it will not come to an end by itself. */
export const FLOOD_FACTOR = 8;

/** What one command may add to worktree and scratch, in bytes. */
export const DISK_BYTES = 4 * 1024 * MIB;

/** Pause between two measurements of the folders; they take longer than a look at processes. */
export const DISK_SAMPLE_MS = 1000;

/** The file system of the data folder is never filled beyond this, whatever the command's own limit. */
export const DISK_RESERVE_BYTES = 256 * MIB;
