/** One block of pytest's FAILURES or ERRORS section, made into a finding. */
import type { Finding } from '../../../finding.ts';
import type { Block } from '../reading/block.ts';
import { ASSERTION, RUNTIME } from '../reading/classify.ts';
import { excerptOf, finding } from '../reading/draft.ts';
import { readPython } from './traceback.ts';
import { doctestValues } from './values.ts';

/** The outcome a summary or progress line gives for a node id. */
export interface NodeOutcome {
  readonly id: string;
  readonly message: string;
  readonly kind: 'FAILED' | 'ERROR';
}

export interface Report {
  readonly title: string;
  readonly block: Block;
  /** Read after a "Captured …" header: perhaps the output of a pytest that the test itself ran. */
  readonly inCaptured: boolean;
}

const PHASE = /^ERROR at (?:setup|teardown) of (.+)$/;
const COLLECTING = /^ERROR collecting (.+)$/;
const DOCTEST = /^\[doctest\] (.+)$/;

/** The name that a title gives to its test, as it ends the node id with `::` for each dot before the parameters. */
export function titleName(title: string): string {
  return PHASE.exec(title)?.[1] ?? COLLECTING.exec(title)?.[1] ?? DOCTEST.exec(title)?.[1] ?? title;
}

/** The part of a node id after its file, with dots, as pytest prints it in titles. */
export function nodeTitle(id: string): string {
  const at = id.indexOf('::');
  if (at < 0) return id;
  const rest = id.slice(at + 2);
  const bracket = rest.indexOf('[');
  const name = bracket < 0 ? rest : rest.slice(0, bracket);
  return name.replaceAll('::', '.') + (bracket < 0 ? '' : rest.slice(bracket));
}

/** A node id made of the file of the outermost frame and the title. */
function inventedId(name: string, file: string | null): string {
  if (!file || name.includes('/')) return name;
  const bracket = name.indexOf('[');
  const path = bracket < 0 ? name : name.slice(0, bracket);
  return `${file}::${path.replaceAll('.', '::')}${bracket < 0 ? '' : name.slice(bracket)}`;
}

/** Reads a report block; `outcome` is the summary line that names the same test. */
export function reportFinding(report: Report, outcome: NodeOutcome | null, signals: readonly string[]): Finding {
  const lines = report.block.lines;
  const name = titleName(report.title);
  const collecting = COLLECTING.test(report.title);
  const doctest = DOCTEST.test(report.title) || lines.some((line) => /: DocTestFailure$/.test(line));
  const failure = readPython(lines, doctest ? ASSERTION : RUNTIME);
  const values = doctest ? (doctestValues(lines) ?? failure) : failure;
  const crash = crashLine(lines);
  const message = failure.message || crash || outcome?.message || report.title;
  return finding({
    kind: 'test',
    runner: 'pytest',
    test: outcome?.id ?? inventedId(name, failure.outermost),
    test_file: collecting ? name : (outcome?.id.split('::', 1)[0] ?? failure.outermost),
    failure_class: failure.failure_class,
    sub_class: failure.sub_class ?? (collecting ? 'collection' : crash ? 'crash' : null),
    message: doctest && !failure.message ? doctestMessage(values.expected, values.actual) : message,
    expected: values.expected,
    actual: values.actual,
    location: failure.location,
    stack: failure.stack,
    symbol: failure.exception,
    excerpt: excerptOf(lines),
    range: report.block.range,
    confidence: 0.97,
    flaky_signals: signals,
  });
}

function doctestMessage(expected: string | null, actual: string | null): string {
  return `DocTestFailure: expected ${expected ?? 'nothing'}, got ${actual ?? 'nothing'}`;
}

function crashLine(lines: readonly string[]): string | null {
  return lines.find((line) => /crashed while running/.test(line)) ?? null;
}
