/** Formatter gates: prettier's `[warn] file` rows, and scripts that list unformatted files below a sentence about prettier. */
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { lineRange } from './reading/block.ts';
import { finding } from './reading/draft.ts';

const VERDICT =
  /^\[(?:warn|error)\] (?:Code style issues (?:found|fixed)|Forgot to run Prettier)|^Code style issues found in /;
const WARNED = /^\[(?:warn|error)\] (\S.{0,400}?\.\w{1,12})(?:: SyntaxError: (.{1,500}?) \((\d{1,7}):(\d{1,7})\))?$/;
const LISTING =
  /\bprettier\b.{0,200}\b(?:files? listed below|following files?)\b|\b(?:files? listed below|following files?)\b.{0,100}\b(?:not formatted|formatting|prettier)\b/i;
const BARE_FILE = /^\s{0,4}((?:[\w@.-]{1,100}\/){0,20}[\w@.-]{1,100}\.\w{1,12})$/;
/** How far above the verdict the rows begin; prettier prints one row a file. */
const LOOK_BACK = 200;
const BLANKS = 3;
const INTRODUCTION = 8;

export const prettier: LineFormat = {
  id: 'prettier',
  opens:
    /^\[(?:warn|error)\] (?:Code style issues |Forgot to run Prettier|\S.{0,400}: SyntaxError: )|files? listed below|[Ff]ollowing files? /,
  open: (context) => new PrettierReader(context),
};

class PrettierReader implements LineReader {
  private readonly context: ScanContext;
  private listing = false;
  private blanks = 0;
  /** The command and the sentence above a listing: with a bare file name they are all the evidence. */
  private introduction: readonly string[] = [];

  constructor(context: ScanContext) {
    this.context = context;
  }

  get active(): boolean {
    return this.listing;
  }

  line(line: LogLine): void {
    const broken = WARNED.exec(line.text);
    if (VERDICT.test(line.text)) this.readAbove();
    else if (broken?.[2] !== undefined) this.emit(line, broken[1] ?? '', broken[2], Number(broken[3]));
    else if (this.listing) this.list(line);
    else if (line.text.length < 500 && LISTING.test(line.text)) this.begin(line);
  }

  end(): void {
    this.listing = false;
  }

  private begin(line: LogLine): void {
    this.listing = true;
    const above = Array.from(
      { length: INTRODUCTION },
      (_, index) => this.context.previous(INTRODUCTION - index)?.text ?? '',
    );
    this.introduction = [...above, line.text].map((text) => text.trimEnd()).filter((text) => text !== '');
    this.blanks = 0;
  }

  private list(line: LogLine): void {
    const text = line.text.trim();
    const file = BARE_FILE.exec(line.text);
    this.blanks = text === '' ? this.blanks + 1 : 0;
    if (file !== null) this.emit(line, file[1] ?? '', 'Not formatted.', null);
    else if (/^(?:Please |Run |To fix)/.test(text)) this.introduction = [...this.introduction, text];
    else if (text !== '' || this.blanks > BLANKS) this.listing = false;
  }

  /** The files stand above the verdict. */
  private readAbove(): void {
    const rows: { readonly line: LogLine; readonly file: string }[] = [];
    for (let back = 1; back <= LOOK_BACK; back += 1) {
      const line = this.context.previous(back);
      const found = line === undefined ? null : WARNED.exec(line.text);
      if (line === undefined || found === null) break;
      if (found[2] === undefined) rows.unshift({ line, file: found[1] ?? '' });
    }
    for (const row of rows) this.emit(row.line, row.file, 'Not formatted.', null);
    this.context.summary('failed');
  }

  private emit(line: LogLine, file: string, message: string, at: number | null): void {
    this.context.emit(
      finding({
        kind: 'diagnostic',
        runner: 'prettier',
        failure_class: 'compile_error',
        sub_class: at === null ? 'format' : 'syntax',
        message,
        location: { file, line: at, column: null, symbol: null },
        excerpt: [...this.introduction, line.text].join('\n'),
        range: lineRange(line),
        confidence: 0.85,
      }),
    );
  }
}
