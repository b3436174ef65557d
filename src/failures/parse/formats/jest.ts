/** jest: `FAIL path` headers with `●` blocks, printed inline and again in the summary; also suites that could not run. */
import type { Finding } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { readFailure } from '../javascript/failure.ts';
import { Block } from './reading/block.ts';

const HEADER =
  /^ {0,2}(FAIL|PASS|RUNS) {1,4}(?:(\S{1,60}) {1,3})?((?:[A-Za-z]:)?[^\s:]{1,400})(?: \([\d.]+ ?m?s\))?(?: \(.{1,60}\))?\s*$/;
const BULLET = /^ {0,4}● (.{1,1000})$/;
const SUITE_FAILED = /^Test suite failed to run\b/;
/** `●` blocks that are no failures. */
const OTHER_BULLET =
  /^(?:Console$|Deprecation Warning|Validation Warning|Cannot log after tests are done|Multiple |process\.(?:exit|env))/;
const TOTALS = /^(?:Tests|Test Suites): +\d/;
const BLOCK_END =
  /^(?: › \d+ snapshots? |Test Suites: |Tests: |Summary of all failing tests|Ran all test suites|Snapshot Summary|-{3,}\||A worker process has failed to exit)/;
const NO_TESTS = /^No tests found, exiting with code 1/;
const NO_TESTS_PATTERN = /^Pattern: (\S{1,400}) - 0 matches/;
const SCRIPT_FILE = /\.[cm]?[jt]sx?$/;
/** Without a new block for so long, what follows is something else. */
const PATIENCE = 300;

export const jest: LineFormat = {
  id: 'jest',
  opens: /^ {0,2}FAIL {1,4}\S|^ {0,4}● |^Tests: +\d|^Test Suites: +\d|^No tests found, exiting/,
  open: (context) => new JestReader(context),
};

class JestReader implements LineReader {
  active = false;
  private readonly context: ScanContext;
  private suite: string | null = null;
  private title: string | null = null;
  private block = new Block();
  private idle = 0;
  /** The last unindented line, which custom runners print as the title, without a bullet. */
  private bareTitle: LogLine | null = null;
  private missing: Block | null = null;

  constructor(context: ScanContext) {
    this.context = context;
  }

  line(line: LogLine): void {
    const header = HEADER.exec(line.text);
    const bullet = BULLET.exec(line.text);
    if (this.missing !== null) this.readMissing(line, this.missing);
    else if (header !== null) this.enter(header);
    else if (bullet !== null) this.begin(bullet[1] ?? '', line);
    else if (TOTALS.test(line.text)) this.readTotals(line.text);
    else if (NO_TESTS.test(line.text)) this.noTests(line);
    else if (this.active) this.inside(line);
  }

  end(): void {
    this.flush();
    this.flushMissing(null);
  }

  private enter(header: RegExpExecArray): void {
    this.flush();
    this.bareTitle = null;
    this.suite = header[1] === 'FAIL' ? (header[3] ?? null) : null;
    this.active = this.suite !== null;
    this.idle = 0;
  }

  private begin(title: string, line: LogLine): void {
    this.flush();
    const known =
      this.suite !== null || title.includes(' › ') || SUITE_FAILED.test(title) || title.startsWith('Validation Error');
    if (!known || OTHER_BULLET.test(title)) return;
    this.title = title.trim();
    this.block.add(line);
    this.active = true;
    this.idle = 0;
  }

  private inside(line: LogLine): void {
    if (BLOCK_END.test(line.text)) {
      this.flush();
      this.active = this.suite !== null && line.text.startsWith(' ›');
      return;
    }
    const indented = line.text === '' || line.text.startsWith(' ') || line.text.startsWith('\t');
    if (this.title !== null && (indented || this.block.lines.length === 1)) {
      // A title that holds a newline goes on at the margin.
      if (!indented) this.title += `\n${line.text}`;
      else this.block.add(line);
      return;
    }
    // jest indents all it prints of a failure; anything else comes from another process or is the next bare title.
    this.flush();
    this.between(line);
  }

  /** Inside a failed suite, before a title or after a block. */
  private between(line: LogLine): void {
    this.idle += 1;
    if (this.idle > PATIENCE) this.active = false;
    if (line.text.trim() === '') return;
    if (!line.text.startsWith(' ')) {
      this.bareTitle = line;
      return;
    }
    const title = this.bareTitle;
    this.bareTitle = null;
    if (title === null || this.suite === null || !SCRIPT_FILE.test(this.suite) || !/^ {4}\w*Error\b/.test(line.text))
      return;
    this.title = title.text.trim();
    this.block.add(title);
    this.block.add(line);
    this.idle = 0;
  }

  private flush(): void {
    const { title, block } = this;
    this.title = null;
    this.block = new Block();
    if (title === null) {
      this.active = this.suite !== null && this.active;
      return;
    }
    this.context.emit(this.finding(title, block));
    this.active = this.suite !== null;
  }

  private finding(title: string, block: Block): Finding {
    const suiteFailed = SUITE_FAILED.test(title);
    const invalid = title.startsWith('Validation Error');
    const failure = readFailure(block.lines.slice(1), this.suite);
    const verdict = invalid ? ({ failure_class: 'schema_error', sub_class: null } as const) : {};
    return {
      kind: suiteFailed || invalid ? 'diagnostic' : 'test',
      runner: 'jest',
      test: suiteFailed || invalid ? null : title,
      test_file: this.suite,
      ...failure,
      ...verdict,
      excerpt: trimmed(block.lines),
      range: block.range,
      confidence: this.suite === null ? 0.8 : 0.95,
      flaky_signals: [],
    };
  }

  private readTotals(text: string): void {
    this.flush();
    this.suite = null;
    this.active = false;
    if (/ \d+ failed/.test(text)) this.context.summary('failed');
    else if (/ \d+ passed/.test(text)) this.context.summary('passed');
  }

  private noTests(line: LogLine): void {
    this.flush();
    this.missing = new Block();
    this.missing.add(line);
    this.active = true;
  }

  private readMissing(line: LogLine, block: Block): void {
    const pattern = NO_TESTS_PATTERN.exec(line.text);
    block.add(line);
    if (pattern !== null || block.lines.length > 15) this.flushMissing(pattern?.[1] ?? null);
  }

  /** No test ran at all. When the pattern named one test file, that file is what failed. */
  private flushMissing(pattern: string | null): void {
    const block = this.missing;
    if (block === null) return;
    this.missing = null;
    this.active = false;
    const file = pattern !== null && SCRIPT_FILE.test(pattern) ? pattern : null;
    this.context.emit({
      kind: file === null ? 'diagnostic' : 'test',
      runner: 'jest',
      test: file,
      test_file: file,
      failure_class: 'tool_contract_error',
      sub_class: 'no_tests_run',
      message: block.lines[0] ?? '',
      expected: null,
      actual: null,
      location: null,
      stack: [],
      symbol: null,
      excerpt: trimmed(block.lines),
      range: block.range,
      confidence: 0.8,
      flaky_signals: [],
    });
  }
}

function trimmed(lines: readonly string[]): string {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1).join('\n');
}
