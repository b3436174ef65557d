/** Feeds an input that is one whole report file (JUnit XML, CTRF, …) to its format, in pieces of fixed size. */
import type { Collector } from './collect.ts';
import type { DocumentFormat, DocumentReader } from './format.ts';

/** How much of an input the formats see before one of them claims it. */
export const HEAD_BYTES = 4096;
const PIECE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** The first format that recognises the head of an input, or null when it is a log. */
export function recogniseDocument(
  formats: readonly DocumentFormat[],
  head: Uint8Array,
  name: string,
): DocumentFormat | null {
  const text = new TextDecoder('utf-8').decode(head);
  return formats.find((format) => format.recognises(text, name)) ?? null;
}

export class DocumentScanner {
  lines = 0;
  bytes = 0;
  private readonly format: DocumentFormat;
  private readonly collector: Collector;
  private readonly reader: DocumentReader;
  private readonly decoder = new TextDecoder('utf-8');
  private readonly piece = Buffer.allocUnsafe(PIECE_BYTES);
  private filled = 0;
  private given = 0;
  private lastByte = NEWLINE;
  private stopped = false;

  constructor(format: DocumentFormat, collector: Collector) {
    this.format = format;
    this.collector = collector;
    this.reader = format.open(collector.contextOf(format.id, 'keep each'));
  }

  write(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + PIECE_BYTES - this.filled);
      this.piece.set(part, this.filled);
      this.filled += part.length;
      from += part.length;
      if (this.filled === PIECE_BYTES) this.give(true);
    }
  }

  end(): void {
    this.give(false);
    if (this.lastByte !== NEWLINE) this.lines += 1;
    this.guarded(() => this.reader.end());
  }

  private give(more: boolean): void {
    const bytes = this.piece.subarray(0, this.filled);
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) this.lines += 1;
    this.lastByte = bytes.at(-1) ?? this.lastByte;
    const text = this.decoder.decode(bytes, { stream: more });
    const start = this.given;
    this.given += this.filled;
    this.filled = 0;
    if (text !== '') this.guarded(() => this.reader.write(text, start));
  }

  private guarded(work: () => void): void {
    if (this.stopped) return;
    try {
      work();
    } catch (thrown) {
      this.stopped = true;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.collector.damage({
        what: `The reader of ${this.format.id} stopped: ${reason}`,
        line: null,
        byte: this.given,
      });
    }
  }
}
