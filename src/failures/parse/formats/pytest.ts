/** pytest's console output: FAILURES and ERRORS sections in every traceback style, the short summary, xdist and reruns. */
import type { FailureClass, SubClass } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { type NodeOutcome, nodeTitle, type Report, reportFinding, titleName } from './python/pytest-report.ts';
import { PytestStart, START_LINES } from './python/pytest-start.ts';
import { readPython } from './python/traceback.ts';
import { Block, lineRange } from './reading/block.ts';
import { ASSERTION, classify, RUNTIME } from './reading/classify.ts';
import { finding } from './reading/draft.ts';

const SECTION = /^=+ (.*?) =+$/;
const TITLE = /^_+ (\S.*) _+$/;
const CAPTURED = /^-{3,} Captured .* -{3,}$/;
const LAST_LINE =
  /^(?:=+ )?(?:\d+ [a-z]+, )*\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun)(?:, \d+ [a-z]+)* in \d/;
const SUMMARY_ROW = /^(FAILED|ERROR|SUBFAIL(?:ED)?)(?:\([^)]*\)|\[[^\]]*\])* (?:\[\d[\d.]*s?\] )?(\S.*)$/;
const PROGRESS = /^(?:\[gw\d+\] (?:\[ *\d+%\] )?)?(FAILED|ERROR|RERUN) (\S.*::.*)$/;
const PROGRESS_AFTER = /^(\S*\.py::\S.*?) (FAILED|ERROR|RERUN|PASSED)(?: \[[^\]]*\])?\s*(?:\[ *\d+%\])?$/;
const LINE_STYLE = /^((?:[A-Za-z]:[\\/])?[^\s:][^:]*\.py):(\d+): (\S.*)$/;
const INTERNAL = /^INTERNALERROR> ?(.*)$/;
const MAX_REPORTS = 2000;

const OPENS = new RegExp(
  String.raw`^(?:=+ (?:FAILURES|ERRORS|short test summary info|rerun test summary info|test session starts|.*\bin \d[\d.]*s)|\d+ (?:passed|failed|errors?)[ ,]|\[gw\d+\] (?:\[ *\d+%\] )?(?:FAILED|ERROR|RERUN) |(?:FAILED|ERROR|RERUN) \S+(?:::|\.py\b)|\S*\.py::.* (?:FAILED|ERROR|RERUN|PASSED)\b|INTERNALERROR>|${START_LINES})`,
);

type Mode = 'idle' | 'reports' | 'summary';

/** Splits `id - message` of a summary row; ids may hold spaces and dashes inside their brackets. */
function splitRow(rest: string): { id: string; message: string } {
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    const char = rest[at];
    if (char === '[') depth++;
    else if (char === ']') depth--;
    else if (depth <= 0 && rest.startsWith(' - ', at)) return { id: rest.slice(0, at), message: rest.slice(at + 3) };
  }
  const dash = rest.indexOf('] - ');
  return dash < 0 ? { id: rest.trim(), message: '' } : { id: rest.slice(0, dash + 1), message: rest.slice(dash + 4) };
}

class PytestReader implements LineReader {
  readonly #context: ScanContext;
  #mode: Mode = 'idle';
  #captured = false;
  #reports: Report[] = [];
  #current: Report | null = null;
  #rows: (NodeOutcome & { line: LogLine })[] = [];
  #progress = new Map<string, NodeOutcome & { line: LogLine }>();
  #reruns = new Set<string>();
  #lineStyle: { file: string; line: string; message: string; block: Block }[] = [];
  #internal = new Block();
  readonly #start: PytestStart;

  constructor(context: ScanContext) {
    this.#context = context;
    this.#start = new PytestStart(context);
  }

  get active(): boolean {
    return this.#mode !== 'idle' || this.#start.active;
  }

