/** Job → the function that does it, and what happens when it failed for good. */
import { toInquestError } from '../errors.ts';
import type { Job, JobHandler } from '../ports/queue.ts';
import { handleDelivery } from './delivery.ts';
import type { JobParts } from './parts.ts';
import { handleSettle } from './settle.ts';
import { failVisit, handleVisit } from './visit.ts';

export function createJobHandler(parts: JobParts): JobHandler {
  return {
    async handle(job: Job, signal: AbortSignal) {
      switch (job.kind) {
        case 'delivery':
          return handleDelivery(parts, job.delivery_id);
        case 'settle':
          return handleSettle(parts, job.repo_id, job.head_sha, job.look);
        case 'visit':
          return handleVisit(parts, job, signal);
      }
    },

    async failed(job: Job, thrown: Error) {
      if (job.kind === 'visit') return failVisit(parts, job, thrown);
      const error = toInquestError(thrown);
      parts.logger.error({ job: job.id, code: error.code, err: error }, 'job failed');
      // What only GitHub or the database kept from being done is taken up again by the next sweep.
      if (error.retryable) return;
      if (job.kind === 'delivery') await parts.store.finishDelivery(job.delivery_id);
      if (job.kind === 'settle') await parts.store.endWait(job.repo_id, job.head_sha);
    },
  };
}
