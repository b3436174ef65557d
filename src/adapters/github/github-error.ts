/** What went wrong at GitHub, in the one error family: refused for good, not available now, or stopped by us. */
import { z } from 'zod';
import { InquestError, toInquestError } from '../../errors.ts';
import { callContext } from './call-context.ts';

/**
 * The part of Octokit's `RequestError` that is read; told by its shape, since several copies of the class exist. Without
 * a `response` no answer came.
 */
const failureSchema = z.object({
  status: z.number(),
  message: z.string(),
  response: z.object({ headers: z.record(z.string(), z.unknown()) }).optional(),
});

/** What `fetch` threw, in the shape of Octokit's error for a request that got no answer. */
export function noAnswer(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return Object.assign(new Error(message, { cause }), { status: 500 });
}

/** The answer of a server, in the shape of Octokit's error. */
export function badAnswer(response: Response): Error {
  const headers = Object.fromEntries(response.headers);
  return Object.assign(new Error(response.statusText), { status: response.status, response: { headers } });
}

/** A failed answer: HTTP status, GitHub's words, and how long it asks to wait. */
export interface GitHubFailure {
  /** 0 when no answer came. */
  readonly status: number;
  readonly message: string;
  /** True when GitHub asked to slow down: the request was not carried out. */
  readonly limited: boolean;
  /** Milliseconds that GitHub asks to wait; null when it does not say. */
  readonly waitMs: number | null;
}

const failures = new WeakMap<InquestError, GitHubFailure>();

/**
 * Reads what a request threw; null when the error is not about its answer. `now` is in milliseconds since the epoch:
 * GitHub names the end of a wait.
 */
export function readFailure(error: unknown, now: number): GitHubFailure | null {
  const known = error instanceof InquestError ? failures.get(error) : undefined;
  if (known) return known;
  const { data } = failureSchema.safeParse(error);
  if (!data) return null;
  if (!data.response) return { status: 0, message: data.message, limited: false, waitMs: null };
  const headers = data.response.headers;
  const exhausted = headers['x-ratelimit-remaining'] === '0';
  const retryAfter = Number(headers['retry-after'] ?? Number.NaN);
  const secondary = /secondary rate limit|abuse detection/i.test(data.message);
  const limited = data.status === 429 || (data.status === 403 && (exhausted || secondary || retryAfter >= 0));
  return { status: data.status, message: data.message, limited, waitMs: waitOf(headers, retryAfter, exhausted, now) };
}

function waitOf(headers: Record<string, unknown>, retryAfter: number, exhausted: boolean, now: number): number | null {
  if (retryAfter >= 0) return retryAfter * 1000;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  if (!exhausted || Number.isNaN(reset)) return null;
  // One second more: GitHub counts in whole seconds.
  return Math.max(0, reset * 1000 - now) + 1000;
}

/** Does `call`; whatever it throws becomes an `InquestError` that says what was being done (`doing`: "read issue #3 of a/b"). */
export async function asking<T>(doing: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw githubError(doing, error);
  }
}

/** As `asking`, but null when GitHub says that the thing does not exist. */
export async function askingMaybe<T>(doing: string, call: () => Promise<T>): Promise<T | null> {
  try {
    return await asking(doing, call);
  } catch (error) {
    if (failedWith(error, [404, 410])) return null;
    throw error;
  }
}

/** As `asking`, but `otherwise` when the installation lacks the permission. */
export async function askingIfAllowed<T>(doing: string, otherwise: T, call: () => Promise<T>): Promise<T> {
  try {
    return await asking(doing, call);
  } catch (error) {
    if (failedWith(error, [403]) && error instanceof InquestError && !error.retryable) return otherwise;
    throw error;
  }
}

/** True for an error made here whose HTTP status is one of `statuses`. */
export function failedWith(error: unknown, statuses: readonly number[]): boolean {
  const failure = error instanceof InquestError ? failures.get(error) : undefined;
  return failure !== undefined && statuses.includes(failure.status);
}

/** True when GitHub did not say whether it did what was asked: no answer, or an answer of 5xx. */
export function isUnanswered(failure: GitHubFailure): boolean {
  return failure.status === 0 || failure.status >= 500;
}

/** The `InquestError` for what was thrown while `doing`. */
export function githubError(doing: string, error: unknown): InquestError {
  if (error instanceof InquestError) return error;
  if (callContext().signal?.aborted) {
    return new InquestError('CANCELLED', `Stopped while Inquest wanted to ${doing}.`, { cause: error });
  }
  if (error instanceof z.ZodError) return undocumented(doing, error);
  const failure = readFailure(error, Date.now());
  if (failure === null) return toInquestError(error);
  const result =
    failure.limited || isUnanswered(failure) ? unavailable(doing, failure, error) : refused(doing, failure, error);
  failures.set(result, failure);
  return result;
}

function unavailable(doing: string, failure: GitHubFailure, cause: unknown): InquestError {
  const status = failure.status === 0 ? 'no answer' : `HTTP ${failure.status}`;
  const wait = failure.waitMs === null ? '' : `, wait ${Math.ceil(failure.waitMs / 1000)} s`;
  return new InquestError('GITHUB_UNAVAILABLE', `Cannot ${doing}: ${status}${wait} (${failure.message}).`, {
    hint: failure.limited
      ? 'GitHub limits the rate of requests; the job is tried again later.'
      : 'See https://www.githubstatus.com; the job is tried again later.',
    retryable: true,
    cause,
  });
}

const HINTS: ReadonlyMap<number, string> = new Map([
  [401, 'Check APP_ID and PRIVATE_KEY of the App.'],
  [403, 'The installation may lack a permission: compare it with docs/permissions.md.'],
  [404, 'Check that the App is installed on the repository and has the permission (docs/permissions.md).'],
]);

function refused(doing: string, failure: GitHubFailure, cause: unknown): InquestError {
  const hint = HINTS.get(failure.status);
  return new InquestError('GITHUB_REFUSED', `Cannot ${doing}: HTTP ${failure.status} (${failure.message}).`, {
    ...(hint === undefined ? {} : { hint }),
    cause,
  });
}

function undocumented(doing: string, cause: z.ZodError): InquestError {
  const fields = cause.issues.slice(0, 3).map((issue) => `${issue.path.join('.') || 'answer'}: ${issue.message}`);
  return new InquestError(
    'GITHUB_REFUSED',
    `Cannot ${doing}: the answer is not as documented (${fields.join('; ')}).`,
    {
      hint: 'If this is a GitHub Enterprise Server, it may be older than what Inquest supports.',
      cause,
    },
  );
}