  line(line: LogLine): void {
    const text = line.text.trimEnd();
    const internal = INTERNAL.exec(text);
    if (internal) {
      this.#internal.add(line, internal[1]);
      return;
    }
    if (this.#mode === 'idle' && this.#start.line(line, text)) return;
    const section = text.startsWith('=') ? SECTION.exec(text) : null;
    if (section) this.#section(section[1] ?? '', text, line);
    else if (this.#mode !== 'reports' && LAST_LINE.test(text)) this.#close(text);
    else if (this.#mode === 'reports') this.#report(line, text);
    else if (this.#mode === 'summary') this.#summary(line, text);
    else this.#row(line, text);
  }

  end(): void {
    this.#start.flush();
    this.#flush();
  }

  #section(name: string, text: string, line: LogLine): void {
    if (name === 'test session starts') this.#flush();
    else if (name === 'FAILURES' || name === 'ERRORS') {
      this.#mode = 'reports';
      this.#captured = false;
      this.#current = null;
    } else if (name === 'short test summary info') this.#mode = 'summary';
    else if (LAST_LINE.test(text)) this.#close(text);
    else if (this.#mode === 'reports' && this.#captured && this.#current) this.#current.block.cover(lineRange(line));
    else this.#mode = 'idle';
  }

  /** The last line of a session: counts and the time. */
  #close(text: string): void {
    const failed = /\b[1-9]\d* (?:failed|errors?)\b/.test(text);
    if (failed) this.#context.summary('failed');
    else if (/\b[1-9]\d* passed\b/.test(text)) this.#context.summary('passed');
    this.#mode = 'idle';
    if (failed) this.#flush();
  }

  #report(line: LogLine, text: string): void {
    const title = text.startsWith('_') ? TITLE.exec(text) : null;
    if (title && /[^_ ]/.test(title[1] ?? '') && this.#reports.length < MAX_REPORTS) {
      this.#current = { title: title[1] ?? '', block: new Block(), inCaptured: this.#captured };
      this.#reports.push(this.#current);
      this.#captured = false;
    } else if (CAPTURED.test(text)) this.#captured = true;
    else if (this.#current && !this.#captured) this.#current.block.add(line);
    else if (!this.#current) this.#lineStyleRow(line, text);
  }

  #lineStyleRow(line: LogLine, text: string): void {
    const row = LINE_STYLE.exec(text);
    if (!row || this.#lineStyle.length >= MAX_REPORTS) return;
    const block = new Block();
    block.add(line);
    this.#lineStyle.push({ file: row[1] ?? '', line: row[2] ?? '', message: row[3] ?? '', block });
  }

  #summary(line: LogLine, text: string): void {
    const row = SUMMARY_ROW.exec(text);
    if (row && this.#rows.length < MAX_REPORTS) {
      this.#rows.push({ ...splitRow(row[2] ?? ''), kind: row[1] === 'ERROR' ? 'ERROR' : 'FAILED', line });
    } else if (line.mark === 'error' || line.mark === 'group') this.#mode = 'idle';
  }

  /** A progress line outside of every section: what is known of a test when no summary follows. */
  #row(line: LogLine, text: string): void {
    const before = PROGRESS.exec(text);
    const after = before ? null : PROGRESS_AFTER.exec(text);
    const id = before ? splitRow(before[2] ?? '').id : after?.[1];
    const outcome = before ? before[1] : after?.[2];
    if (!id || !outcome || this.#progress.size >= MAX_REPORTS) return;
    if (outcome === 'RERUN') this.#reruns.add(id);
    else if (outcome === 'PASSED') this.#progress.delete(id);
    else this.#progress.set(id, { id, message: '', kind: outcome === 'ERROR' ? 'ERROR' : 'FAILED', line });
  }

  #flush(): void {
    this.#mode = 'idle';
    const rows = [...this.#rows];
    const known = rows.length > 0 ? rows : [...this.#progress.values()];
    const taken = new Set<NodeOutcome>();
    const used = new Map<string, number>();
    for (const report of this.#reports) {
      const name = titleName(report.title);
      const outcome = this.#match(known, name, taken, used);
      if (!outcome && report.inCaptured && rows.length > 0) continue;
      if (outcome) taken.add(outcome);
      this.#context.emit(reportFinding(report, outcome, this.#signals(outcome?.id)));
    }
    for (const row of this.#lineStyle) this.#emitLineStyle(row, known, taken);
    for (const row of known) if (!taken.has(row)) this.#emitRow(row);
    this.#emitInternal();
    this.#reports = [];
    this.#current = null;
    this.#rows = [];
    this.#progress = new Map();
    this.#reruns = new Set();
    this.#lineStyle = [];
  }

  #match<T extends NodeOutcome>(
    known: readonly T[],
    name: string,
    taken: Set<NodeOutcome>,
    used: Map<string, number>,
  ): T | null {
    const from = used.get(name) ?? 0;
    for (let at = from; at < known.length; at++) {
      const candidate = known[at];
      if (!candidate || taken.has(candidate)) continue;
      if (nodeTitle(candidate.id) !== name && candidate.id !== name) continue;
      used.set(name, at + 1);
      return candidate;
    }
    used.set(name, known.length);
    return null;
  }

  #signals(id: string | undefined): readonly string[] {
    return id !== undefined && this.#reruns.has(id) ? ['retried'] : [];
  }

  #emitLineStyle(
    row: { file: string; line: string; message: string; block: Block },
    known: readonly NodeOutcome[],
    taken: Set<NodeOutcome>,
  ): void {
    const outcome = known.find(
      (candidate) => !taken.has(candidate) && row.file.endsWith(candidate.id.split('::', 1)[0] ?? candidate.id),
    );
    if (outcome) taken.add(outcome);
    const failure = readPython([`${row.file}:${row.line}: in test`, `E   ${row.message}`], RUNTIME);
    this.#context.emit(
      finding({
        ...failure,
        kind: 'test',
        runner: 'pytest',
        test: outcome?.id ?? null,
        test_file: row.file,
        message: row.message,
        symbol: failure.exception,
        location: { file: row.file, line: Number(row.line), column: null, symbol: null },
        range: row.block.range,
        confidence: 0.85,
        flaky_signals: this.#signals(outcome?.id),
      }),
    );
  }

  /** A failure of which only the summary tells. */
  #emitRow(row: NodeOutcome & { line: LogLine }): void {
    if (/^errors? during collection/.test(row.message)) return;
    const failure = readPython(row.message === '' ? [] : [`E   ${row.message}`], ASSERTION);
    const verdict: { failure_class: FailureClass; sub_class: SubClass | null } =
      row.message === ''
        ? { failure_class: 'unknown', sub_class: null }
        : classify(failure.exception, row.message, ASSERTION);
    this.#context.emit(
      finding({
        ...verdict,
        kind: 'test',
        runner: 'pytest',
        test: row.id,
        test_file: row.id.split('::', 1)[0] ?? null,
        message: row.message || `${row.id} ${row.kind === 'ERROR' ? 'ended in an error' : 'failed'}`,
        expected: failure.expected,
        actual: failure.actual,
        symbol: failure.exception,
        excerpt: row.line.text,
        range: lineRange(row.line),
        confidence: 0.7,
        flaky_signals: this.#signals(row.id),
      }),
    );
  }

  #emitInternal(): void {
    if (this.#internal.empty) return;
    const failure = readPython(this.#internal.lines);
    this.#context.emit(
      finding({
        ...failure,
        kind: 'diagnostic',
        runner: 'pytest',
        sub_class: failure.sub_class ?? 'crash',
        message: `INTERNALERROR: ${failure.message}`,
        symbol: failure.exception,
        excerpt: this.#internal.lines.slice(-20).join('\n'),
        range: this.#internal.range,
        confidence: 0.8,
      }),
    );
    this.#internal = new Block();
  }
}

export const pytest: LineFormat = { id: 'pytest', opens: OPENS, open: (context) => new PytestReader(context) };
