/** Reports of a file name and then its rows, `line:column  message`: eslint's stylish, tsd, stylelint, xo, markdownlint. */
import type { FailureClass, SubClass } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { lineRange } from './reading/block.ts';
import { finding } from './reading/draft.ts';

/** How one tool writes its rows. */
interface RowStyle {
  readonly id: string;
  readonly opens: RegExp;
  /** Groups `line`, `column`, `message`, and `rule` where there is one. Warnings do not match. */
  readonly row: RegExp;
  /** Groups `file`, and `line`, `column` where the header names them. */
  readonly header: RegExp;
  readonly failure_class: FailureClass;
  readonly sub_class: SubClass;
}

/** How far above its rows the file name may stand: other rows and warnings lie between. */
const LOOK_BACK = 200;

export const eslint: LineFormat = rowReport({
  id: 'eslint',
  opens: /^\s{1,4}\d{1,7}:\d{1,7}\s+error\s/,
  row: /^\s{1,4}(?<line>\d{1,7}):(?<column>\d{1,7})\s+error\s+(?<message>\S.{0,1000}?)(?:\s{2,}(?<rule>[@\w/-]{1,100}))?\s*$/,
  header: /^(?<file>(?:[A-Za-z]:)?[^\s:*?"<>|][^:*?"<>|]{0,400}\.\w{1,10})$/,
  failure_class: 'compile_error',
  sub_class: 'lint',
});

export const tsd: LineFormat = rowReport({
  id: 'tsd',
  opens: /^\s{0,4}✖\s+\d{1,7}:\d{1,7}\s/,
  row: /^\s{0,4}✖\s+(?<line>\d{1,7}):(?<column>\d{1,7})\s+(?<message>\S.{0,1000}?)(?:\s{2,}(?<rule>[@\w/-]{1,100}))?\s*$/,
  header: /^\s{0,4}(?<file>(?:[A-Za-z]:)?[^\s:*?"<>|][^:*?"<>|]{0,400}\.\w{1,10})(?::\d{1,7}:\d{1,7})?$/,
  failure_class: 'compile_error',
  sub_class: 'type_check',
});

function rowReport(style: RowStyle): LineFormat {
  return { id: style.id, opens: style.opens, open: (context) => new RowReader(style, context) };
}

class RowReader implements LineReader {
  /** Each row opens by itself; its file is looked for above. */
  readonly active = false;
  private readonly style: RowStyle;
  private readonly context: ScanContext;
  private file: string | null = null;
  private lastRow = -1;

  constructor(style: RowStyle, context: ScanContext) {
    this.style = style;
    this.context = context;
  }

  line(line: LogLine): void {
    const row = line.text.length > 4000 ? undefined : this.style.row.exec(line.text)?.groups;
    if (row === undefined) return;
    if (line.number !== this.lastRow + 1) this.file = this.fileAbove(line) ?? this.file;
    this.lastRow = line.number;
    if (this.file === null) return;
    this.context.emit(
      finding({
        kind: 'diagnostic',
        runner: this.style.id,
        failure_class: this.style.failure_class,
        sub_class: this.style.sub_class,
        message: row.message ?? '',
        symbol: row.rule ?? null,
        location: { file: this.file, line: Number(row.line), column: Number(row.column), symbol: null },
        excerpt: `${this.file}\n${line.text.trimEnd()}`,
        range: lineRange(line),
        confidence: 0.9,
      }),
    );
  }

  end(): void {
    this.file = null;
  }

  private fileAbove(line: LogLine): string | null {
    for (let back = 1; back <= LOOK_BACK; back += 1) {
      const above = this.context.previous(back);
      // Rows that were read already belong to the file that is known.
      if (above === undefined || above.number === this.lastRow) return null;
      const found = this.style.header.exec(above.text.trimEnd())?.groups?.file;
      if (found !== undefined && line.number > above.number) return found;
    }
    return null;
  }
}
