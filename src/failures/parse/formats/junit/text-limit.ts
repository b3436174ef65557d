/** Keeps a report's huge texts out of memory: cuts the rest of any long run without markup before the XML parser sees it. */

/** A run of text longer than this is cut until the next `<` (in a CDATA section: until its end). */
const MAX_RUN = 256 * 1024;
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

/** A piece of the document that is passed on. */
export interface Piece {
  readonly text: string;
  /** Characters between the start of the chunk and this piece; negative for what was held back from the chunk before. */
  readonly at: number;
}

export class TextLimit {
  #inCdata = false;
  #run = 0;
  /** The end of a chunk that may be the beginning of a marker. */
  #held = '';
  /** How many runs were cut. */
  cuts = 0;

  /** Splits a chunk into the pieces that are kept. */
  pieces(chunk: string): Piece[] {
    const shift = this.#held.length;
    const whole = this.#held + chunk;
    this.#held = this.#unfinished(whole);
    const text = this.#held === '' ? whole : whole.slice(0, -this.#held.length);
    const kept: Piece[] = [];
    let at = 0;
    while (at < text.length) {
      const found = text.indexOf(this.#inCdata ? CDATA_END : '<', at);
      const stop = found < 0 ? text.length : found;
      this.#take(kept, text.slice(at, stop), at - shift);
      at = stop;
      if (found >= 0) at += this.#boundary(kept, text, at, shift);
    }
    return kept;
  }

  /** What was held back at the end of the document. */
  rest(): string {
    return this.#held;
  }

  #take(kept: Piece[], text: string, at: number): void {
    const room = Math.max(0, MAX_RUN - this.#run);
    if (text.length > room && this.#run <= MAX_RUN) this.cuts++;
    if (room > 0 && text !== '') kept.push({ text: text.slice(0, room), at });
    this.#run += text.length;
  }

  /** Passes the marker on and starts a new run. Returns its length. */
  #boundary(kept: Piece[], text: string, at: number, shift: number): number {
    this.#run = 0;
    const marker = this.#inCdata ? CDATA_END : text.startsWith(CDATA, at) ? CDATA : '<';
    this.#inCdata = marker === CDATA;
    kept.push({ text: marker, at: at - shift });
    return marker.length;
  }

  #unfinished(text: string): string {
    for (const marker of [CDATA, CDATA_END]) {
      for (let length = marker.length - 1; length > 0; length--) {
        if (text.endsWith(marker.slice(0, length))) return marker.slice(0, length);
      }
    }
    return '';
  }
}
