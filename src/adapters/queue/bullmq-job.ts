/** Jobs as BullMQ keeps them: their ids, and the check of what comes back out of Redis. */
import { z } from 'zod';
import type { Job } from '../../ports/queue.ts';

const id = z.string().min(1);

export const jobSchema: z.ZodType<Job> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('delivery'), id, delivery_id: z.string() }),
  z.object({ kind: z.literal('settle'), id, repo_id: z.int(), head_sha: z.string(), look: z.int().min(0) }),
  z.object({ kind: z.literal('visit'), id, run_id: z.string(), visit_id: z.string() }),
]);

/** BullMQ takes no `:` and no bare number as an id. `decodeURIComponent` of what follows `job-` gives ours back. */
export function bullIdOf(jobId: string): string {
  return `job-${jobId.replaceAll('%', '%25').replaceAll(':', '%3A')}`;
}
