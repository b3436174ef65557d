/** The verdict in a few words: heading of the comment, title of the check run. */
import { countCauses, type DebugReport } from '../debug-report.ts';

const VERDICTS: Record<DebugReport['action'], string> = {
  route_code: 'the code contradicts the spec',
  route_test: 'the test contradicts the spec',
  escalate: 'a person has to decide',
};

export function verdictOf(report: DebugReport): string {
  return report.failures.length === 0 ? 'nothing that can be judged' : VERDICTS[report.action];
}

/** `3 failures`, and where they differ `: 1 code, 2 unknown`. `where` stands between the two. */
export function countsOf({ failures, action }: DebugReport, where = ''): string {
  const told = failures.length === 1 ? '1 failure' : `${failures.length} failures`;
  if (action !== 'escalate' || failures.length < 2) return `${told}${where}`;
  const causes = Object.entries(countCauses(failures)).filter(([, count]) => count > 0);
  return `${told}${where}: ${causes.map(([cause, count]) => `${count} ${cause}`).join(', ')}`;
}
