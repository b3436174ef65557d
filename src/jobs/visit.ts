/** The job of one visit: lets the state do its work, then records what came of it. Safe to be done twice. */
import { type InquestError, toInquestError } from '../errors.ts';
import { FLOW } from '../pipeline/flow.ts';
import type { Run, Visit } from '../pipeline/run.ts';
import type { VisitContext } from '../pipeline/states/state.ts';
import type { Job } from '../ports/queue.ts';
import type { NewEvent } from '../record/event.ts';
import { redact } from '../record/redact.ts';
import { advance } from './advance.ts';
import type { JobParts } from './parts.ts';
import { scheduledJobs } from './visit-job.ts';
import { watchRun } from './watch-run.ts';

/** Nothing happens when the visit is done already. What the state throws is thrown on: the queue decides about retries. */
export async function handleVisit(
  parts: JobParts,
  job: Extract<Job, { kind: 'visit' }>,
  stop: AbortSignal,
): Promise<void> {
  const run = await parts.store.findRun(job.run_id);
  const visit = run?.visits.find((one) => one.visit_id === job.visit_id);
  if (!run || !visit) return;
  // Done by an earlier attempt, which may have ended before what follows was queued.
  if (visit.status === 'done') return enqueueScheduled(parts, run);
  const started = parts.clock.now();
  const logger = parts.logger.child({ run_id: run.run_id, visit_id: visit.visit_id });
  logger.info('visit begins');
  const events: NewEvent[] = [
    { type: 'visit_started', visit_id: visit.visit_id, payload: { place: visit.place, started_at: started } },
  ];
  const watch = watchRun(parts.store, run.run_id, run.status, stop);
  try {
    const result = await parts.handlerOf(visit.place)(contextOf(parts, run, visit, events, watch.signal));
    const outcome = { kind: 'done', visit_id: visit.visit_id, sets: result.sets } as const;
    const after = await advance(parts, FLOW, run, { outcome, events, artifacts: result.artifacts });
    await releaseWhenOver(parts, after);
    logger.info({ ms: parts.clock.now() - started }, 'visit ends');
  } catch (thrown) {
    if (watch.cancelled()) {
      logger.info('visit stops: the run was cancelled');
      await releaseWhenOver(parts, (await parts.store.findRun(run.run_id)) ?? run);
      return;
    }
    await recordBreak(parts, run.run_id, visit, events, toInquestError(thrown));
    throw thrown;
  } finally {
    watch.stop();
  }
}

/** What a visit did before it broke off belongs to the record too; the queue decides whether it is tried again. */
async function recordBreak(
  parts: JobParts,
  runId: string,
  visit: Visit,
  events: readonly NewEvent[],
  error: InquestError,
): Promise<void> {
  const { code, message, retryable } = error;
  const broke: NewEvent = {
    type: 'visit_broke_off',
    visit_id: visit.visit_id,
    payload: { code, message: redact(message), retryable },
  };
  try {
    const run = await parts.store.findRun(runId);
    if (run !== null) await parts.store.commit({ run, events: [...events, broke], artifacts: [] });
  } catch (unrecorded) {
    // The error that counts is the visit's own; a store that is away is told in the log.
    parts.logger.warn({ run_id: runId, err: unrecorded }, 'a visit that broke off could not be recorded');
  }
}

/** Called when the visit has failed for good: the run ends in `failed`, which says nothing about the code. */
export async function failVisit(parts: JobParts, job: Extract<Job, { kind: 'visit' }>, thrown: Error): Promise<void> {
  const error = toInquestError(thrown);
  parts.logger.error({ run_id: job.run_id, visit_id: job.visit_id, code: error.code, err: error }, 'visit failed');
  const message = redact(error.hint === null ? error.message : `${error.message} ${error.hint}`);
  const outcome = { kind: 'failed', visit_id: job.visit_id, code: error.code, message } as const;
  const run = await parts.store.findRun(job.run_id);
  if (run === null) return;
  await releaseWhenOver(parts, await advance(parts, FLOW, run, { outcome, events: [], artifacts: [] }));
}

async function enqueueScheduled(parts: JobParts, run: Run): Promise<void> {
  for (const job of scheduledJobs(run)) await parts.queue.enqueue(job);
}

/** The worktree goes when nothing of the run is left to do. */
async function releaseWhenOver(parts: JobParts, run: Run): Promise<void> {
  if (run.visits.every((visit) => visit.status === 'done')) await parts.states.workspaces.release(run.run_id);
}

function contextOf(parts: JobParts, run: Run, visit: Visit, events: NewEvent[], signal: AbortSignal): VisitContext {
  return {
    run,
    visit,
    parts: parts.states,
    artifact: (name) => parts.store.artifact(run.run_id, name),
    endReason: async () => {
      const ended = (await parts.store.events(run.run_id)).find((event) => event.type === 'run_ended');
      return typeof ended?.payload.reason === 'string' ? ended.payload.reason : null;
    },
    record: (type, payload) => events.push({ type, visit_id: visit.visit_id, payload }),
    signal,
  };
}
