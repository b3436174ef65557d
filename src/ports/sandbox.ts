/** What runs commands that nobody trusts: tests of a pull request. Three adapters: bubblewrap, container, host. */

export interface SandboxLimits {
  readonly wall_ms: number;
  readonly memory_bytes: number;
  readonly processes: number;
  /** Of stdout and stderr each; what is over is dropped and counted. */
  readonly output_bytes: number;
  /** What the command may add to worktree and scratch, and the size of any one file. Default: 4 GiB. */
  readonly disk_bytes?: number;
}

export interface SandboxRequest {
  /** Program and arguments; never a shell string. */
  readonly argv: readonly string[];
  /** Absolute path of the worktree. The command starts in `cwd`, relative to it. */
  readonly workspace: string;
  readonly cwd: string;
  /** Absolute path of a folder, the command's HOME and TMPDIR. */
  readonly scratch: string;
  /** `read-only`: what the command writes to worktree and scratch lands in copies that are thrown away. */
  readonly workspace_access: 'read-write' | 'read-only';
  /** The whole environment of the command, beside PATH, HOME, TMPDIR, LANG=C.UTF-8, TZ=UTC, CI=true that the sandbox sets. */
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
  /** Further absolute paths to show read-only (a probe script, say). */
  readonly show?: readonly string[];
}

export interface SandboxResult {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly ended_by: 'exit' | 'timeout' | 'output' | 'memory' | 'processes' | 'disk' | 'cancelled';
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** stdout and stderr in the order they came. */
  readonly combined: Uint8Array;
  readonly dropped_bytes: number;
  readonly duration_ms: number;
}

export interface Sandbox {
  readonly kind: 'bubblewrap' | 'container' | 'host';
  /** Throws `SANDBOX_UNAVAILABLE`, with what to install or allow, when it cannot work on this machine. */
  check(): Promise<void>;
  /** A command that fails is a result, not an error. */
  run(request: SandboxRequest): Promise<SandboxResult>;
}
