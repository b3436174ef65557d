/** What the pipeline asks of GitHub. The adapter is made of Octokit; tests run it against the simulator. */
import type { RepoRef } from '../pipeline/run.ts';

/** One failing (or still running) check of a head SHA, whatever GitHub calls it. */
export interface Check {
  /** `check_run:<id>` or `status:<context>:<id>`: stable across redeliveries, new for a re-run. */
  readonly key: string;
  readonly source: 'check_run' | 'status';
  readonly name: string;
  readonly state: 'running' | 'passed' | 'failed';
  /** Page of the check for people. */
  readonly url: string | null;
  /** GitHub Actions job id when the check is an Actions job. */
  readonly job_id: number | null;
  readonly workflow_run_id: number | null;
}

export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly head_sha: string;
  readonly head_branch: string;
  readonly base_branch: string;
  readonly base_sha: string;
  /** True when head and base are different repositories. */
  readonly fork: boolean;
}

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  /** Whether the repository counts its author among those who may write: anybody may open an issue. */
  readonly author_may_write: boolean;
}

/** One input for the parsers, or the reason why there is none: it is said in the report. */
export type Evidence =
  | {
      readonly name: string;
      readonly origin: 'job_log' | 'annotations' | 'artifact';
      readonly check_key: string | null;
      readonly bytes: () => AsyncIterable<Uint8Array>;
    }
  | { readonly name: string; readonly origin: 'job_log' | 'annotations' | 'artifact'; readonly missing: string };

export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly title: string;
  readonly message: string;
}

export interface CheckReport {
  /** The run id: finds the check run again after a crash. */
  readonly external_id: string;
  readonly head_sha: string;
  readonly status: 'in_progress' | 'completed';
  readonly conclusion: 'neutral' | 'success' | 'cancelled' | null;
  readonly title: string;
  readonly summary: string;
  /** Posted in batches of 50. */
  readonly annotations: readonly Annotation[];
}

export interface Written {
  readonly id: number;
  readonly url: string;
}

export interface Forge {
  /** Every check run and commit status of the SHA but Inquest's own; the newest of each name only. */
  checks(repo: RepoRef, sha: string): Promise<readonly Check[]>;
  /** Logs (plain, or from the zip), annotations, and JUnit XML / CTRF artifacts of the failing checks. Lazy: bytes are fetched when read. */
  evidence(repo: RepoRef, failing: readonly Check[]): Promise<readonly Evidence[]>;
  /** The open pull request whose head is the SHA, lowest number first; null when there is none. */
  pullRequestOf(repo: RepoRef, sha: string): Promise<PullRequest | null>;
  pullRequest(repo: RepoRef, number: number): Promise<PullRequest | null>;
  issue(repo: RepoRef, number: number): Promise<Issue | null>;
  defaultBranch(repo: RepoRef): Promise<string>;
  headOf(repo: RepoRef, branch: string): Promise<string | null>;
  /** Branches of this repository (not of a fork) whose head is the SHA, sorted. */
  branchesAt(repo: RepoRef, sha: string): Promise<readonly string[]>;
  /** Text of a file at a ref, or null. */
  file(repo: RepoRef, path: string, ref: string): Promise<string | null>;
  permission(repo: RepoRef, login: string): Promise<'admin' | 'write' | 'read' | 'none'>;
  /** Acknowledges a comment; doing it twice changes nothing. */
  react(repo: RepoRef, commentId: number, content: 'eyes' | '+1' | 'confused' | 'rocket'): Promise<void>;
  /** Creates the comment or updates the one of ours that carries `marker` (an HTML comment, part of `body`). */
  upsertComment(repo: RepoRef, number: number, marker: string, body: string): Promise<Written>;
  /** Creates or updates the check run named `Inquest` with the external id. */
  upsertCheckRun(repo: RepoRef, report: CheckReport): Promise<Written>;
  /** Creates the issue, or updates the open one of ours that carries `marker`. */
  upsertIssue(repo: RepoRef, marker: string, title: string, body: string): Promise<Written>;
  /** URL without credentials, and a token that is good for at least five minutes. */
  cloneUrl(repo: RepoRef): Promise<string>;
  cloneToken(repo: RepoRef): Promise<string>;
}
