/** A bare Python traceback or crash that ends a run and belongs to no test report. */
import type { Finding } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { type Crash, crashFinding } from './python/crash.ts';
import { readPython } from './python/traceback.ts';
import { Block } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';

const OPEN = /^(\s*(?:[|+-]+ )?)Traceback \(most recent call last\):/;
const FATAL = /Fatal Python error: (.+)$/;
/** The sections of pytest and the blocks of unittest have readers of their own. */
const REPORT = /^=+ (?:FAILURES|ERRORS) =+$|^={60,}$/;
const REPORT_END = /^=+ (?:short test summary info|test session starts|.* in \d.*) =+$|^Ran \d+ tests? in /;
const FRAME = /^\s*File "/;
const IGNORED = /^(?:Exception ignored|Error in atexit|Exception in thread|ERROR:root|WARNING)/;
const WRAPPER = /^(?:subprocess\.)?CalledProcessError\b|^SystemExit\b|^KeyboardInterrupt\b|^RuntimeError: .*\bfailed\b/;
/** How many lines may follow before a traceback no longer counts as the end of the run. */
const NEAR = 80;
const MAX_CANDIDATES = 40;

interface Candidate {
  readonly finding: Finding;
  readonly rank: number;
  readonly line: number;
  ended: boolean;
}

function rank(result: Finding, ignored: boolean): number {
  if (ignored || /^KeyboardInterrupt/.test(result.message)) return 0;
  if (WRAPPER.test(result.message)) return 1;
  return result.failure_class === 'compile_error' || result.sub_class === 'missing_module' ? 3 : 2;
}

class TracebackReader implements LineReader {
  readonly #context: ScanContext;
  #block: Block | null = null;
  #crash: Crash | null = null;
  #indent = '';
  #ignored = false;
  #afterFrames = false;
  #candidates: Candidate[] = [];
  /** The line up to which the end of the run is near enough to the last traceback. */
  #watchedTo = 0;
  #line = 0;
  #failed = false;
  #inReport = false;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  get active(): boolean {
    return this.#block !== null || this.#crash !== null || this.#line < this.#watchedTo;
  }

  line(line: LogLine): void {
    this.#line = line.number;
    if (line.mark === 'error') this.#failed = true;
    const text = line.text.trimEnd();
    if (REPORT.test(text)) this.#report(true);
    else if (REPORT_END.test(text)) this.#report(false);
    else if (!this.#inReport || this.#crash || FATAL.test(text)) this.#outside(line);
  }

  #report(entered: boolean): void {
    this.#close();
    this.#inReport = entered;
  }

  #outside(line: LogLine): void {
    const fatal = FATAL.exec(line.text);
    if (fatal) {
      this.#close();
      this.#crash = { reason: fatal[1] ?? '', block: new Block() };
      this.#crash.block.add(line, `Fatal Python error: ${fatal[1]}`);
    } else if (this.#crash) this.#crashLine(line, this.#crash);
    else if (OPEN.test(line.text) && !this.#chained()) this.#start(line);
    else if (this.#block) this.#tracebackLine(line, this.#block);
    else if (line.mark === 'error') this.#ended(line.number);
  }

  end(): void {
    if (this.#crash) this.#context.emit(crashFinding(this.#crash));
    this.#close();
    if (this.#line < this.#watchedTo) this.#ended(this.#line);
    const best = this.#candidates.reduce<Candidate | null>(
      (old, one) => (old && old.rank >= one.rank ? old : one),
      null,
    );
    const ended = this.#candidates.some((one) => one.ended);
    if (!best || best.rank === 0 || !(ended || this.#failed)) return;
    this.#context.emit({ ...best.finding, confidence: best.ended || (ended && best.rank === 3) ? 0.6 : 0.3 });
  }

  /** True while the traceback being read says that another one belongs to it. */
  #chained(): boolean {
    const last = this.#block?.lines.slice(-2).join('\n') ?? '';
    return /The above exception was the direct cause|During handling of the above exception/.test(last);
  }

  #start(line: LogLine): void {
    this.#close();
    this.#indent = OPEN.exec(line.text)?.[1] ?? '';
    this.#ignored = IGNORED.test(this.#context.previous(1)?.text ?? '');
    this.#afterFrames = false;
    this.#block = new Block();
    this.#block.add(line);
  }

  #tracebackLine(line: LogLine, block: Block): void {
    const text = line.text.startsWith(this.#indent) ? line.text.slice(this.#indent.length) : line.text;
    const blank = text.trim() === '';
    const indented = /^\s/.test(text);
    if (this.#afterFrames && blank) {
      block.add(line, '');
      if (block.lines.slice(-2).every((one) => one === '')) this.#close();
      return;
    }
    if (this.#afterFrames && !/^(?:During|The above)/.test(text) && !FRAME.test(text) && !OPEN.test(line.text)) {
      this.#close();
      return;
    }
    block.add(line, text);
    if (line.mark !== 'error' && !indented && !blank && !OPEN.test(line.text) && !/^(?:During|The above)/.test(text))
      this.#afterFrames = true;
    else if (OPEN.test(line.text)) this.#afterFrames = false;
  }

  #crashLine(line: LogLine, crash: Crash): void {
    if (/^(?:Extension modules:|##\[)/.test(line.text) || line.mark === 'error') {
      this.#context.emit(crashFinding(crash));
      this.#crash = null;
      return;
    }
    crash.block.add(line);
  }

  #ended(line: number): void {
    for (const one of this.#candidates) one.ended ||= line - one.line <= NEAR;
  }

  #close(): void {
    const block = this.#block;
    this.#block = null;
    if (!block) return;
    const failure = readPython(block.lines);
    if (failure.message === '' && failure.stack.length === 0) return;
    const result = finding({
      ...failure,
      kind: 'diagnostic',
      runner: 'python',
      message: failure.message || 'Traceback without its exception',
      symbol: failure.exception,
      excerpt: excerptOf(block.lines),
      range: block.range,
    });
    const one = { finding: result, rank: rank(result, this.#ignored), line: block.range.end_line, ended: false };
    if (this.#candidates.length >= MAX_CANDIDATES) this.#candidates.splice(MAX_CANDIDATES / 2, 1);
    this.#candidates.push(one);
    this.#watchedTo = one.line + NEAR;
  }
}

export const pythonTraceback: LineFormat = {
  id: 'python-traceback',
  opens:
    /Traceback \(most recent call last\):|Fatal Python error: |^Process completed with exit code|^=+ (?:FAILURES|ERRORS|short test summary info|test session starts) =|^==================================================|^Ran \d+ tests? in /,
  marks: ['error'],
  open: (context) => new TracebackReader(context),
};
