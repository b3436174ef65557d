/** Reads one input of any size: finds its lines, undresses the few that matter, and hands them to the formats' readers. */
import type { Damage } from '../finding.ts';
import type { Collector } from './collect.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from './format.ts';
import { requiredLiterals } from './literals.ts';
import { type OwnedLiteral, Prefilter, type Skip } from './prefilter.ts';
import { type Mark, undress } from './undress.ts';

const NEWLINE = 0x0a;
/** A longer line is cut here; the rest of it is not looked at. */
export const MAX_LINE_BYTES = 64 * 1024;
/** `previous` sees at most this many lines and bytes back. */
const HISTORY_LINES = 200;
const HISTORY_BYTES = 256 * 1024;
const BLOCK_BYTES = 1024 * 1024;
/** How far back the mark of a multi-line `##[error]` is looked for. */
const CONTINUATION_LINES = 50;
/** Timestamps in the first bytes of a log mean that all its lines bear one. */
const STAMP_SAMPLE = 2048;
const STAMPED = /(?:^|\n|\xef\xbb\xbf)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z /;

/** What all inputs share: the formats and the automaton made from their `opens`. Build once. */
export interface LineScanPlan {
  readonly formats: readonly LineFormat[];
  /** Null when some format could match anywhere: then each line is undressed and tested. */
  readonly prefilter: Prefilter | null;
}

/** How each mark is written in a log, as literals for the prefilter. */
const MARK_LITERALS: Readonly<Record<string, readonly string[]>> = {
  error: ['##[error]', '::error'],
  warning: ['##[warning]', '::warning'],
  notice: ['##[notice]', '::notice'],
  debug: ['##[debug]', '::debug'],
  group: ['##[group]', '::group'],
  endgroup: ['##[endgroup]', '::endgroup'],
  command: ['[command]'],
  section: ['##[section]'],
};

export function planLineScan(formats: readonly LineFormat[]): LineScanPlan {
  const literals: OwnedLiteral[] = [];
  for (const [owner, format] of formats.entries()) {
    const own = requiredLiterals(format.opens);
    if (own === null) return { formats, prefilter: null };
    const marks = (format.marks ?? []).flatMap((mark) => MARK_LITERALS[mark] ?? []);
    literals.push(...own.map((one) => ({ ...one, owner })), ...marks.map((text) => ({ text, anchored: false, owner })));
  }
  const fold = formats.some((format) => format.opens.flags.includes('i'));
  return { formats, prefilter: new Prefilter(literals, fold) };
}

/** Scans the lines of one input. Feed it with `write`, close it with `end`. */
export class LineScanner {
  lines = 0;
  bytes = 0;
  private readonly plan: LineScanPlan;
  private readonly collector: Collector;
  private readonly readers: (LineReader | null)[];
  /** History, then lines not yet read, then free space. */
  private readonly buffer: Buffer;
  private filled = 0;
  /** Where in the buffer the first unread line starts. */
  private unread = 0;
  /** Offset in the input of the buffer's first byte. */
  private base = 0;
  /** True while the rest of an over-long line is thrown away. */
  private dropping = false;
  private currentStart = 0;
  private currentNumber = 0;
  /** Whether the log bears timestamps; null until its first lines are there. */
  private stampedLog: boolean | null = null;
  private readonly skip: Skip = { at: 0, lines: 0, owners: [] };

  /** @param blockBytes how much is read at once; results do not depend on it. */
  constructor(plan: LineScanPlan, collector: Collector, blockBytes: number = BLOCK_BYTES) {
    this.plan = plan;
    this.collector = collector;
    this.readers = plan.formats.map(() => null);
    this.buffer = Buffer.allocUnsafe(HISTORY_BYTES + MAX_LINE_BYTES + blockBytes);
  }

  write(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    let from = 0;
    while (from < chunk.length) {
      if (this.dropping) from = this.drop(chunk, from);
      const room = this.buffer.length - this.filled;
      const piece = chunk.subarray(from, from + room);
      this.buffer.set(piece, this.filled);
      this.filled += piece.length;
      from += piece.length;
      if (this.filled === this.buffer.length) this.readFilled();
    }
  }

  end(): void {
    this.readLines(this.filled);
    for (const [index, reader] of this.readers.entries()) {
      if (reader !== null) this.guarded(index, () => reader.end());
    }
  }

  /** Reads all complete lines of a full buffer, then makes room. */
  private readFilled(): void {
    const lastNewline = this.buffer.lastIndexOf(NEWLINE, this.filled - 1);
    if (lastNewline >= this.unread) this.readLines(lastNewline + 1);
    if (this.filled - this.unread > MAX_LINE_BYTES) {
      this.base += this.filled - (this.unread + MAX_LINE_BYTES + 1);
      this.filled = this.unread + MAX_LINE_BYTES + 1;
      this.dropping = true;
    }
    const keep = Math.max(0, this.unread - HISTORY_BYTES);
    this.buffer.copyWithin(0, keep, this.filled);
    this.base += keep;
    this.filled -= keep;
    this.unread -= keep;
  }

