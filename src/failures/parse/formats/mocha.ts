/** mocha's spec-like reporters: the numbered failures after `n failing`, each with its chain of titles, message and stack. */
import type { Finding } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { readFailure } from '../javascript/failure.ts';
import { isFrame } from '../javascript/stack.ts';
import { Block } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';

const FAILING = /^ {0,4}\d+ failing\s*$/;
const PASSING = /^ {0,4}\d+ passing \([\d.]+ ?\w+\)\s*$/;
const NUMBERED = /^ {0,4}(\d{1,6})\) ?(.*)$/;
/** After so many blank lines the report is over. */
const BLANKS = 4;
const MAX_TITLES = 30;

export const mocha: LineFormat = {
  id: 'mocha',
  opens: /^ {0,4}\d+ (?:failing\s*$|passing \()/,
  open: (context) => new MochaReader(context),
};

class MochaReader implements LineReader {
  active = false;
  private readonly context: ScanContext;
  private number = 0;
  private blanks = 0;
  private titles: string[] = [];
  /** True once the chain of titles is complete: a title ended with a colon. */
  private titled = false;
  private block = new Block();
  private body: string[] = [];

  constructor(context: ScanContext) {
    this.context = context;
  }

  line(line: LogLine): void {
    if (FAILING.test(line.text)) this.begin();
    else if (PASSING.test(line.text)) this.context.summary('passed');
    else if (this.active) this.inside(line);
  }

  end(): void {
    this.flush();
    this.active = false;
  }

  private begin(): void {
    this.flush();
    this.context.summary('failed');
    this.active = true;
    this.number = 0;
    this.blanks = 0;
  }

  private inside(line: LogLine): void {
    const text = line.text.trimEnd();
    const numbered = NUMBERED.exec(text);
    if (numbered !== null && Number(numbered[1]) === this.number + 1) {
      this.start(line, numbered[2] ?? '');
      return;
    }
    this.blanks = text === '' ? this.blanks + 1 : 0;
    const stranger = text !== '' && !text.startsWith(' ') && !(this.titled && this.body.length < 3);
    if (this.blanks >= BLANKS || (stranger && (this.number === 0 || this.blanks === 0) && this.isOver())) {
      this.end();
      return;
    }
    if (this.number === 0) return;
    this.block.add(line);
    if (this.titled) this.body.push(text.slice(0, 2000));
    else this.addTitle(text.trim());
  }

  /** Messages may start a line at the margin; after the stack nothing of this failure does. */
  private isOver(): boolean {
    return this.number > 0 && this.titled && this.body.some(isFrame);
  }

  private start(line: LogLine, title: string): void {
    this.flush();
    this.number += 1;
    this.blanks = 0;
    this.block.add(line);
    this.addTitle(title.trim());
  }

  private addTitle(title: string): void {
    if (title === '') return;
    this.titled = title.endsWith(':') || this.titles.length >= MAX_TITLES;
    this.titles.push(this.titled ? title.replace(/:$/, '') : title);
  }

  private flush(): void {
    const { titles, body, block } = this;
    this.titles = [];
    this.body = [];
    this.block = new Block();
    this.titled = false;
    if (titles.length > 0) this.context.emit(failureOf(titles, body, block));
  }
}

function failureOf(titles: readonly string[], body: readonly string[], block: Block): Finding {
  const failure = readFailure(body, null);
  const nonError = /^Error: done\(\) invoked with non-Error: (.*)$/m.exec(failure.message);
  return finding({
    kind: 'test',
    runner: 'mocha',
    test: titles.join(' > '),
    ...failure,
    actual: nonError?.[1] ?? failure.actual,
    excerpt: excerptOf(block.lines),
    range: block.range,
    confidence: 0.95,
  });
}
