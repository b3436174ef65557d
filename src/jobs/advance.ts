/** Applies an outcome to a run, stores everything in one transaction, and queues what comes next. */

import { InquestError } from '../errors.ts';
import type { Flow } from '../pipeline/flow.ts';
import { type Outcome, reduce } from '../pipeline/reducer.ts';
import type { Run } from '../pipeline/run.ts';
import type { NewArtifact } from '../ports/store.ts';
import type { NewEvent } from '../record/event.ts';
import type { JobParts } from './parts.ts';
import { visitJob } from './visit-job.ts';

export interface VisitRecord {
  readonly outcome: Outcome;
  /** What happened during the visit, before the reducer's own events. */
  readonly events: readonly NewEvent[];
  readonly artifacts: readonly NewArtifact[];
}

/** Parallel visits commit to the same run; each tries again on the newest version. The reducer makes that safe. */
const MOST_TRIES = 20;

/** `run` is as it was read last; the run as it is now is returned. Throws `STORE_FAILED` when the run keeps changing under it, or is gone. */
export async function advance(
  parts: Pick<JobParts, 'store' | 'queue'>,
  flow: Flow,
  run: Run,
  record: VisitRecord,
): Promise<Run> {
  const { run_id } = run;
  let current: Run | null = run;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (current === null) throw new InquestError('STORE_FAILED', `Run ${run_id} is not in the store.`);
    const step = reduce(flow, current, record.outcome);
    if (step.run === current) return current;
    const change = { run: step.run, events: [...record.events, ...step.events], artifacts: record.artifacts };
    if ((await parts.store.commit(change)) === 'committed') {
      for (const visit of step.next) await parts.queue.enqueue(visitJob(run_id, visit.visit_id));
      return step.run;
    }
    current = await parts.store.findRun(run_id);
  }
  throw new InquestError('STORE_FAILED', `Run ${run_id} changed ${MOST_TRIES} times while it was written.`, {
    retryable: true,
  });
}
