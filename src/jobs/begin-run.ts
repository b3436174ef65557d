/** Starts a run: its id is a hash of what it is about, so that the same reason starts it once. */
import { FLOW, flowRevision } from '../pipeline/flow.ts';
import { start } from '../pipeline/reducer.ts';
import type { RepoRef, Run } from '../pipeline/run.ts';
import { type Entry, seedSlots } from '../pipeline/slots.ts';
import { shortId } from '../record/canonical.ts';
import type { Json } from '../record/event.ts';
import { cancelRuns } from './cancel.ts';
import type { JobParts } from './parts.ts';
import { visitJob } from './visit-job.ts';

export interface RunSeed {
  /** What makes the run this one and no other. */
  readonly about: { readonly [key: string]: Json };
  readonly repo: RepoRef;
  readonly head_sha: string;
  readonly head_branch: string | null;
  readonly pull_request: number | null;
  readonly issue: number | null;
  readonly generation: number;
  readonly entry: Entry;
  /** Keys of the failing checks that this run answers for. */
  readonly covers: readonly string[];
}

/** Stores the run and queues its first visit. Doing it again changes nothing. Older runs of the pull request are cancelled. */
export async function beginRun(parts: JobParts, seed: RunSeed): Promise<void> {
  const { about, covers, entry, ...facts } = seed;
  const run: Run = {
    ...facts,
    run_id: shortId('run', about),
    slots: seedSlots({ entry, mode: 'report', head_sha: seed.head_sha }),
    status: 'running',
    flow_revision: flowRevision(FLOW),
    visits: [],
    created_at: parts.clock.now(),
    version: 0,
  };
  const step = start(FLOW, run);
  const created = await parts.store.createRun({ run: step.run, events: step.events, artifacts: [] }, covers);
  parts.logger.info({ run_id: run.run_id, head_sha: run.head_sha, created }, 'run');
  if (run.pull_request !== null && created === 'created') {
    const reason = `a newer run ${run.run_id} took over`;
    await cancelRuns(parts, run.repo.repo_id, run.pull_request, { keep_sha: null, keep_run: run.run_id, reason });
  }
  for (const visit of step.next) await parts.queue.enqueue(visitJob(run.run_id, visit.visit_id));
}
