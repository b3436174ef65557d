/** A run and its visits, as values. */
import type { Slots } from './slots.ts';

export const STATES = ['validate', 'strategy', 'impl', 'e2e', 'review', 'run', 'debug', 'publish'] as const;
export const TERMINALS = ['published', 'escalated', 'cancelled', 'failed'] as const;
export type State = (typeof STATES)[number];
export type Terminal = (typeof TERMINALS)[number];
export type Place = State | Terminal;

/** Which repository, and through which installation of the App it is reached. */
export interface RepoRef {
  readonly installation_id: number;
  readonly repo_id: number;
  readonly owner: string;
  readonly name: string;
}

export interface Run {
  /** `run_` and 16 hex digits; a hash of what the run is about, so that the same failure cannot start it twice. */
  readonly run_id: string;
  readonly repo: RepoRef;
  readonly head_sha: string;
  readonly head_branch: string | null;
  readonly pull_request: number | null;
  /** The issue that asked for the run, for entries `issue` and `command`. */
  readonly issue: number | null;
  /** 1, 2, …: later failures of the same SHA that no earlier run covered. */
  readonly generation: number;
  readonly slots: Slots;
  /** `running`, or where it ended. */
  readonly status: 'running' | Terminal;
  readonly flow_revision: string;
  /** How many visits were scheduled so far; the next visit's ordinal within its state derives from the visits. */
  readonly visits: readonly Visit[];
  readonly created_at: number;
  /** Counts commits; a commit with a stale version is refused. */
  readonly version: number;
}

export interface Visit {
  /** `<state>#<n>`, n from 1 within the run. A terminal state that has something to announce has one visit too. */
  readonly visit_id: string;
  readonly place: Place;
  readonly status: 'scheduled' | 'done';
}

/** The queue job's id: the same visit is never two jobs. */
export function jobIdOf(runId: string, visitId: string): string {
  return `${runId}:${visitId}`;
}
