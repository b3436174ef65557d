/** The queue jobs of visits. */
import { jobIdOf, type Run } from '../pipeline/run.ts';
import type { Job } from '../ports/queue.ts';

export function visitJob(run_id: string, visit_id: string): Job {
  return { kind: 'visit', id: jobIdOf(run_id, visit_id), run_id, visit_id };
}

/** One job for each visit that the run has still to make. */
export function scheduledJobs(run: Run): Job[] {
  const scheduled = run.visits.filter((visit) => visit.status === 'scheduled');
  return scheduled.map((visit) => visitJob(run.run_id, visit.visit_id));
}
