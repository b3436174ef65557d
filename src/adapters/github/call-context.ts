/** What follows every call to GitHub without being passed along: the delivery that caused it, and how to stop it. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface CallContext {
  /** `X-GitHub-Delivery` of the webhook that started the work; sent along, as Probot does. */
  readonly deliveryId?: string;
  readonly signal?: AbortSignal;
}

const storage = new AsyncLocalStorage<CallContext>();

/** Runs `work`; every call to GitHub inside it carries the delivery id and stops when the signal aborts. */
export function withCallContext<T>(context: CallContext, work: () => Promise<T>): Promise<T> {
  return storage.run(context, work);
}

/** The context of the running job; empty outside one. */
export function callContext(): CallContext {
  return storage.getStore() ?? {};
}

/** A signal that aborts after `timeoutMs`, or when the running job is stopped. */
export function callSignal(timeoutMs: number): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  const { signal } = callContext();
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}
