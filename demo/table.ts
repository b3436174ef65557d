/** The demo's summary as a table for people. */
import type { CaseResult } from './follow.ts';

const COLUMNS = [
  ['case', (result) => result.case],
  ['cause', (result) => result.cause],
  ['action', (result) => result.action],
  ['as expected', (result) => (result.ok ? 'yes' : `no: ${result.expected.cause}, ${result.expected.action}`)],
  ['evidence', (result) => shortened(result.evidence)],
  ['own time', (result) => `${result.visits_ms - result.commands_ms} ms`],
  ['comment', (result) => result.comment_url],
] as const satisfies readonly (readonly [string, (result: CaseResult) => string])[];

const EVIDENCE_WIDTH = 60;

export function summaryTable(results: readonly CaseResult[]): string {
  const rows = [COLUMNS.map(([title]) => title), ...results.map((result) => COLUMNS.map(([, cell]) => cell(result)))];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const right = results.filter((result) => result.ok).length;
  return `\n${lines.join('\n')}\n\n${right} of ${results.length} cases as expected\n`;
}

function shortened(text: string): string {
  return text.length <= EVIDENCE_WIDTH ? text : `${text.slice(0, EVIDENCE_WIDTH - 1)}…`;
}
