/** vitest: ` FAIL  file > suite > test` blocks with the error, `❯` frames and a code frame; failed suites and unhandled errors. */
import type { Finding } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { readFailure } from '../javascript/failure.ts';
import { Block } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';

// ` FAIL  |project| a.test.ts > suite > test`, ` FAIL  a.test.ts [ a.test.ts ]`; newer versions put the project first and bare.
const FAILED =
  /^ {0,2}FAIL {1,3}(?:\|?[\w@/. -]{1,60}\|? {1,2})??(\S{1,400}\.\w{1,5})(?: > (.{1,1000})| \[ .{1,400} \])\s*$/;
const SECTION = /^\s*⎯{2,}/;
const UNHANDLED = /^⎯{2,} Unhandled (?:Error|Rejection|Errors)\b/;
const TOTALS = /^\s*Tests {2,}(?:(\d+) failed)?[^()]{0,200}/;
const LEAD = /^\s*Test Files {2}/;

export const vitest: LineFormat = {
  id: 'vitest',
  opens: /^ {0,2}FAIL {1,3}\S.{0,500}(?: > |\[ )|⎯ Unhandled |^\s*Test Files {2}/,
  open: (context) => new VitestReader(context),
};

/** One ` FAIL ` header; several in a row share the error below them. */
interface Header {
  readonly file: string;
  readonly test: string | null;
}

class VitestReader implements LineReader {
  active = false;
  private readonly context: ScanContext;
  private headers: Header[] = [];
  private unhandled = false;
  private block = new Block();
  private body: string[] = [];
  private totalsExpected = false;

  constructor(context: ScanContext) {
    this.context = context;
  }

  line(line: LogLine): void {
    const failed = FAILED.exec(line.text);
    if (failed !== null) this.header(failed, line);
    else if (UNHANDLED.test(line.text)) this.beginUnhandled(line);
    else if (SECTION.test(line.text)) this.flush();
    else if (LEAD.test(line.text)) this.expectTotals();
    else if (this.totalsExpected) this.readTotals(line.text);
    else if (this.headers.length > 0 || this.unhandled) this.add(line);
  }

  end(): void {
    this.flush();
  }

  private header(found: RegExpExecArray, line: LogLine): void {
    if (this.body.some((text) => text.trim() !== '') || this.unhandled) this.flush();
    this.headers.push({ file: found[1] ?? '', test: found[2]?.trim() ?? null });
    this.block.add(line);
    this.active = true;
  }

  private beginUnhandled(line: LogLine): void {
    this.flush();
    this.unhandled = !/Errors/.test(line.text);
    if (this.unhandled) this.block.add(line);
    this.active = this.unhandled;
  }

  private add(line: LogLine): void {
    this.block.add(line);
    if (this.body.length < 1000) this.body.push(line.text.slice(0, 2000));
  }

  private expectTotals(): void {
    this.flush();
    this.totalsExpected = true;
    this.active = true;
  }

  private readTotals(text: string): void {
    const found = TOTALS.exec(text);
    this.totalsExpected = false;
    this.active = false;
    if (found === null) return;
    if (found[1] !== undefined) this.context.summary('failed');
    else if (/\d+ passed/.test(text)) this.context.summary('passed');
  }

  private flush(): void {
    const { headers, unhandled, body, block } = this;
    this.headers = [];
    this.unhandled = false;
    this.body = [];
    this.block = new Block();
    this.active = false;
    if (!body.some((text) => text.trim() !== '')) return;
    for (const header of headers) this.context.emit(failureOf(header, body, block));
    if (unhandled) this.context.emit(failureOf(null, body, block));
  }
}

function failureOf(header: Header | null, body: readonly string[], block: Block): Finding {
  const file = header?.file ?? null;
  const suite = header?.test ?? null;
  return finding({
    kind: suite === null ? 'diagnostic' : 'test',
    runner: 'vitest',
    test: suite === null ? null : `${file} > ${suite}`,
    test_file: file,
    ...readFailure(body, file),
    excerpt: excerptOf(block.lines),
    range: block.range,
    confidence: header === null ? 0.8 : 0.95,
  });
}
