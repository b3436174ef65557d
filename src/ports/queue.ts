/** What the pipeline asks of a queue. Two adapters, one contract test suite. */

/** A unit of work. `id` is deterministic: while a job with the id waits or runs, adding it again changes nothing. */
export type Job =
  /** Handle one accepted webhook delivery. */
  | { readonly kind: 'delivery'; readonly id: string; readonly delivery_id: string }
  /** Look whether all checks of a head SHA are complete, and start its run. */
  | {
      readonly kind: 'settle';
      readonly id: string;
      readonly repo_id: number;
      readonly head_sha: string;
      /** How often the checks were found incomplete before. */
      readonly look: number;
    }
  /** One visit of one state of one run. */
  | { readonly kind: 'visit'; readonly id: string; readonly run_id: string; readonly visit_id: string };

export interface JobHandler {
  /**
   * Does the work. Throwing an `InquestError` with `retryable` (or anything that is no `InquestError`) makes the queue
   * try again with exponential back-off, up to `attempts`; any other `InquestError` is final at once.
   */
  handle(job: Job, signal: AbortSignal): Promise<void>;
  /** Called once when a job has failed for good. */
  failed(job: Job, error: Error): Promise<void>;
}

export interface EnqueueOptions {
  /** Earliest start, in milliseconds from now. Default 0. */
  readonly delayMs?: number;
}

export interface Queue {
  /** Resolves when the job is accepted (BullMQ: stored in Redis; in process: in memory, resumed from the store at start). */
  enqueue(job: Job, options?: EnqueueOptions): Promise<void>;
  /** Starts working. Without this call a process only enqueues. */
  work(handler: JobHandler): Promise<void>;
  /** Stops taking jobs, aborts the running ones after `graceMs` (default 10,000), closes connections. */
  close(graceMs?: number): Promise<void>;
  /** Resolves when no job waits, is delayed or runs. For tests and one-shot commands. */
  idle(): Promise<void>;
}
