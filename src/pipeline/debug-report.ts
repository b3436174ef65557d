/** The debug report, seed 1's format to the letter: `parse(render(report))` is the identity. */
import { InquestError } from '../errors.ts';

export interface DebugReport {
  readonly failures: readonly ReportedFailure[];
  readonly action: 'route_code' | 'route_test' | 'escalate';
  /** One line. */
  readonly reason: string;
}

export interface ReportedFailure {
  readonly test: string;
  readonly cause: 'code' | 'test' | 'unknown';
  readonly evidence: string;
  readonly spec_citation: string;
  readonly suggested_fix_scope: string;
}

const CAUSES = ['code', 'test', 'unknown'] as const;
const ACTIONS = ['route_code', 'route_test', 'escalate'] as const;

/** The four bullets of a failure, in their order. */
const FIELDS = [
  ['cause', 'cause'],
  ['evidence', 'evidence'],
  ['spec citation', 'spec_citation'],
  ['suggested fix scope', 'suggested_fix_scope'],
] as const satisfies readonly (readonly [string, keyof ReportedFailure])[];

/** How many failures have each cause. */
export function countCauses(
  failures: readonly Pick<ReportedFailure, 'cause'>[],
): Record<ReportedFailure['cause'], number> {
  const counts = { code: 0, test: 0, unknown: 0 };
  for (const failure of failures) counts[failure.cause] += 1;
  return counts;
}

/** Writes the report. Line breaks inside a field are written `\n` and backslashes doubled, so that each field is one line. */
export function renderDebugReport(report: DebugReport): string {
  const counts = countCauses(report.failures);
  const lines = [
    '# Debug report',
    '',
    '## Summary',
    `- failures investigated: ${report.failures.length}`,
    `- classified: ${counts.code} code / ${counts.test} test / ${counts.unknown} unknown`,
    '',
    '## Failures',
    '',
  ];
  for (const failure of report.failures) {
    lines.push(`### ${toLine(failure.test)}`);
    for (const [label, field] of FIELDS) lines.push(`- ${label}: ${toLine(failure[field])}`);
    lines.push('');
  }
  lines.push('## Action', report.action, '', '## Reason', toLine(report.reason), '');
  return lines.join('\n');
}

/** Reads a report. Throws `REPORT_MALFORMED` with the line that does not follow the format. */
export function parseDebugReport(text: string): DebugReport {
  const reader = new LineReader(text.split('\n'));
  reader.expect('# Debug report');
  reader.expect('');
  reader.expect('## Summary');
  const investigated = reader.match(/^- failures investigated: ([0-9]+)$/)[0];
  const classified = reader.match(/^- classified: ([0-9]+) code \/ ([0-9]+) test \/ ([0-9]+) unknown$/);
  reader.expect('');
  reader.expect('## Failures');
  reader.expect('');
  const failures: ReportedFailure[] = [];
  while (reader.peek().startsWith('### ')) failures.push(parseFailure(reader));
  reader.expect('## Action');
  const action = reader.oneOf(ACTIONS);
  reader.expect('');
  reader.expect('## Reason');
  const reason = fromLine(reader.take());
  reader.expect('');
  reader.end();
  const counts = countCauses(failures);
  const told = [investigated, ...classified].map(Number);
  const counted = [failures.length, counts.code, counts.test, counts.unknown];
  if (told.join() !== counted.join()) throw malformed('the summary does not count its failures', 4);
  return { failures, action, reason };
}

function parseFailure(reader: LineReader): ReportedFailure {
  const test = fromLine(reader.take().slice('### '.length));
  const fields: Record<string, string> = {};
  for (const [label, field] of FIELDS) fields[field] = fromLine(reader.after(`- ${label}: `));
  const cause = CAUSES.find((known) => known === fields.cause);
  if (!cause) throw malformed(`cause is one of ${CAUSES.join(', ')}`, reader.number);
  reader.expect('');
  return {
    test,
    cause,
    evidence: fields.evidence ?? '',
    spec_citation: fields.spec_citation ?? '',
    suggested_fix_scope: fields.suggested_fix_scope ?? '',
  };
}

function toLine(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

function fromLine(line: string): string {
  return line.replace(/\\([\\nr])/g, (_, escaped: string) => ({ n: '\n', r: '\r' })[escaped] ?? '\\');
}

function malformed(what: string, line: number): InquestError {
  return new InquestError('REPORT_MALFORMED', `Debug report, line ${line}: ${what}.`, {
    hint: 'The format is described in docs/report.md.',
  });
}

class LineReader {
  private readonly lines: readonly string[];
  private next = 0;

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  /** Number of the line that was read last, from 1. */
  get number(): number {
    return this.next;
  }

  peek(): string {
    return this.lines[this.next] ?? '';
  }

  take(): string {
    const line = this.lines[this.next];
    this.next += 1;
    if (line === undefined) throw malformed('the text ends too early', this.next);
    return line;
  }

  expect(wanted: string): void {
    const line = this.take();
    if (line !== wanted) throw malformed(`expected ${wanted === '' ? 'an empty line' : `"${wanted}"`}`, this.next);
  }

  after(prefix: string): string {
    const line = this.take();
    if (!line.startsWith(prefix)) throw malformed(`expected a line that starts with "${prefix}"`, this.next);
    return line.slice(prefix.length);
  }

  match(pattern: RegExp): string[] {
    const found = pattern.exec(this.take());
    if (!found) throw malformed(`expected a line like ${pattern.source}`, this.next);
    return found.slice(1);
  }

  oneOf<T extends string>(allowed: readonly T[]): T {
    const line = this.take();
    const found = allowed.find((value) => value === line);
    if (!found) throw malformed(`expected one of ${allowed.join(', ')}`, this.next);
    return found;
  }

  end(): void {
    if (this.next < this.lines.length) throw malformed('there is text after the end', this.next + 1);
  }
}
