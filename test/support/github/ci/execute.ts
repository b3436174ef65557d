/** Placeholder until next commit. */
import type { Job } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import type { JobOutcome, JobPlan, RunPlan } from './lifecycle.ts';
import type { Workflow } from './workflow.ts';

export async function executeJob(
  _sim: Simulation,
  _task: { job: Job; plan: JobPlan; run: RunPlan; workflow: Workflow; signal: AbortSignal },
): Promise<JobOutcome> {
  return { conclusion: 'failure', log: null, annotations: [], artifacts: [] };
}
