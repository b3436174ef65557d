/** Prepares a report for the XML parser: the rest of any very long text is cut, so that it never stands in memory. */

/** A run of text longer than this is cut until the next `<` (in a section: until its end). */
const MAX_RUN = 256 * 1024;
/** Sections in which `<` and `&` are plain text, with what ends them. */
const SECTIONS: readonly (readonly [string, string])[] = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
];
const MARKERS = SECTIONS.flat();
/** The beginning of an entity at the end of a chunk. */
const OPEN_ENTITY = /&[#\w]{0,12}$/;

/** A piece of the document that is passed on. */
export interface Piece {
  readonly text: string;
  /** Characters between the start of the chunk and this piece; negative for what was held back from the chunk before. */
  readonly at: number;
  /** True where `&` begins an entity. */
  readonly markup: boolean;
}

export class TextLimit {
  /** What ends the section being read; null outside of all. */
  #until: string | null = null;
  #run = 0;
  /** The end of a chunk that may be the beginning of a marker or an entity. */
  #held = '';
  /** How many runs were cut. */
  cuts = 0;

  /** Splits a chunk into the pieces that are kept. */
  pieces(chunk: string): Piece[] {
    const shift = this.#held.length;
    const whole = this.#held + chunk;
    this.#held = unfinished(whole);
    const text = whole.slice(0, whole.length - this.#held.length);
    const kept: Range[] = [];
    let at = 0;
    while (at < text.length) {
      const found = text.indexOf(this.#until ?? '<', at);
      const stop = found < 0 ? text.length : found;
      this.#take(kept, at, stop);
      at = stop;
      if (found >= 0) at += this.#boundary(kept, text, at);
    }
    return kept.map(({ from, to, markup }) => ({ text: text.slice(from, to), at: from - shift, markup }));
  }

  /** What was held back at the end of the document. */
  rest(): string {
    return this.#held;
  }

  #take(kept: Range[], from: number, to: number): void {
    const room = Math.max(0, MAX_RUN - this.#run);
    if (to - from > room && this.#run <= MAX_RUN) this.cuts++;
    keep(kept, from, Math.min(to, from + room), this.#until === null);
    this.#run += to - from;
  }

  /** Passes the marker on and starts a new run. Returns its length. */
  #boundary(kept: Range[], text: string, at: number): number {
    this.#run = 0;
    const section = this.#until === null && text[at + 1] === '!' ? sectionAt(text, at) : undefined;
    const marker = this.#until ?? section?.[0] ?? '<';
    this.#until = section?.[1] ?? null;
    keep(kept, at, at + marker.length, marker === '<');
    return marker.length;
  }
}

function sectionAt(text: string, at: number): readonly [string, string] | undefined {
  return SECTIONS.find(([open]) => text.startsWith(open, at));
}

interface Range {
  readonly from: number;
  to: number;
  readonly markup: boolean;
}

/** Appends a range, joined with the one before where they touch: the parser is slow on many small pieces. */
function keep(kept: Range[], from: number, to: number, markup: boolean): void {
  if (to === from) return;
  const last = kept.at(-1);
  if (last && last.to === from && last.markup === markup) last.to = to;
  else kept.push({ from, to, markup });
}

function unfinished(text: string): string {
  const tail = text.slice(-16);
  for (const marker of MARKERS) {
    for (let length = marker.length - 1; length > 0; length--) {
      if (tail.endsWith(marker.slice(0, length))) return marker.slice(0, length);
    }
  }
  return OPEN_ENTITY.exec(tail)?.[0] ?? '';
}
