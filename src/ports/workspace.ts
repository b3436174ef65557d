/** Where the code of a run lies: a bare mirror per repository, a worktree per run at the exact SHA. */

export interface WorkspaceRequest {
  readonly run_id: string;
  readonly repo_id: number;
  readonly clone_url: string;
  /** Asked for each fetch; handed to git by askpass only. Null for a public or local repository. */
  token(): Promise<string | null>;
  readonly sha: string;
  readonly signal: AbortSignal;
}

export interface Workspace {
  /** Absolute path of the worktree. */
  readonly root: string;
  /** Absolute path of a writable folder of this run, outside the worktree. */
  readonly scratch: string;
  /** All tracked files, workspace-relative with forward slashes, sorted. */
  files(): Promise<readonly string[]>;
  /** Text of a tracked file, or null when there is none, a link leads to what is not tracked, it is binary or over 2 MiB. */
  read(path: string): Promise<string | null>;
  /** Makes every tracked file what it is in the commit again: changed, deleted and replaced ones. Untracked files stay. */
  restore(): Promise<void>;
  /** Calls `work` unless it has come to its end for this worktree before, in whichever process; others wait meanwhile. */
  setUpOnce(work: () => Promise<void>, signal: AbortSignal): Promise<void>;
}

export interface Workspaces {
  /** Idempotent: the same run gets the same worktree back. */
  prepare(request: WorkspaceRequest): Promise<Workspace>;
  /** Removes worktree and scratch of a run. Never fails on what is already gone. */
  release(runId: string): Promise<void>;
  /** Paths changed between the merge base with `base` and `sha`; sorted. */
  changedFiles(repoId: number, base: string, sha: string): Promise<readonly string[]>;
}
