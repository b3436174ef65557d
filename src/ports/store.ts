/** What the pipeline asks of a store. One schema, one set of migrations, two databases, one test suite. */
import type { Run } from '../pipeline/run.ts';
import type { Json, LedgerEvent, NewEvent } from '../record/event.ts';

/** A webhook delivery that was verified, authorised and found relevant: the fields that the work needs, nothing else. */
export interface Delivery {
  readonly delivery_id: string;
  /** Event and action, as `check_run.completed`. */
  readonly event: string;
  readonly command: Json;
}

/** All that one step of a run changes; written in one transaction, with its events appended to the ledger. */
export interface RunChange {
  /** The run as it is to be; `version` is the version it was read at. The store writes `version + 1`. */
  readonly run: Run;
  readonly events: readonly NewEvent[];
  readonly artifacts: readonly NewArtifact[];
}

export interface NewArtifact {
  /** `validate.md`, `debug.md`, `evidence/ev_…`, `packets.json`, … A later write replaces the earlier one of the name. */
  readonly name: string;
  readonly content: string;
}

export interface Store {
  /** Brings the schema up to date; safe to call from several processes at once. */
  migrate(): Promise<void>;
  close(): Promise<void>;

  /** `new` once an id; afterwards `known`. Durable when it resolves. */
  acceptDelivery(delivery: Delivery): Promise<'new' | 'known'>;
  findDelivery(deliveryId: string): Promise<Delivery | null>;
  finishDelivery(deliveryId: string): Promise<void>;
  /** Whether the delivery was accepted and its command is not carried out yet. */
  isUnfinished(deliveryId: string): Promise<boolean>;
  /** Accepted and not finished, oldest first. */
  unfinishedDeliveries(): Promise<readonly Delivery[]>;

  /** A head SHA that waits for its checks to complete. Idempotent; keeps the earliest `since`. Returns that `since` (ms since the epoch). */
  awaitChecks(wait: ChecksWait): Promise<number>;
  findWait(repoId: number, headSha: string): Promise<ChecksWait | null>;
  endWait(repoId: number, headSha: string): Promise<void>;
  openWaits(): Promise<readonly ChecksWait[]>;

  /**
   * Inserts the run with its first events, and marks `covers` (keys of failing checks) as covered by it.
   * `exists` when the run id is taken: nothing is changed then.
   */
  createRun(change: RunChange, covers: readonly string[]): Promise<'created' | 'exists'>;
  /** Which of the keys are covered by some run of this repository and SHA. */
  coveredChecks(repoId: number, headSha: string): Promise<readonly string[]>;
  findRun(runId: string): Promise<Run | null>;
  /** Newest first. */
  findRuns(filter: RunFilter): Promise<readonly Run[]>;
  /** `stale` when the run has changed since it was read: nothing is written then. */
  commit(change: RunChange): Promise<'committed' | 'stale'>;

  /** The whole ledger of a run, in order. */
  events(runId: string): Promise<readonly LedgerEvent[]>;
  artifact(runId: string, name: string): Promise<string | null>;
  artifactNames(runId: string): Promise<readonly string[]>;

  /** Remembers what a side effect outside the store produced (a comment's id), so that a retry finds it. */
  findEffect(key: string): Promise<Json | null>;
  recordEffect(key: string, result: Json): Promise<void>;
}

export interface ChecksWait {
  readonly installation_id: number;
  readonly repo_id: number;
  readonly owner: string;
  readonly name: string;
  readonly head_sha: string;
  readonly since: number;
}

export interface RunFilter {
  readonly repo_id?: number;
  readonly head_sha?: string;
  readonly pull_request?: number;
  readonly status?: 'running';
  /** Runs that still have something to do: running ones, and ended ones whose end is not announced yet. */
  readonly has_scheduled_visit?: true;
  readonly limit?: number;
}
