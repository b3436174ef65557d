/** Octokit plugin: repeats requests that GitHub did not answer or asked to repeat later, within bounds. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Octokit } from '@octokit/core';
import { callContext } from './call-context.ts';
import { type GitHubFailure, isUnanswered, readFailure } from './github-error.ts';

export interface RetryPolicy {
  /** Repetitions after the first try. */
  readonly retries: number;
  /** Wait before the first repetition when GitHub does not say how long, in milliseconds; doubled each time. */
  readonly backoffMs: number;
  /** What GitHub may ask to wait at most, in milliseconds. Longer waits are left to the queue. */
  readonly maxWaitMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 3, backoffMs: 500, maxWaitMs: 60_000 };

declare module '@octokit/types' {
  interface RequestRequestOptions {
    /**
     * True for a request that must not be sent twice (it creates something, or appends). It is repeated only when
     * GitHub says that it was not carried out; the caller looks before it tries again.
     */
    once?: boolean;
  }
}

/** The plugin for one policy. */
export function retrying(policy: RetryPolicy): (octokit: Octokit) => void {
  return (octokit) => {
    octokit.hook.wrap('request', async (request, options) => {
      for (let tried = 0; ; tried += 1) {
        try {
          return await request(options);
        } catch (error) {
          const failure = readFailure(error, Date.now());
          const { signal } = callContext();
          if (failure === null || signal?.aborted) throw error;
          const wait = waitBefore(failure, tried, options.request.once === true, policy);
          if (wait === null) throw error;
          octokit.log.warn(`GitHub: ${options.method} ${options.url}: HTTP ${failure.status}, again in ${wait} ms`);
          await delay(wait, undefined, { signal });
        }
      }
    });
  };
}

/** Milliseconds to wait before the request is repeated; null when it must not be. */
function waitBefore(failure: GitHubFailure, tried: number, once: boolean, policy: RetryPolicy): number | null {
  if (tried >= policy.retries) return null;
  if (!failure.limited && (once || !isUnanswered(failure))) return null;
  const wait = failure.waitMs ?? policy.backoffMs * 2 ** tried;
  return wait > policy.maxWaitMs ? null : wait;
}
