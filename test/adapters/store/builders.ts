/** Runs and changes for store tests, as small as they can be. */

import type { Run } from '../../../src/pipeline/run.ts';
import { seedSlots } from '../../../src/pipeline/slots.ts';
import type { RunChange } from '../../../src/ports/store.ts';
import type { NewEvent } from '../../../src/record/event.ts';

export const REPO = { installation_id: 7, repo_id: 4_000_000_001, owner: 'acme', name: 'shop' } as const;

export function aRun(over: Partial<Run> = {}): Run {
  return {
    run_id: 'run_0000000000000001',
    repo: REPO,
    head_sha: 'a'.repeat(40),
    head_branch: 'fix/total',
    pull_request: 12,
    issue: null,
    generation: 1,
    slots: seedSlots({ entry: 'ci', mode: 'report', head_sha: 'a'.repeat(40) }),
    status: 'running',
    flow_revision: 'f'.repeat(64),
    visits: [{ visit_id: 'validate#1', place: 'validate', status: 'scheduled' }],
    created_at: 1_700_000_000_000,
    version: 0,
    ...over,
  };
}

export function anEvent(over: Partial<NewEvent> = {}): NewEvent {
  return { type: 'visit_started', visit_id: 'validate#1', payload: { attempt: 1 }, ...over };
}

export function aChange(run: Run, over: Partial<RunChange> = {}): RunChange {
  return { run, events: [anEvent()], artifacts: [], ...over };
}
