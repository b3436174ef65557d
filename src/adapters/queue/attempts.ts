/** When a failed job is tried again, and how long after. The same for every queue. */
import { InquestError } from '../../errors.ts';

const MAX_BACKOFF_MS = 10 * 60_000;

/** True when trying again cannot help: an `InquestError` that does not call itself retryable. */
export function isFinal(error: Error): boolean {
  return error instanceof InquestError && !error.retryable;
}

/**
 * Milliseconds to wait after a failed attempt: doubled each time, at most ten minutes.
 *
 * @param attempt the attempt that failed, from 1
 */
export function backoffOf(attempt: number, backoffMs: number): number {
  return Math.min(backoffMs * 2 ** (attempt - 1), MAX_BACKOFF_MS);
}
