/** What the jobs are made of; put together once, in `main.ts`. */
import type { Logger } from 'pino';
import type { Place } from '../pipeline/run.ts';
import type { StateHandler, StateParts } from '../pipeline/states/state.ts';
import type { Clock } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Store } from '../ports/store.ts';

export interface JobParts {
  readonly store: Store;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly states: StateParts;
  /** What does the work of a state; throws for one that this version does not have. */
  readonly handlerOf: (place: Place) => StateHandler;
  /** Longest wait for the other checks of a commit, in milliseconds, whatever a repository asks for. */
  readonly max_wait_ms: number;
  /** How soon to look again at checks that are not complete, in milliseconds. */
  readonly poll_ms: number;
}
