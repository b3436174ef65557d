/** The embedded queue: jobs live in the memory of one process, and are enqueued anew from the store at its next start. */
import type { Logger } from 'pino';
import { InquestError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EnqueueOptions, Job, JobHandler, Queue } from '../../ports/queue.ts';
import { backoffOf, isFinal } from './attempts.ts';
import { settledWithin } from './settled-within.ts';

interface InProcessQueueOptions {
  readonly clock: Clock;
  /** Jobs that run at the same time. */
  readonly concurrency: number;
  /** How often a job is tried at most. */
  readonly attempts: number;
  /** Delay before the second attempt; doubled for each further one. */
  readonly backoffMs: number;
  readonly logger?: Pick<Logger, 'warn' | 'error'>;
}

interface Entry {
  readonly job: Job;
  readonly enqueuedAt: number;
  attempt: number;
}

interface Running {
  readonly abort: AbortController;
  done: Promise<void>;
}

/** Starts in a row before other work of the event loop (webhooks) gets its turn. */
const STARTS_PER_TURN = 64;
const ABORT_SETTLE_MS = 5_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createInProcessQueue(options: InProcessQueueOptions): Queue {
  return new InProcessQueue(options);
}

class InProcessQueue implements Queue {
  readonly #options: InProcessQueueOptions;
  /** Every job that waits, is delayed or runs, by id. */
  readonly #entries = new Map<string, Entry>();
  readonly #delayed = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Running>();
  #ready: Entry[] = [];
  /** Index of the first entry of `#ready` that was not started; the part before it is cut off now and then. */
  #head = 0;
  #startsThisTurn = 0;
  #turnPending = false;
  #handler: JobHandler | null = null;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #idleWaiters: (() => void)[] = [];

  constructor(options: InProcessQueueOptions) {
    this.#options = options;
  }

  async enqueue(job: Job, { delayMs = 0 }: EnqueueOptions = {}): Promise<void> {
    if (this.#state === 'closed') {
      throw new InquestError('QUEUE_FAILED', `Job ${job.id} came after the queue was closed.`, { retryable: true });
    }
    if (this.#entries.has(job.id)) return;
    const entry = { job, enqueuedAt: this.#options.clock.now(), attempt: 1 };
    this.#entries.set(job.id, entry);
    this.#makeReady(entry, delayMs);
  }

  async work(handler: JobHandler): Promise<void> {
    this.#handler = handler;
    this.#startJobs();
  }

  async close(graceMs = 10_000): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing';
      for (const timer of this.#delayed) clearTimeout(timer);
      await settledWithin(this.#runningJobs(), graceMs);
      for (const { abort } of this.#running) abort.abort(cancelled());
      await settledWithin(this.#runningJobs(), ABORT_SETTLE_MS);
    }
    this.#state = 'closed';
    this.#entries.clear();
    this.#announceIdle();
  }

  async idle(): Promise<void> {
    if (this.#entries.size === 0) return;
    await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  #runningJobs(): Promise<void>[] {
    return [...this.#running].map((running) => running.done);
  }

  #makeReady(entry: Entry, delayMs: number): void {
    if (delayMs <= 0) {
      this.#ready.push(entry);
      this.#startJobs();
      return;
    }
    const timer = setTimeout(
      () => {
        this.#delayed.delete(timer);
        this.#makeReady(entry, delayMs - MAX_TIMER_MS);
      },
      Math.min(delayMs, MAX_TIMER_MS),
    );
    this.#delayed.add(timer);
  }

  #startJobs(): void {
    while (this.#handler && this.#state === 'open' && this.#running.size < this.#options.concurrency) {
      if (this.#startsThisTurn >= STARTS_PER_TURN) return;
      const entry = this.#takeReady();
      if (!entry) return;
      this.#startsThisTurn += 1;
      this.#continueNextTurn();
      this.#start(entry, this.#handler);
    }
  }

  /** Goes on after the event loop has looked at everything else once. */
  #continueNextTurn(): void {
    if (this.#turnPending) return;
    this.#turnPending = true;
    setImmediate(() => {
      this.#turnPending = false;
      this.#startsThisTurn = 0;
      this.#startJobs();
    });
  }

  #takeReady(): Entry | undefined {
    const entry = this.#ready[this.#head];
    if (!entry) return undefined;
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#head);
      this.#head = 0;
    }
    return entry;
  }

  #start(entry: Entry, handler: JobHandler): void {
    const running: Running = { abort: new AbortController(), done: Promise.resolve() };
    this.#running.add(running);
    running.done = this.#attempt(entry, handler, running.abort.signal).finally(() => {
      this.#running.delete(running);
      this.#startJobs();
    });
  }

  /** Never rejects. */
  async #attempt(entry: Entry, handler: JobHandler, signal: AbortSignal): Promise<void> {
    try {
      await handler.handle(entry.job, signal);
      this.#end(entry);
    } catch (thrown) {
      if (signal.aborted) return;
      await this.#afterError(entry, handler, thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  async #afterError(entry: Entry, handler: JobHandler, error: Error): Promise<void> {
    const { attempts, backoffMs, logger } = this.#options;
    const context = { job: entry.job, attempt: entry.attempt, age_ms: this.#options.clock.now() - entry.enqueuedAt };
    if (!isFinal(error) && entry.attempt < attempts) {
      const delayMs = backoffOf(entry.attempt, backoffMs);
      logger?.warn({ ...context, err: error, delay_ms: delayMs }, 'job failed, will be tried again');
      entry.attempt += 1;
      if (this.#state === 'open') this.#makeReady(entry, delayMs);
      return;
    }
    logger?.error({ ...context, err: error }, 'job failed for good');
    try {
      await handler.failed(entry.job, error);
    } catch (err) {
      logger?.error({ ...context, err }, 'the failure of a job could not be recorded');
    }
    this.#end(entry);
  }

  #end(entry: Entry): void {
    this.#entries.delete(entry.job.id);
    if (this.#entries.size === 0) this.#announceIdle();
  }

  #announceIdle(): void {
    const waiters = this.#idleWaiters;
    this.#idleWaiters = [];
    for (const resolve of waiters) resolve();
  }
}

function cancelled(): InquestError {
  return new InquestError('CANCELLED', 'The queue is closing.', { retryable: true });
}
