/** What every queue does. Run against each adapter; each case has a queue of its own. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InquestError } from '../../../src/errors.ts';
import type { Job, JobHandler, Queue } from '../../../src/ports/queue.ts';

interface QueueSettings {
  readonly concurrency: number;
  readonly attempts: number;
  readonly backoffMs: number;
}

const SETTINGS: QueueSettings = { concurrency: 4, attempts: 3, backoffMs: 1 };

interface Attempt {
  readonly job: Job;
  readonly signal: AbortSignal;
  /** Lets the attempt end well, or with an error. */
  readonly end: (error?: Error) => void;
}

export function queueContract(open: (settings: QueueSettings) => Promise<Queue>): void {
  let queue: Queue;
  let recorder: Recorder;

  beforeEach(async () => {
    queue = await open(SETTINGS);
    recorder = new Recorder();
  });
  afterEach(() => queue.close(0));

  it('hands each kind of job over as it was enqueued', async () => {
    const jobs: Job[] = [
      aJob('run_0123456789abcdef:debug#2'),
      { kind: 'delivery', id: 'delivery:72d3162e-cc78-11e3', delivery_id: '72d3162e-cc78-11e3' },
      { kind: 'settle', id: 'settle:1:%3A_ü/:', repo_id: 1, head_sha: 'a'.repeat(40), look: 0 },
    ];
    await queue.work(recorder);
    for (const job of jobs) await queue.enqueue(job);
    await queue.idle();
    expect(recorder.handled.toSorted(byId)).toEqual(jobs.toSorted(byId));
  });

  it('does jobs that were enqueued before work began', async () => {
    await queue.enqueue(aJob('a'));
    await queue.work(recorder);
    await queue.idle();
    expect(recorder.handled).toEqual([aJob('a')]);
  });

  describe('an id', () => {
    it('is taken while its job waits', async () => {
      await queue.enqueue(aJob('a'));
      await queue.enqueue(aJob('a'));
      await queue.enqueue(aJob('a'), { delayMs: 5 });
      await queue.work(recorder);
      await queue.idle();
      expect(recorder.handled).toHaveLength(1);
    });

    it('is taken while its job runs', async () => {
      await queue.work(recorder.holding());
      await queue.enqueue(aJob('a'));
      const attempt = await recorder.next();
      await queue.enqueue(aJob('a'));
      attempt.end();
      await queue.idle();
      expect(recorder.handled).toHaveLength(1);
    });

    it('is free again after its job ended', async () => {
      await queue.work(recorder);
      for (const _ of [1, 2]) {
        await queue.enqueue(aJob('a'));
        await queue.idle();
      }
      expect(recorder.handled).toHaveLength(2);
    });

    it('is free again after its job failed', async () => {
      recorder.fails('a', finalError());
      await queue.work(recorder);
      for (const _ of [1, 2]) {
        await queue.enqueue(aJob('a'));
        await queue.idle();
      }
      expect(recorder.handled).toHaveLength(2);
      expect(recorder.failures).toHaveLength(2);
    });
  });

  describe('a delayed job', () => {
    it('starts no earlier than asked, and holds nothing up', async () => {
      const enqueuedAt = performance.now();
      await queue.enqueue(aJob('later'), { delayMs: 60 });
      await queue.enqueue(aJob('now'));
      await queue.work(recorder);
      await queue.idle();
      expect(recorder.handled.map((job) => job.id)).toEqual(['now', 'later']);
      // Timers may fire up to a millisecond early.
      expect(performance.now() - enqueuedAt).toBeGreaterThanOrEqual(58);
    });
  });

  describe('concurrency', () => {
    it('is the most that runs at once', async () => {
      await queue.work(recorder.holding());
      for (let n = 0; n < 10; n += 1) await queue.enqueue(aJob(`job${n}`));
      const held = [];
      for (let n = 0; n < 4; n += 1) held.push(await recorder.next());
      expect(recorder.handled).toHaveLength(4);
      for (const attempt of held) attempt.end();
      for (let n = 0; n < 6; n += 1) (await recorder.next()).end();
      await queue.idle();
      expect(recorder.mostAtOnce).toBe(4);
    });
  });

  describe('an error', () => {
    it.each([
      ['a retryable InquestError', new InquestError('STORE_FAILED', 'busy', { retryable: true })],
      ['an error of another kind', new TypeError('defect')],
    ])('is tried again as often as configured when it is %s, then failed once', async (_, error) => {
      recorder.fails('a', error);
      await queue.work(recorder);
      await queue.enqueue(aJob('a'));
      await queue.idle();
      expect(recorder.handled).toHaveLength(3);
      expect(recorder.failures).toEqual([{ job: aJob('a'), message: error.message }]);
    });

    it('is final at once when it is any other InquestError', async () => {
      recorder.fails('a', finalError());
      await queue.work(recorder);
      await queue.enqueue(aJob('a'));
      await queue.idle();
      expect(recorder.handled).toHaveLength(1);
      expect(recorder.failures).toEqual([{ job: aJob('a'), message: 'no such thing' }]);
    });

    it('is forgotten when a later attempt succeeds', async () => {
      await queue.work(recorder.holding());
      await queue.enqueue(aJob('a'));
      (await recorder.next()).end(new Error('passing'));
      (await recorder.next()).end();
      await queue.idle();
      expect(recorder.failures).toEqual([]);
    });

    it('of the failure handler stops nothing', async () => {
      recorder.fails('a', finalError());
      recorder.failureError = new Error('cannot be recorded');
      await queue.work(recorder);
      await queue.enqueue(aJob('a'));
      await queue.enqueue(aJob('b'));
      await queue.idle();
      expect(recorder.handled).toHaveLength(2);
      expect(recorder.failures).toHaveLength(1);
    });
  });

  describe('a job of a job', () => {
    it('is done before the queue is idle', async () => {
      recorder.onHandle = async (job) => {
        const depth = Number(job.id.split('-')[1]);
        if (depth < 50) await queue.enqueue(aJob(`deep-${depth + 1}`));
      };
      await queue.work(recorder);
      await queue.enqueue(aJob('deep-1'));
      await queue.idle();
      expect(recorder.handled).toHaveLength(50);
    });
  });

  describe('close', () => {
    it('lets running jobs end in the time of grace, and starts no others', async () => {
      await queue.work(recorder.holding());
      for (let n = 0; n < 5; n += 1) await queue.enqueue(aJob(`job${n}`));
      const held = [];
      for (let n = 0; n < 4; n += 1) held.push(await recorder.next());
      const closed = queue.close(30_000);
      for (const attempt of held) attempt.end();
      await closed;
      expect(held.some((attempt) => attempt.signal.aborted)).toBe(false);
      expect(recorder.handled).toHaveLength(4);
    });

    it('aborts what runs after the grace, which is no failure', async () => {
      await queue.work(recorder.holding());
      await queue.enqueue(aJob('a'));
      const attempt = await recorder.next();
      attempt.signal.addEventListener('abort', () => attempt.end(attempt.signal.reason));
      await queue.close(5);
      expect(attempt.signal.aborted).toBe(true);
      expect(recorder.failures).toEqual([]);
    });

    it('refuses jobs afterwards', async () => {
      await queue.close();
      await expect(queue.enqueue(aJob('a'))).rejects.toMatchObject({ code: 'QUEUE_FAILED' });
    });

    it('can be called again', async () => {
      await queue.work(recorder);
      await Promise.all([queue.close(), queue.close()]);
      await queue.close();
    });
  });
}

