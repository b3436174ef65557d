/** Where the verdicts send the run: all `code` → code, all `test` → test, anything else → escalate. */
import { countCauses, type DebugReport, type ReportedFailure } from './debug-report.ts';
import type { Route } from './slots.ts';

export const ROUTE_OF_ACTION: Record<DebugReport['action'], Exclude<Route, 'none'>> = {
  route_code: 'code',
  route_test: 'test',
  escalate: 'escalate',
};

/** The action, and the one line that says why. */
export function routeFailures(failures: readonly ReportedFailure[]): Pick<DebugReport, 'action' | 'reason'> {
  const counts = countCauses(failures);
  const total = failures.length;
  if (total === 0) return { action: 'escalate', reason: 'no failure could be read, so there is nothing to route' };
  if (counts.code === total) {
    return {
      action: 'route_code',
      reason: `${all(total)} contradict${one(total)} the spec in the code, not in the test`,
    };
  }
  if (counts.test === total) {
    return { action: 'route_test', reason: `${all(total)} assert${one(total)} something else than the spec says` };
  }
  if (counts.unknown > 0) {
    return {
      action: 'escalate',
      reason: `${counts.unknown} of ${total} cannot be settled by the spec and the evidence`,
    };
  }
  return {
    action: 'escalate',
    reason: `${counts.code} in the code and ${counts.test} in tests: a mixture is for a person`,
  };
}

function all(total: number): string {
  return total === 1 ? 'the failure' : `all ${total} failures`;
}

function one(total: number): string {
  return total === 1 ? 's' : '';
}
