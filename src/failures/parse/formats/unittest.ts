/** unittest's console output, and that of Django's and nose's runners: blocks between rows of `=` and `-`. */
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { readPython } from './python/traceback.ts';
import { Block } from './reading/block.ts';
import { ASSERTION, RUNTIME } from './reading/classify.ts';
import { excerptOf, finding } from './reading/draft.ts';

const DOUBLE = /^={60,}$/;
const SINGLE = /^-{60,}$/;
const TITLE = /^(FAIL|ERROR): (\S.*)$/;
const LAST = /^Ran \d+ tests? in \d/;
const OUTCOME = /^(OK|FAILED)(?: \((.*)\))?$/;
const CAPTURED = /^-+ >> begin captured .* << -+$/;
const CAPTURED_OUTPUT = /^(?:Stdout|Stderr):$/;
/** Lines of other writers that share the console: they belong to no block. */
const MAX_FINDINGS = 5000;

type Mode = 'idle' | 'ruled' | 'titled' | 'body' | 'captured';

class UnittestReader implements LineReader {
  readonly #context: ScanContext;
  #mode: Mode = 'idle';
  #kind = 'FAIL';
  #title = '';
  #described = '';
  #block = new Block();
  #seen = 0;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  get active(): boolean {
    return this.#mode !== 'idle';
  }

  line(line: LogLine): void {
    const text = line.text.trimEnd();
    if (DOUBLE.test(text)) {
      this.#flush();
      this.#mode = 'ruled';
      return;
    }
    if (this.#mode === 'idle') this.#outcome(text);
    else if (this.#mode === 'ruled') this.#head(line, text);
    else if (this.#mode === 'titled') this.#rule(line, text);
    else this.#body(line, text);
  }

  end(): void {
    this.#flush();
  }

  #outcome(text: string): void {
    const outcome = OUTCOME.exec(text);
    if (outcome?.[1] === 'FAILED' && /(?:failures|errors|unexpected)/.test(outcome[2] ?? ''))
      this.#context.summary('failed');
    else if (outcome?.[1] === 'OK') this.#context.summary('passed');
  }

  #head(line: LogLine, text: string): void {
    const title = TITLE.exec(text);
    if (!title) {
      this.#mode = 'idle';
      return;
    }
    this.#kind = title[1] ?? 'FAIL';
    this.#title = (title[2] ?? '').trim();
    this.#described = '';
    this.#block = new Block();
    this.#block.add(line);
    this.#mode = 'titled';
  }

  #rule(line: LogLine, text: string): void {
    this.#block.add(line);
    if (SINGLE.test(text)) this.#mode = 'body';
    else if (this.#described !== '' && this.#block.lines.length > 12) this.#mode = 'idle';
    else this.#described = text;
  }

  #body(line: LogLine, text: string): void {
    if (SINGLE.test(text) || LAST.test(text)) {
      this.#flush();
      return;
    }
    if (CAPTURED.test(text) || CAPTURED_OUTPUT.test(text)) this.#mode = 'captured';
    if (this.#mode === 'captured')
      this.#block.cover({ start_line: line.number, end_line: line.number, start_byte: line.start, end_byte: line.end });
    else this.#block.add(line);
  }

  #flush(): void {
    const reading = this.#mode === 'body' || this.#mode === 'captured';
    this.#mode = 'idle';
    if (!reading || this.#seen >= MAX_FINDINGS) return;
    this.#seen++;
    const body = trimBlank(this.#block.lines.slice(1).filter((line) => !SINGLE.test(line)));
    const failure = readPython(body, this.#kind === 'FAIL' ? ASSERTION : RUNTIME);
    this.#context.emit(
      finding({
        ...failure,
        kind: 'test',
        runner: 'unittest',
        test: this.#title,
        test_file: null,
        sub_class: failure.sub_class ?? (this.#title.includes('_FailedTest') ? 'collection' : null),
        message: failure.message || this.#described || this.#title,
        symbol: failure.exception,
        excerpt: excerptOf([this.#block.lines[0] ?? '', ...body]),
        range: this.#block.range,
        confidence: 0.96,
      }),
    );
  }
}

/** Takes blank lines off the end. */
function trimBlank(lines: readonly string[]): readonly string[] {
  let last = lines.length;
  while (last > 0 && (lines[last - 1] ?? '').trim() === '') last--;
  return lines.slice(0, last);
}

export const unittest: LineFormat = {
  id: 'unittest',
  opens:
    /^(?:=================================================={10,}$|Ran \d+ tests? in |FAILED \((?:failures|errors|SKIP|skipped|unexpected|expected))/,
  open: (context) => new UnittestReader(context),
};