export function aJob(id: string): Job {
  return { kind: 'visit', id, run_id: 'run_0123456789abcdef', visit_id: 'debug#2' };
}

function finalError(): InquestError {
  return new InquestError('GITHUB_REFUSED', 'no such thing');
}

function byId(a: Job, b: Job): number {
  return a.id < b.id ? -1 : 1;
}

/** A handler that notes what it gets, and holds it until told to end when `holding`. */
export class Recorder implements JobHandler {
  readonly handled: Job[] = [];
  readonly failures: { job: Job; message: string }[] = [];
  mostAtOnce = 0;
  failureError: Error | null = null;
  onHandle: (job: Job) => Promise<void> = async () => {};
  readonly #errors = new Map<string, Error>();
  readonly #attempts: Attempt[] = [];
  readonly #waiting: ((attempt: Attempt) => void)[] = [];
  #holding = false;
  #atOnce = 0;

  holding(): this {
    this.#holding = true;
    return this;
  }

  fails(id: string, error: Error): void {
    this.#errors.set(id, error);
  }

  /** The next attempt that started and was not asked for yet. */
  next(): Promise<Attempt> {
    const attempt = this.#attempts.shift();
    return attempt ? Promise.resolve(attempt) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  async handle(job: Job, signal: AbortSignal): Promise<void> {
    this.handled.push(job);
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    try {
      const error = this.#errors.get(job.id);
      if (error) throw error;
      await this.onHandle(job);
      if (this.#holding) await this.#hold(job, signal);
    } finally {
      this.#atOnce -= 1;
    }
  }

  async failed(job: Job, error: Error): Promise<void> {
    this.failures.push({ job, message: error.message });
    if (this.failureError) throw this.failureError;
  }

  #hold(job: Job, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const attempt = { job, signal, end: (error?: Error) => (error ? reject(error) : resolve()) };
      const waiting = this.#waiting.shift();
      if (waiting) waiting(attempt);
      else this.#attempts.push(attempt);
    });
  }
}
