/** A worker that takes a job, says so, and never ends it: to be killed. Arguments: Redis URL, prefix. */
import { createBullmqQueue } from '../../../src/adapters/queue/bullmq.ts';

const [redisUrl = '', prefix = ''] = process.argv.slice(2);
const queue = createBullmqQueue({ redisUrl, prefix, concurrency: 1, attempts: 3, backoffMs: 1, lockMs: 500 });
await queue.work({
  handle: (job) => {
    console.log(`started ${job.id}`);
    return new Promise(() => {});
  },
  failed: async () => {},
});
