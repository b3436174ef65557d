/** Calls off the running runs of a pull request that a newer push, or its closing, has made pointless. */
import { FLOW } from '../pipeline/flow.ts';
import { advance } from './advance.ts';
import type { JobParts } from './parts.ts';

interface Cancellation {
  /** Runs of this SHA go on; null spares none. */
  readonly keep_sha: string | null;
  /** This run goes on: it is the reason. */
  readonly keep_run?: string;
  readonly reason: string;
}

export async function cancelRuns(
  parts: JobParts,
  repo_id: number,
  pull_request: number,
  why: Cancellation,
): Promise<void> {
  const running = await parts.store.findRuns({ repo_id, pull_request, status: 'running' });
  for (const run of running) {
    if (run.head_sha === why.keep_sha || run.run_id === why.keep_run) continue;
    await advance(parts, FLOW, run, {
      outcome: { kind: 'cancelled', reason: why.reason },
      events: [],
      artifacts: [],
    });
  }
}
