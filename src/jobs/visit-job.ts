/** The queue job of a visit. */
import { jobIdOf } from '../pipeline/run.ts';
import type { Job } from '../ports/queue.ts';

export function visitJob(run_id: string, visit_id: string): Job {
  return { kind: 'visit', id: jobIdOf(run_id, visit_id), run_id, visit_id };
}
