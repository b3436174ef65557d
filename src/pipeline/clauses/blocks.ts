/** Divides a spec's text (Markdown, plain text, much of reStructuredText) into blocks with exact line numbers. */

export interface SpecLine {
  readonly text: string;
  /** Line in the source, from 1. */
  readonly number: number;
}

/** What stands above a block and may qualify it. */
export interface Context {
  /** Headings above the block, outermost first. */
  readonly headings: readonly string[];
  /** The sentence that introduces the block (it ends with a colon), and the list items that hold it. */
  readonly introduction: readonly string[];
  /** True inside a block quote: somebody else's words. */
  readonly quoted: boolean;
  /** True when so much stands above the block that it was not kept: what qualifies the block is not known. */
  readonly unclear: boolean;
}

export type Block =
  | { readonly kind: 'paragraph' | 'item'; readonly lines: readonly SpecLine[]; readonly context: Context }
  | { readonly kind: 'table'; readonly header: SpecLine; readonly rows: readonly SpecLine[]; readonly context: Context }
  | {
      readonly kind: 'code';
      readonly language: string;
      readonly lines: readonly SpecLine[];
      readonly context: Context;
    };

/** A line is read up to here, in UTF-16 units. */
export const MAX_LINE = 4000;
/** Of what introduces a block so much is kept, in UTF-16 units, and so many list items around it. */
const MAX_INTRODUCTION = 4000;
const MAX_DEPTH = 12;
const LINE_END = /\r\n|\n|\r/;
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/;
const UNDERLINE = /^([=\-~^"'`*+#])\1{2,}\s*$/;
const FENCE = /^(\s*)(`{3,}|~{3,})\s*([\w+#.-]*)/;
const ITEM = /^(\s*)(?:[-*+•]|\d{1,4}[.)])\s+(\S.*)$/;
const ROW = /^\s*\|.*\|\s*$/;

/** Blocks in document order. Front matter and HTML comments are left out; their lines still count. */
export function blocksOf(text: string): Block[] {
  return new Divider(visibleLines(text)).blocks();
}

/** Numbers of the lines that are longer than what is read of a line. */
export function longLines(text: string): number[] {
  return text.split(LINE_END).flatMap((line, index) => (line.length > MAX_LINE ? [index + 1] : []));
}

/** Splits into lines, blanks front matter and HTML comments outside code fences. */
function visibleLines(text: string): SpecLine[] {
  const raw = text.replace(/^\uFEFF/, '').split(LINE_END);
  const end =
    raw[0]?.trim() === '---' ? raw.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line)) : -1;
  let fence: string | null = null;
  let comment = false;
  return raw.map((line, index) => {
    const number = index + 1;
    if (index <= end) return { text: '', number };
    const cut = line.slice(0, MAX_LINE);
    const mark = FENCE.exec(cut)?.[2];
    if (mark && !comment) {
      if (fence === null) fence = mark;
      else if (closes(cut, fence)) fence = null;
      return { text: cut, number };
    }
    if (fence !== null) return { text: cut, number };
    const shown = withoutComments(cut, comment);
    comment = shown.open;
    return { text: shown.text, number };
  });
}

function withoutComments(line: string, open: boolean): { text: string; open: boolean } {
  let text = '';
  let inside = open;
  let at = 0;
  while (at < line.length) {
    const next = line.indexOf(inside ? '-->' : '<!--', at);
    if (!inside) text += line.slice(at, next < 0 ? undefined : next);
    if (next < 0) break;
    at = next + (inside ? 3 : 4);
    inside = !inside;
  }
  return { text, open: inside };
}

/** `| --- | :-: |`, with or without the outer pipes. */
function isRuler(line: string): boolean {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split('|').every((cell) => /^:?-+:?$/.test(cell.trim()));
}

function closes(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.length >= fence.length && bare === (fence[0] ?? '`').repeat(bare.length);
}

class Divider {
  private readonly lines: readonly SpecLine[];
  private readonly found: Block[] = [];
  private at = 0;
  private headings: { readonly level: number; readonly text: string }[] = [];
  private lead: string | null = null;
  private open: { readonly indent: number; readonly text: string }[] = [];

  constructor(lines: readonly SpecLine[]) {
    this.lines = lines;
  }

  blocks(): Block[] {
    while (this.at < this.lines.length) this.block();
    return this.found;
  }

  private text(ahead = 0): string {
    return this.lines[this.at + ahead]?.text ?? '';
  }

  private block(): void {
    const line = this.text();
    if (line.trim() === '') this.at++;
    else if (HEADING.test(line) || this.isUnderlined()) this.heading();
    else if (FENCE.test(line)) this.fence();
    else if (this.isTable()) this.table();
    else if (/^\s*>>> /.test(line)) this.doctest();
    else if (ITEM.test(line)) this.item();
    else if (/^(?: {4}|\t)/.test(line) && this.open.length === 0) this.indentedCode();
    else this.paragraph();
  }

  private context(quoted = false): Context {
    const headings = this.headings.map((heading) => heading.text);
    const length = this.open.reduce((sum, item) => sum + item.text.length, this.lead?.length ?? 0);
    if (length > MAX_INTRODUCTION || this.open.length > MAX_DEPTH)
      return { headings, introduction: [], quoted, unclear: true };
    const introduction = [...(this.lead === null ? [] : [this.lead]), ...this.open.map((item) => item.text)];
    return { headings, introduction, quoted, unclear: false };
  }

  private isUnderlined(): boolean {
    const next = this.text(1);
    return (
      UNDERLINE.test(next) &&
      !ITEM.test(this.text()) &&
      !UNDERLINE.test(this.text()) &&
      !this.isTable() &&
      /^\S/.test(this.text())
    );
  }

  private heading(): void {
    const match = HEADING.exec(this.text());
    const level = match?.[1]?.length ?? (this.text(1).startsWith('=') ? 1 : 2);
    const text = (match?.[2] ?? this.text()).replace(/\s#+\s*$/, '').trim();
    this.at += match ? 1 : 2;
    this.headings = [...this.headings.filter((heading) => heading.level < level), { level, text }];
    this.lead = null;
    this.open = [];
  }

  private fence(): void {
    const [, , mark = '```', language = ''] = FENCE.exec(this.text()) ?? [];
    const lines: SpecLine[] = [];
    this.at++;
    while (this.at < this.lines.length && !closes(this.text(), mark)) lines.push(this.take());
    this.at++;
    this.found.push({ kind: 'code', language: language.toLowerCase(), lines, context: this.context() });
  }

  private isTable(): boolean {
    return (
      this.text().includes('|') && this.text(1).includes('-') && this.text(1).includes('|') && isRuler(this.text(1))
    );
  }

  private table(): void {
    const header = this.take();
    this.at++;
    const rows: SpecLine[] = [];
    while (ROW.test(this.text()) || (this.text().includes('|') && this.text().trim() !== '')) rows.push(this.take());
    this.found.push({ kind: 'table', header, rows, context: this.context() });
  }

  private doctest(): void {
    const lines: SpecLine[] = [];
    while (this.text().trim() !== '' && !FENCE.test(this.text())) lines.push(this.take());
    this.found.push({ kind: 'code', language: 'doctest', lines, context: this.context() });
  }

  private indentedCode(): void {
    const lines: SpecLine[] = [];
    while (/^(?: {4}|\t)/.test(this.text())) lines.push(this.take());
    this.found.push({ kind: 'code', language: '', lines, context: this.context() });
  }

  private item(): void {
    const first = this.take();
    const [, space = '', rest = ''] = ITEM.exec(first.text) ?? [];
    const indent = space.length;
    this.open = this.open.filter((item) => item.indent < indent);
    const lines: SpecLine[] = [{ number: first.number, text: rest.replace(/^\[[ xX]\]\s+/, '') }];
    while (this.continues()) lines.push(this.take());
    this.found.push({ kind: 'item', lines, context: this.context() });
    this.open.push({ indent, text: lines.map((line) => line.text.trim()).join(' ') });
  }

  /** A line of prose that belongs to the block above it. */
  private continues(): boolean {
    const line = this.text();
    if (line.trim() === '' || ITEM.test(line) || FENCE.test(line) || HEADING.test(line) || this.isTable()) return false;
    return !/^\s*(?:>>> |>)/.test(line) && !this.isUnderlined();
  }

  private paragraph(): void {
    const quoted = /^\s*>/.test(this.text());
    if (/^\S/.test(this.text())) this.open = [];
    const lines: SpecLine[] = [this.take()];
    while (quoted ? /^\s*>/.test(this.text()) : this.continues()) lines.push(this.take());
    const shown = quoted ? lines.map((line) => ({ ...line, text: line.text.replace(/^\s*(?:>\s?)+/, '') })) : lines;
    const whole = shown.map((line) => line.text.trim()).join(' ');
    if (this.open.length === 0) this.lead = null;
    this.found.push({ kind: 'paragraph', lines: shown, context: this.context(quoted) });
    if (whole.endsWith(':')) this.lead = whole;
  }

  private take(): SpecLine {
    const line = this.lines[this.at] ?? { text: '', number: this.at + 1 };
    this.at++;
    return line;
  }
}
