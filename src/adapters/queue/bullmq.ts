/** The queue on Redis: any number of workers on any number of machines; jobs outlive the processes. */
import { type Job as BullJob, Queue as BullQueue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Logger } from 'pino';
import { InquestError } from '../../errors.ts';
import type { EnqueueOptions, Job, JobHandler, Queue } from '../../ports/queue.ts';
import { backoffOf, isFinal } from './attempts.ts';
import { bullIdOf, jobSchema } from './bullmq-job.ts';
import { settledWithin } from './settled-within.ts';

interface BullmqQueueOptions {
  /** `redis://…` or `rediss://…`. */
  readonly redisUrl: string;
  /** Of all keys in Redis. Processes with the same prefix share the work. */
  readonly prefix: string;
  /** Jobs that run at the same time in this process. */
  readonly concurrency: number;
  /** How often a job is tried at most. */
  readonly attempts: number;
  /** Delay before the second attempt; doubled for each further one. */
  readonly backoffMs: number;
  /** How long a worker may be silent before its jobs are given to another. Default 30,000. */
  readonly lockMs?: number;
  /** How long `enqueue` waits for Redis. Default 10,000. */
  readonly enqueueTimeoutMs?: number;
  readonly logger?: Pick<Logger, 'warn' | 'error'>;
}

const QUEUE_NAME = 'jobs';
const DEFAULT_LOCK_MS = 30_000;
const DEFAULT_ENQUEUE_TIMEOUT_MS = 10_000;
const ABORT_SETTLE_MS = 5_000;
const CLOSE_TIMEOUT_MS = 5_000;
const IDLE_POLL_MS = 20;
const PENDING_STATES = ['waiting', 'active', 'delayed', 'prioritized'] as const;

/** Connects in the background; a Redis that is not there shows when a job is enqueued or work begins. */
export function createBullmqQueue(options: BullmqQueueOptions): Queue {
  return new BullmqQueue(options);
}

class BullmqQueue implements Queue {
  readonly #options: BullmqQueueOptions;
  readonly #queue: BullQueue;
  #worker: Worker | null = null;
  #closed: Promise<void> | null = null;
  /** Failures that are being recorded. */
  readonly #recording = new Set<Promise<void>>();

  constructor(options: BullmqQueueOptions) {
    this.#options = options;
    this.#queue = new BullQueue(QUEUE_NAME, {
      connection: { url: options.redisUrl },
      prefix: options.prefix,
      defaultJobOptions: {
        attempts: options.attempts,
        backoff: { type: 'custom' },
        // Gone at once, so that the id can be used again.
        removeOnComplete: true,
        removeOnFail: true,
      },
    });
    this.#queue.on('error', (err) => options.logger?.error({ err }, 'queue connection failed'));
  }

  async enqueue(job: Job, { delayMs = 0 }: EnqueueOptions = {}): Promise<void> {
    if (this.#queue.closing) {
      throw new InquestError('QUEUE_FAILED', `Job ${job.id} came after the queue was closed.`, { retryable: true });
    }
    try {
      const adding = this.#queue.add(job.kind, job, { jobId: bullIdOf(job.id), delay: delayMs });
      await inTime(adding, this.#options.enqueueTimeoutMs ?? DEFAULT_ENQUEUE_TIMEOUT_MS);
    } catch (cause) {
      throw new InquestError('QUEUE_FAILED', `Redis did not take job ${job.id}.`, {
        cause,
        retryable: true,
        hint: 'Look at REDIS_URL, and whether Redis is up and has memory left.',
      });
    }
  }

  async work(handler: JobHandler): Promise<void> {
    const { redisUrl, prefix, concurrency, attempts, backoffMs, logger } = this.#options;
    const lockMs = this.#options.lockMs ?? DEFAULT_LOCK_MS;
    const worker = new Worker(QUEUE_NAME, (job, token, signal) => this.#attempt(handler, job, token, signal), {
      connection: { url: redisUrl },
      prefix,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      maxStalledCount: attempts,
      settings: { backoffStrategy: (attempt) => backoffOf(attempt, backoffMs) },
    });
    this.#worker = worker;
    worker.on('error', (err) => logger?.error({ err }, 'queue worker failed'));
    worker.on('failed', (job, error) => {
      if (job?.deferredFailure) this.#note(this.#recordFailure(handler, jobSchema.parse(job.data), error));
    });
    // Another worker may have the job already.
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id, 'The lock of the job was lost.');
    });
    await worker.waitUntilReady();
  }

  close(graceMs = 10_000): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  async idle(): Promise<void> {
    while (!this.#queue.closing) {
      const counts = await this.#queue.getJobCounts(...PENDING_STATES);
      if (Object.values(counts).every((count) => count === 0)) break;
      await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS));
    }
    await Promise.all(this.#recording);
  }

  async #close(graceMs: number): Promise<void> {
    if (this.#worker) await this.#closeWorker(this.#worker, graceMs);
    await Promise.all(this.#recording);
    if (!(await settledWithin([this.#queue.close()], CLOSE_TIMEOUT_MS))) await this.#queue.disconnect();
  }

  async #closeWorker(worker: Worker, graceMs: number): Promise<void> {
    const closed = worker.close();
    if (await settledWithin([closed], graceMs)) return;
    worker.cancelAllJobs('The queue is closing.');
    if (await settledWithin([closed], ABORT_SETTLE_MS)) return;
    // What does not listen to its signal is left behind; its lock runs out, and another worker takes the job.
    await worker.disconnect();
  }

  async #attempt(
    handler: JobHandler,
    bullJob: BullJob,
    token: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const job = jobSchema.parse(bullJob.data);
    try {
      await handler.handle(job, signal ?? new AbortController().signal);
    } catch (thrown) {
      if (signal?.aborted && this.#closed) {
        await bullJob.moveToWait(token);
        throw new WaitingError();
      }
      // The lock is lost: another worker has the job now, and its outcome is the one that counts.
      if (signal?.aborted) throw thrown;
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const attempt = bullJob.attemptsMade + 1;
      if (!isFinal(error) && attempt < this.#options.attempts) {
        this.#options.logger?.warn({ job, attempt, err: error }, 'job failed, will be tried again');
        throw error;
      }
      // Before the job leaves Redis: a worker killed here is followed by another that records the failure.
      await this.#note(this.#recordFailure(handler, job, error));
      throw new UnrecoverableError(error.message);
    }
  }

  async #recordFailure(handler: JobHandler, job: Job, error: Error): Promise<void> {
    const { logger } = this.#options;
    logger?.error({ job, err: error }, 'job failed for good');
    try {
      await handler.failed(job, error);
    } catch (err) {
      logger?.error({ job, err }, 'the failure of a job could not be recorded');
    }
  }

  #note(recording: Promise<void>): Promise<void> {
    const noted = recording.finally(() => this.#recording.delete(noted));
    this.#recording.add(noted);
    return noted;
  }
}

async function inTime(adding: Promise<unknown>, timeoutMs: number): Promise<void> {
  if (!(await settledWithin([adding], timeoutMs))) throw new Error(`No answer from Redis within ${timeoutMs} ms.`);
  await adding;
}
