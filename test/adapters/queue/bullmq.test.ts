import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createBullmqQueue } from '../../../src/adapters/queue/bullmq.ts';
import type { Queue } from '../../../src/ports/queue.ts';
import { startRedis } from '../../support/redis.ts';
import { aJob, queueContract, Recorder } from './contract.ts';

const WORKER = fileURLToPath(new URL('worker-process.ts', import.meta.url));

describe('queue on BullMQ', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let prefixes = 0;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  queueContract(async (settings) => {
    prefixes += 1;
    return createBullmqQueue({ ...settings, redisUrl: redis.url, prefix: `contract${prefixes}` });
  });

  describe('with several processes', () => {
    const queues: Queue[] = [];
    afterAll(() => Promise.all(queues.map((queue) => queue.close(0))));

    function open(prefix: string): Queue {
      const queue = createBullmqQueue({
        redisUrl: redis.url,
        prefix,
        concurrency: 2,
        attempts: 3,
        backoffMs: 1,
        lockMs: 500,
      });
      queues.push(queue);
      return queue;
    }

    it('keeps what was enqueued when the process that did it is gone', async () => {
      const first = open('outlive');
      await first.enqueue(aJob('a'));
      await first.close();
      const second = open('outlive');
      const recorder = new Recorder();
      await second.work(recorder);
      await second.idle();
      expect(recorder.handled).toEqual([aJob('a')]);
    });

    it('does each job once, on one of the workers', async () => {
      const workers = [open('share'), open('share')];
      const recorders = [new Recorder(), new Recorder()];
      await Promise.all(workers.map((queue, n) => queue.work(recorders[n] as Recorder)));
      for (let n = 0; n < 50; n += 1) await workers[0]?.enqueue(aJob(`job${n}`));
      await workers[1]?.idle();
      const ids = recorders.flatMap((recorder) => recorder.handled.map((job) => job.id));
      expect(new Set(ids).size).toBe(50);
      expect(ids).toHaveLength(50);
    });

    it('gives a job that was aborted by close to another worker, as if it had not begun', async () => {
      const [first, second] = [open('handover'), open('handover')];
      const [holding, recorder] = [new Recorder().holding(), new Recorder()];
      await first.work(holding);
      await first.enqueue(aJob('a'));
      const attempt = await holding.next();
      attempt.signal.addEventListener('abort', () => attempt.end(new Error('aborted')));
      await first.close(5);
      await second.work(recorder);
      await second.idle();
      expect(holding.failures).toEqual([]);
      expect(recorder.handled).toEqual([aJob('a')]);
    });

    it('does the job of a killed worker elsewhere', async () => {
      const queue = open('killed');
      await queue.enqueue(aJob('a'));
      const victim = spawn(process.execPath, ['--import', 'tsx', WORKER, redis.url, 'killed'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      expect(await firstLine(victim)).toBe('started a');
      victim.kill('SIGKILL');
      await once(victim, 'close');
      const recorder = new Recorder();
      await queue.work(recorder);
      await queue.idle();
      expect(recorder.handled).toEqual([aJob('a')]);
      expect(recorder.failures).toEqual([]);
    });
  });

  it('fails a job once that has taken every worker down with it', async () => {
    const queue = createBullmqQueue({
      redisUrl: redis.url,
      prefix: 'poison',
      concurrency: 1,
      attempts: 2,
      backoffMs: 1,
    });
    const recorder = new Recorder();
    await queue.enqueue(aJob('a'));
    // What BullMQ leaves with a job that stalled more often than allowed.
    const client = new Redis(redis.url);
    await client.hset('poison:jobs:job-a', 'defa', 'job stalled more than allowable limit');
    await client.quit();
    await queue.work(recorder);
    await queue.idle();
    expect(recorder.handled).toEqual([]);
    expect(recorder.failures).toEqual([{ job: aJob('a'), message: 'job stalled more than allowable limit' }]);
    await queue.close();
  });

  it('says what is wrong when there is no Redis', async () => {
    const queue = createBullmqQueue({
      redisUrl: 'redis://127.0.0.1:1',
      prefix: 'none',
      concurrency: 1,
      attempts: 1,
      backoffMs: 1,
      enqueueTimeoutMs: 50,
    });
    await expect(queue.enqueue(aJob('a'))).rejects.toMatchObject({ code: 'QUEUE_FAILED', retryable: true });
    await queue.close();
  });
});

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The worker process has no stdout.');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('The worker process said nothing.');
}
