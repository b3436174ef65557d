/** What the simulator keeps in memory: plain records, named as GitHub names them. */

export type Level = 'read' | 'write';
export type Permissions = Readonly<Record<string, Level>>;
export type RepositoryRole = 'admin' | 'write' | 'read' | 'none';

export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot' | 'Organization';
  /** Token of a user, as a person would make it in the settings. */
  readonly token: string;
}

/** A GitHub App: Inquest itself, GitHub Actions, or a third party that reports checks. */
export interface AppIdentity {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly owner: Account;
  readonly bot: Account;
  permissions: Permissions;
  events: readonly string[];
}

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

export interface Repository {
  readonly id: number;
  readonly owner: Account;
  readonly name: string;
  readonly private: boolean;
  readonly description: string | null;
  readonly defaultBranch: string;
  readonly createdAt: number;
  pushedAt: number;
  /** Absolute path of the bare repository. */
  readonly gitDir: string;
  readonly labels: Label[];
  readonly roles: Map<string, RepositoryRole>;
  /** Issues and pull requests share one sequence. */
  lastNumber: number;
}

export interface Reaction {
  readonly id: number;
  readonly user: Account;
  readonly content: string;
  readonly createdAt: number;
}

export interface Issue {
  readonly id: number;
  readonly number: number;
  readonly repository: Repository;
  readonly author: Account;
  readonly viaApp: AppIdentity | null;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  readonly labels: Label[];
  readonly reactions: Reaction[];
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  /** Set when the issue is a pull request. */
  readonly pull: PullRequest | null;
}

export interface PullRequest {
  readonly id: number;
  readonly headBranch: string;
  readonly baseBranch: string;
  headSha: string;
  baseSha: string;
}

export interface Comment {
  readonly id: number;
  readonly issue: Issue;
  readonly author: Account;
  readonly viaApp: AppIdentity | null;
  body: string;
  readonly reactions: Reaction[];
  readonly createdAt: number;
  updatedAt: number;
}

export type CheckStatus = 'queued' | 'in_progress' | 'completed';
export type Conclusion = 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required';

export interface CheckSuite {
  readonly id: number;
  readonly repository: Repository;
  readonly app: AppIdentity;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly before: string | null;
  status: CheckStatus;
  conclusion: Conclusion | null;
  readonly createdAt: number;
  updatedAt: number;
}

export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column: number | null;
  readonly end_column: number | null;
  readonly annotation_level: 'notice' | 'warning' | 'failure';
  readonly title: string | null;
  readonly message: string;
  readonly raw_details: string | null;
}

export interface CheckRun {
  readonly id: number;
  readonly suite: CheckSuite;
  name: string;
  externalId: string;
  detailsUrl: string | null;
  status: CheckStatus;
  conclusion: Conclusion | null;
  startedAt: number;
  completedAt: number | null;
  output: { title: string | null; summary: string | null; text: string | null };
  readonly annotations: Annotation[];
}

export interface CommitStatus {
  readonly id: number;
  readonly repository: Repository;
  readonly sha: string;
  readonly creator: Account;
  readonly state: 'error' | 'failure' | 'pending' | 'success';
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly createdAt: number;
}

export interface Step {
  readonly number: number;
  readonly name: string;
  status: CheckStatus;
  conclusion: Conclusion | null;
  startedAt: number | null;
  completedAt: number | null;
  /** This step's part of the log, for the zip of a whole run. */
  log: string;
}

export interface Job {
  /** The same number as its check run. */
  readonly id: number;
  readonly run: WorkflowRun;
  readonly checkRun: CheckRun;
  readonly name: string;
  readonly labels: readonly string[];
  readonly steps: Step[];
  readonly createdAt: number;
  /** Null until the job has ended. */
  log: Uint8Array | null;
}

export interface Artifact {
  readonly id: number;
  readonly run: WorkflowRun;
  readonly name: string;
  readonly zip: Uint8Array;
  readonly createdAt: number;
  expired: boolean;
}

export interface WorkflowRun {
  readonly id: number;
  readonly repository: Repository;
  readonly suite: CheckSuite;
  readonly workflow: { readonly id: number; readonly name: string; readonly path: string };
  readonly event: 'push' | 'pull_request';
  readonly runNumber: number;
  readonly actor: Account;
  readonly title: string;
  status: CheckStatus;
  conclusion: Conclusion | null;
  readonly createdAt: number;
  updatedAt: number;
  readonly jobs: Job[];
  readonly artifacts: Artifact[];
  /** `expired`: GitHub has removed the logs after the retention period. */
  logs: 'kept' | 'expired';
}

export interface Installation {
  readonly id: number;
  readonly account: Account;
  readonly app: AppIdentity;
  readonly repositories: Repository[];
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly createdAt: number;
}

export interface InstallationToken {
  readonly token: string;
  readonly installation: Installation;
  readonly repositories: readonly Repository[];
  readonly permissions: Permissions;
  readonly expiresAt: number;
}
