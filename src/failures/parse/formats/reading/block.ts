/** A bounded collection of the lines of one failure: the beginning and the end are kept, a huge middle is dropped. */
import type { LogRange } from '../../../finding.ts';
import type { LogLine } from '../../format.ts';

const HEAD_LINES = 600;
const TAIL_LINES = 400;
const LINE_CHARS = 2000;
const NOWHERE: LogRange = { start_line: 1, end_line: 1, start_byte: 0, end_byte: 0 };

/** The range of one line. */
export function lineRange(line: LogLine): LogRange {
  return { start_line: line.number, end_line: line.number, start_byte: line.start, end_byte: line.end };
}

/** Lines of one failure as they come, with the range they span. */
export class Block {
  #head: string[] = [];
  #tail: string[] = [];
  #range: LogRange | null = null;

  /** Takes a line, clipped; `text` replaces the line's own text (without a prefix, say). */
  add(line: LogLine, text: string = line.text): void {
    const clipped = text.length > LINE_CHARS ? text.slice(0, LINE_CHARS) : text;
    if (this.#head.length < HEAD_LINES) this.#head.push(clipped);
    else this.#tail.push(clipped);
    if (this.#tail.length > TAIL_LINES * 2) this.#tail = this.#tail.slice(-TAIL_LINES);
    this.cover(lineRange(line));
  }

  /** Widens the range without keeping a line. */
  cover(range: LogRange): void {
    const old = this.#range ?? range;
    this.#range = {
      start_line: Math.min(old.start_line, range.start_line),
      end_line: Math.max(old.end_line, range.end_line),
      start_byte: Math.min(old.start_byte, range.start_byte),
      end_byte: Math.max(old.end_byte, range.end_byte),
    };
  }

  get lines(): readonly string[] {
    return this.#tail.length === 0 ? this.#head : [...this.#head, ...this.#tail.slice(-TAIL_LINES)];
  }

  get empty(): boolean {
    return this.#range === null;
  }

  get range(): LogRange {
    return this.#range ?? NOWHERE;
  }
}
