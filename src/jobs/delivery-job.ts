/** The queue job of an accepted delivery. */
import type { Job } from '../ports/queue.ts';

export function deliveryJob(delivery_id: string): Job {
  return { kind: 'delivery', id: `delivery:${delivery_id}`, delivery_id };
}
