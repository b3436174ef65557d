/** Applies an outcome to a run, stores everything in one transaction, and queues what comes next. */

import { InquestError } from '../errors.ts';
import type { Flow } from '../pipeline/flow.ts';
import { type Outcome, reduce } from '../pipeline/reducer.ts';
import type { NewArtifact } from '../ports/store.ts';
import type { NewEvent } from '../record/event.ts';
import type { JobParts } from './parts.ts';
import { visitJob } from './visit.ts';

export interface VisitRecord {
  readonly outcome: Outcome;
  /** What happened during the visit, before the reducer's own events. */
  readonly events: readonly NewEvent[];
  readonly artifacts: readonly NewArtifact[];
}

/** Parallel visits commit to the same run; each tries again on the newest version. The reducer makes that safe. */
const MOST_TRIES = 20;

/** Throws `STORE_FAILED` when the run keeps changing under it, or is gone. */
export async function advance(
  parts: Pick<JobParts, 'store' | 'queue'>,
  flow: Flow,
  runId: string,
  record: VisitRecord,
): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const run = await parts.store.findRun(runId);
    if (run === null) throw new InquestError('STORE_FAILED', `Run ${runId} is not in the store.`);
    const step = reduce(flow, run, record.outcome);
    if (step.run === run) return;
    const change = { run: step.run, events: [...record.events, ...step.events], artifacts: record.artifacts };
    if ((await parts.store.commit(change)) === 'stale') continue;
    for (const visit of step.next) await parts.queue.enqueue(visitJob(runId, visit.visit_id));
    return;
  }
  throw new InquestError('STORE_FAILED', `Run ${runId} changed ${MOST_TRIES} times while it was written.`, {
    retryable: true,
  });
}
