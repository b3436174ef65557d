/** At start: puts back into the queue whatever a dead process left undone. Job ids make it harmless for live ones. */
import { deliveryJob } from './delivery-job.ts';
import type { JobParts } from './parts.ts';
import { settleJob } from './settle.ts';
import { scheduledJobs } from './visit-job.ts';

/** Returns how many jobs were put back. */
export async function resume({ store, queue }: Pick<JobParts, 'store' | 'queue'>): Promise<number> {
  const deliveries = await store.unfinishedDeliveries();
  for (const { delivery_id } of deliveries) await queue.enqueue(deliveryJob(delivery_id));
  const waits = await store.openWaits();
  for (const wait of waits) await queue.enqueue(settleJob(wait.repo_id, wait.head_sha));
  const runs = await store.findRuns({ has_scheduled_visit: true });
  const visits = runs.flatMap(scheduledJobs);
  for (const job of visits) await queue.enqueue(job);
  return deliveries.length + waits.length + visits.length;
}
