/** Runs, visits and events as rows, and back; what comes back is checked. */
import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import { type Run, STATES, TERMINALS, type Visit } from '../../pipeline/run.ts';
import { slotsSchema } from '../../pipeline/slots.ts';
import { EVENT_TYPES, type Json, type LedgerEvent } from '../../record/event.ts';
import type { Tables } from './schema.ts';

type RunRow = Selectable<Tables['runs']>;
type VisitRow = Selectable<Tables['visits']>;
type EventRow = Selectable<Tables['events']>;

export const jsonSchema: z.ZodType<Json> = z.json();
const payloadSchema = z.record(z.string(), jsonSchema);
const eventTypeSchema = z.enum(EVENT_TYPES);
const placeSchema = z.enum([...STATES, ...TERMINALS]);
const visitStatusSchema = z.enum(['scheduled', 'done']);
const runStatusSchema = z.enum(['running', ...TERMINALS]);

/** The row of a run at a version. */
export function runToRow(run: Run, version: number): Insertable<Tables['runs']> {
  return {
    run_id: run.run_id,
    ...run.repo,
    head_sha: run.head_sha,
    head_branch: run.head_branch,
    pull_request: run.pull_request,
    issue: run.issue,
    generation: run.generation,
    slots_json: JSON.stringify(run.slots),
    status: run.status,
    flow_revision: run.flow_revision,
    created_at: run.created_at,
    version,
  };
}

/** @param visits the rows of this run, by position */
export function runFromRow(row: RunRow, visits: readonly VisitRow[]): Run {
  const { installation_id, repo_id, owner, name, slots_json, status, ...rest } = row;
  return {
    ...rest,
    repo: { installation_id, repo_id, owner, name },
    slots: slotsSchema.parse(JSON.parse(slots_json)),
    status: runStatusSchema.parse(status),
    visits: visits.map(visitFromRow),
  };
}

export function visitsToRows(run: Run): Insertable<Tables['visits']>[] {
  return run.visits.map(({ visit_id, place, status }, position) => ({
    run_id: run.run_id,
    visit_id,
    position,
    place,
    status,
  }));
}

function visitFromRow({ visit_id, place, status }: VisitRow): Visit {
  return { visit_id, place: placeSchema.parse(place), status: visitStatusSchema.parse(status) };
}

export function eventToRow(event: LedgerEvent): Insertable<Tables['events']> {
  const { run_id, seq, type, visit_id, at, payload, prev_hash, hash } = event;
  return { run_id, seq, type, visit_id, at, payload_json: JSON.stringify(payload), prev_hash, hash };
}

export function eventFromRow({ payload_json, type, ...rest }: EventRow): LedgerEvent {
  return { ...rest, type: eventTypeSchema.parse(type), payload: payloadSchema.parse(JSON.parse(payload_json)) };
}
