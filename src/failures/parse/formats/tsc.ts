/** The TypeScript compiler: `a.ts(1,2): error TS2307: …` and the pretty form `a.ts:1:2 - error TS2307: …`, also inside wrappers. */
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { Block } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';

const PLAIN =
  /^(?:.{0,200}?\s)?((?:[A-Za-z]:[\\/])?[^\s():]{1,400})\((\d{1,7}),(\d{1,7})\): error (TS\d{3,5}): (.{1,2000})$/;
const PRETTY =
  /^(?:.{0,200}?\s)?((?:[A-Za-z]:[\\/])?[^\s():]{1,400}):(\d{1,7}):(\d{1,7}) - error (TS\d{3,5}): (.{1,2000})$/;
const GLOBAL = /^\s*error (TS\d{3,5}): (.{1,2000})$/;
/** The message goes on in indented lines; the pretty form then shows the code. */
const FOLLOWING = 12;

export const tsc: LineFormat = {
  id: 'tsc',
  opens: /\berror TS\d{3,5}: /,
  open: (context) => new TscReader(context),
};

interface Open {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly code: string;
  readonly indent: number;
  readonly words: string[];
  readonly block: Block;
  blanks: number;
}

class TscReader implements LineReader {
  private readonly context: ScanContext;
  private current: Open | null = null;

  constructor(context: ScanContext) {
    this.context = context;
  }

  get active(): boolean {
    return this.current !== null;
  }

  line(line: LogLine): void {
    const placed = line.text.length > 4000 ? null : (PLAIN.exec(line.text) ?? PRETTY.exec(line.text));
    const global = placed === null ? GLOBAL.exec(line.text) : null;
    if (placed !== null) this.begin(line, placed);
    else if (global !== null) this.begin(line, [global[0], null, null, null, global[1], global[2]]);
    else if (this.current !== null) this.follow(line, this.current);
  }

  end(): void {
    this.flush();
  }

  private begin(line: LogLine, found: readonly (string | null | undefined)[]): void {
    this.flush();
    const block = new Block();
    block.add(line);
    this.current = {
      file: found[1] ?? null,
      line: found[2] == null ? null : Number(found[2]),
      column: found[3] == null ? null : Number(found[3]),
      code: found[4] ?? '',
      indent: line.text.search(/\S/),
      words: [found[5] ?? ''],
      block,
      blanks: 0,
    };
  }

  private follow(line: LogLine, open: Open): void {
    const text = line.text.slice(0, 2000);
    const indent = text.search(/\S/);
    const blank = indent < 0;
    if (blank) open.blanks += 1;
    const code = /^\s*(?:\d+\s|~|\s+~)/.test(text);
    const belongs = blank ? open.blanks <= 2 : code || indent > open.indent;
    if (!belongs || open.block.lines.length > FOLLOWING) {
      this.flush();
      return;
    }
    open.block.add(line);
    if (!blank && open.blanks === 0) open.words.push(text.trim());
  }

  private flush(): void {
    const open = this.current;
    this.current = null;
    if (open === null) return;
    const location =
      open.file === null ? null : { file: open.file, line: open.line, column: open.column, symbol: null };
    this.context.emit(
      finding({
        kind: 'diagnostic',
        runner: 'tsc',
        failure_class:
          open.code === 'TS18003' || open.code.startsWith('TS50') ? 'tool_contract_error' : 'compile_error',
        sub_class: /^TS1\d{3}$/.test(open.code) ? 'syntax' : 'type_check',
        message: open.words.join('\n'),
        symbol: open.code,
        location,
        excerpt: excerptOf(open.block.lines).trimEnd(),
        range: open.block.range,
        confidence: 0.9,
      }),
    );
  }
}
