/** Whether a test fails when it runs alone, every time. */
import type { FailurePacket } from '../../failures/packet.ts';
import type { Rerun } from '../../ports/agent.ts';

export interface Reproduced {
  readonly runs: readonly Rerun[];
  /** The test's packet as the first attempt printed it. */
  readonly packet: FailurePacket;
}

const SAID: Readonly<Record<Exclude<Rerun['outcome'], 'passed' | 'failed'>, string>> = {
  not_found: 'the runner did not find the test when it was run alone',
  timed_out: 'the test did not end in time when it was run alone',
  error: 'the runner itself failed when the test was run alone',
};

/** The failed attempts when all failed; otherwise what came instead. */
export function reproduced(packet: FailurePacket, runs: readonly Rerun[]): Reproduced | { readonly missing: string } {
  const other = runs.find((run) => run.outcome !== 'passed' && run.outcome !== 'failed');
  if (other && other.outcome !== 'passed' && other.outcome !== 'failed') return { missing: SAID[other.outcome] };
  const passed = runs.filter((run) => run.outcome === 'passed').length;
  if (runs.length === 0) return { missing: 'the test was not run again' };
  if (passed === runs.length)
    return { missing: `not reproduced: alone, the test passed ${passed} of ${runs.length} times` };
  if (passed > 0) return { missing: `flaky: alone, the test passed ${passed} of ${runs.length} times` };
  const found = packetOf(packet, runs[0]?.packets ?? []);
  return found ? { runs, packet: found } : { missing: 'the output of the re-run does not show the failing test' };
}

function packetOf(packet: FailurePacket, packets: readonly FailurePacket[]): FailurePacket | null {
  const tests = packets.filter((each) => each.first_failing_test !== null);
  const named = tests.filter((each) => each.first_failing_test === packet.first_failing_test);
  return named[0] ?? (tests.length === 1 ? (tests[0] ?? null) : null);
}
