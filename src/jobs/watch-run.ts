/** Aborts a visit's work when its run is cancelled meanwhile, by this process or another. */
import type { Store } from '../ports/store.ts';

/** How often the store is asked, in milliseconds. */
const INTERVAL = 1000;

export interface RunWatch {
  readonly signal: AbortSignal;
  readonly cancelled: () => boolean;
  readonly stop: () => void;
}

/** `status` is the run's status when the visit began: an announcing visit belongs to a run that has ended already. */
export function watchRun(store: Store, runId: string, status: string, stop: AbortSignal): RunWatch {
  const controller = new AbortController();
  let isCancelled = false;
  const timer = setInterval(() => {
    store.findRun(runId).then(
      (run) => {
        if (run !== null && run.status === status) return;
        isCancelled = true;
        controller.abort();
      },
      // The store is asked again in a second; the visit's own commit tells if it stays away.
      () => undefined,
    );
  }, INTERVAL);
  timer.unref();
  return {
    signal: AbortSignal.any([controller.signal, stop]),
    cancelled: () => isCancelled,
    stop: () => clearInterval(timer),
  };
}