  /** Passes over the rest of a line of which enough is in the buffer. Returns where its newline is, or the end of the chunk. */
  private drop(chunk: Uint8Array, from: number): number {
    const newline = chunk.indexOf(NEWLINE, from);
    const to = newline < 0 ? chunk.length : newline;
    this.base += to - from;
    this.dropping = newline < 0;
    return to;
  }

  private readLines(to: number): void {
    const { prefilter } = this.plan;
    this.stampedLog ??= STAMPED.test(this.buffer.toString('latin1', 0, Math.min(to, STAMP_SAMPLE)));
    while (this.unread < to) {
      if (prefilter === null) {
        this.readLine(to);
        continue;
      }
      const active = this.anyActive();
      prefilter.skip(this.buffer, this.unread, active ? this.lineEnd(to) : to, this.skip);
      if (!active) {
        this.lines += this.skip.lines;
        this.unread = this.skip.at;
      }
      if (this.unread < to) this.readLine(to);
      // The last line of the input may have no newline; it counts all the same.
      else if (this.buffer[to - 1] !== NEWLINE) this.lines += 1;
    }
  }

  private lineEnd(to: number): number {
    const newline = this.buffer.indexOf(NEWLINE, this.unread);
    return newline < 0 || newline > to ? to : newline;
  }

  private readLine(to: number): void {
    const start = this.unread;
    const end = this.lineEnd(to);
    this.unread = Math.min(end + 1, to);
    this.lines += 1;
    this.currentStart = start;
    this.currentNumber = this.lines;
    const line = this.lineAt(start, end, this.lines);
    if (end - start > MAX_LINE_BYTES) this.noteCut(line);
    this.deliver(line);
  }

  private deliver(line: LogLine): void {
    const { formats, prefilter } = this.plan;
    for (let index = 0; index < formats.length; index += 1) {
      const format = formats[index] as LineFormat;
      const mayOpen = prefilter === null || this.skip.owners.includes(index);
      if (this.readers[index]?.active || (mayOpen && opens(format, line))) this.hand(index, format, line);
    }
  }

  private hand(index: number, format: LineFormat, line: LogLine): void {
    this.guarded(index, () => {
      const reader = this.readers[index] ?? format.open(this.contextOf(format));
      this.readers[index] = reader;
      reader.line(line);
    });
  }

  private contextOf(format: LineFormat): ScanContext {
    return { ...this.collector.contextOf(format.id), previous: (back) => this.previous(back) };
  }

  /** A defect in one format must not lose what the others read. */
  private guarded(index: number, work: () => void): void {
    try {
      work();
    } catch (thrown) {
      const id = this.plan.formats[index]?.id ?? 'unknown';
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.readers[index] = null;
      this.collector.damage({ what: `The reader of ${id} stopped: ${reason}`, line: this.currentNumber, byte: null });
    }
  }

  private anyActive(): boolean {
    for (const reader of this.readers) if (reader?.active) return true;
    return false;
  }

  private lineAt(start: number, end: number, number: number): LogLine {
    const readTo = Math.min(end, start + MAX_LINE_BYTES);
    const { text, mark, stamped } = undress(this.buffer.toString('utf8', start, readTo));
    const inherited = mark === null && !stamped && this.stampedLog ? this.markAbove(start) : mark;
    return { text, number, start: this.base + start, end: this.base + readTo, mark: inherited };
  }

  /** In a stamped log a line without a stamp continues the one above it; only an error's mark is worth inheriting. */
  private markAbove(start: number): Mark {
    let lineStart = start;
    for (let back = 0; back < CONTINUATION_LINES && lineStart > 0; back += 1) {
      const lineEnd = lineStart - 1;
      lineStart = lineEnd === 0 ? 0 : this.buffer.lastIndexOf(NEWLINE, lineEnd - 1) + 1;
      const head = this.buffer.toString('latin1', lineStart, Math.min(lineEnd, lineStart + 80));
      if (/^\d{4}-\d\d-\d\dT/.test(head)) return head.includes('##[error]') ? 'error' : null;
    }
    return null;
  }

  private previous(back: number): LogLine | undefined {
    if (back < 1 || back > HISTORY_LINES || back >= this.currentNumber) return undefined;
    let end = this.currentStart - 1;
    for (let step = 1; step < back && end > 0; step += 1) end = this.buffer.lastIndexOf(NEWLINE, end - 1);
    if (end < 0) return undefined;
    const start = end === 0 ? 0 : this.buffer.lastIndexOf(NEWLINE, end - 1) + 1;
    if (this.currentStart - start > HISTORY_BYTES) return undefined;
    return this.lineAt(start, end, this.currentNumber - back);
  }

  private noteCut(line: LogLine): void {
    const damage: Damage = {
      what: `A line longer than ${MAX_LINE_BYTES} bytes was cut.`,
      line: line.number,
      byte: line.start,
    };
    this.collector.damage(damage);
  }
}

function opens(format: LineFormat, line: LogLine): boolean {
  return format.opens.test(line.text) || (line.mark !== null && (format.marks?.includes(line.mark) ?? false));
}
