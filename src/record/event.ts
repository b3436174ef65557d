/** The events of a run's ledger. Append-only; each carries the hash of the one before. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export const EVENT_TYPES = [
  'run_created',
  'slots_seeded',
  'visit_scheduled',
  'visit_started',
  'slot_written',
  'edge_taken',
  'artifact_written',
  'agent_called',
  'tool_called',
  'tool_refused',
  'command_ran',
  'evidence_captured',
  'claim_checked',
  'github_write',
  'visit_ended',
  'visit_broke_off',
  'run_ended',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event before it has its place in the chain. `visit_id` is null for events of the run itself. */
export interface NewEvent {
  readonly type: EventType;
  readonly visit_id: string | null;
  readonly payload: { readonly [key: string]: Json };
}

export interface LedgerEvent extends NewEvent {
  readonly run_id: string;
  /** From 0, without gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch, from the clock that was passed in. */
  readonly at: number;
  /** `hash` of the event before; 64 zeros for the first. */
  readonly prev_hash: string;
  /** SHA-256 (hex) of the canonical JSON (RFC 8785) of all other fields. */
  readonly hash: string;
}
