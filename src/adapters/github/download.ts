/** Logs and artifacts: GitHub redirects to a store of files, which is read as a stream and within bounds. */
import { InquestError } from '../../errors.ts';
import { callContext } from './call-context.ts';
import { badAnswer, failedWith, githubError, noAnswer } from './github-error.ts';
import { sizeOf } from './limits.ts';

/** What the API answers: where the content lies for the next minute, or the content itself. */
export type Located = { readonly url: string } | { readonly stream: ReadableStream<Uint8Array> };

export interface Download {
  /** What it is, for messages: "the log of job 7 of a/b". */
  readonly what: string;
  readonly locate: () => Promise<Located>;
  readonly maxBytes: number;
}

/** Silence of the store of files after which a download is given up, in milliseconds. */
const IDLE_MS = 60_000;
const ATTEMPTS = 3;

/**
 * The content, from the start. Throws `GITHUB_REFUSED` or `GITHUB_UNAVAILABLE` when there is none, and `INPUT_TOO_LARGE`
 * as soon as it is known to be over `maxBytes`.
 */
export async function* download(request: Download): AsyncGenerator<Uint8Array> {
  const stopper = new AbortController();
  let seen = 0;
  try {
    const reader = (await open(request, stopper)).getReader();
    for (;;) {
      const { done, value } = await withinIdle(stopper, () => reader.read());
      if (done) return;
      seen += value.byteLength;
      requireSize(request, seen);
      yield value;
    }
  } catch (error) {
    throw githubError(`read ${request.what}`, error);
  } finally {
    stopper.abort();
  }
}

/** The first `bytes` of the content, and whether that was all. */
export async function beginning(request: Download, bytes: number): Promise<{ head: Buffer; complete: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of download(request)) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > bytes) return { head: Buffer.concat(chunks), complete: false };
  }
  return { head: Buffer.concat(chunks), complete: true };
}

/** The whole content in memory. */
export async function whole(request: Download): Promise<Buffer> {
  return (await beginning(request, request.maxBytes)).head;
}

/** Why there is no content, in plain words; null when the error is of another kind. */
export function absence(error: unknown): string | null {
  if (failedWith(error, [404])) return 'GitHub does not have it (any more), or the App may not read it.';
  if (failedWith(error, [410])) return 'It has expired at GitHub.';
  if (failedWith(error, [401, 403, 451])) return 'GitHub does not let the App read it.';
  const told = error instanceof InquestError && ['INPUT_TOO_LARGE', 'INPUT_UNREADABLE'].includes(error.code);
  return told ? error.message : null;
}

/** Each try asks for a new place, since a place is good for a minute only. */
async function open(request: Download, stopper: AbortController): Promise<ReadableStream<Uint8Array>> {
  for (let attempt = 1; ; attempt += 1) {
    const located = await request.locate();
    if ('stream' in located) return located.stream;
    try {
      return await openUrl(located.url, request, stopper);
    } catch (error) {
      const failure = githubError(`read ${request.what}`, error);
      if (!failure.retryable || attempt === ATTEMPTS || stopper.signal.aborted) throw failure;
    }
  }
}

/** No credentials go along: the address itself is the permission, hence it is in no message either. */
async function openUrl(url: string, request: Download, stopper: AbortController): Promise<ReadableStream<Uint8Array>> {
  const { signal } = callContext();
  const signals = signal === undefined ? [stopper.signal] : [stopper.signal, signal];
  const response = await withinIdle(stopper, () => fetch(url, { signal: AbortSignal.any(signals) }));
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw badAnswer(response);
  }
  requireSize(request, Number(response.headers.get('content-length') ?? 0));
  return response.body;
}

function requireSize({ what, maxBytes }: Download, bytes: number): void {
  if (bytes <= maxBytes) return;
  throw new InquestError('INPUT_TOO_LARGE', `Cannot read ${what}: it has more than ${sizeOf(maxBytes)}.`);
}

/** Waits for the network, but not for ever. */
async function withinIdle<T>(stopper: AbortController, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => stopper.abort(new Error(`nothing came for ${IDLE_MS / 1000} s`)), IDLE_MS);
  try {
    return await work();
  } catch (error) {
    throw noAnswer(error);
  } finally {
    clearTimeout(timer);
  }
}
