/** The fast path of the scanner: one automaton (Aho-Corasick) finds, in raw bytes, the lines that could interest any format. */

const NEWLINE = 0x0a;
const ESCAPE = 0x1b;
const CARET = 0x5e;
const BRACKET = 0x5b;

/** Values of the transition table that stop the inner loop. All others are states. */
const HIT = -1;
const LINE_END = -2;
const MAYBE_ANSI = -3;

/** Length of `2026-04-22T16:24:46.8301311Z `, which starts each line of an Actions log. */
const TIMESTAMP_BYTES = 29;

/** What `skip` found: the start of a line to look at (or `to`), and how many lines lie before it. */
export interface Skip {
  at: number;
  lines: number;
}

/** Looks for a set of literals in bytes, as if colour codes were not there. */
export class Prefilter {
  private readonly classOf = new Uint8Array(256);
  private readonly table: Int32Array;

  /** @param literals what to look for. @param fold whether ASCII case is ignored. */
  constructor(literals: readonly string[], fold: boolean) {
    // The automaton reads over carets and ESC (they may start a colour code), so the words are looked for without them.
    const plain = literals.map((text) => (fold ? text.toLowerCase() : text).replace(/[\^\x1b\n]/g, ''));
    const words = plain.map((text) => Buffer.from(text, 'utf8'));
    const classes = this.assignClasses(words, fold);
    this.table = buildTable(words, classes, this.classOf);
    for (let state = 0; state < this.table.length; state += classes) {
      this.table[state + (this.classOf[NEWLINE] ?? 0)] = LINE_END;
      this.table[state + (this.classOf[ESCAPE] ?? 0)] = MAYBE_ANSI;
      this.table[state + (this.classOf[CARET] ?? 0)] = MAYBE_ANSI;
    }
  }

  /**
   * From the line start `from`, passes over the lines of `bytes` that hold none of the literals, up to `to`. All lines in between
   * must be complete but the last. Writes into `skip` the start of the first line that holds one, or `to`.
   */
  skip(bytes: Uint8Array, from: number, to: number, skip: Skip): void {
    const { table, classOf } = this;
    let lineStart = from;
    let lines = 0;
    let at = afterTimestamp(bytes, from);
    let state = 0;
    while (at < to) {
      const next = table[state + (classOf[bytes[at] as number] as number)] as number;
      at += 1;
      if (next >= 0) {
        state = next;
        continue;
      }
      if (next === LINE_END) {
        lines += 1;
        lineStart = at;
        at = afterTimestamp(bytes, at);
        state = 0;
      } else if (next === HIT) {
        skip.at = lineStart;
        skip.lines = lines;
        return;
      } else {
        at = afterAnsi(bytes, at, to);
      }
    }
    skip.at = to;
    skip.lines = lines;
  }

  /** Gives each byte value that occurs in a word its own class; class 0 is all others. Returns the number of classes. */
  private assignClasses(words: readonly Uint8Array[], fold: boolean): number {
    const special = [ESCAPE, CARET, NEWLINE];
    let count = 1;
    for (const byte of special) this.classOf[byte] = count++;
    for (const byte of words.flatMap((word) => [...word])) this.classOf[byte] ||= count++;
    for (let upper = 0x41; fold && upper <= 0x5a; upper += 1) this.classOf[upper] = this.classOf[upper + 0x20] ?? 0;
    return count;
  }
}

function afterTimestamp(bytes: Uint8Array, at: number): number {
  return bytes[at + 27] === 0x5a && bytes[at + 10] === 0x54 && bytes[at + 4] === 0x2d ? at + TIMESTAMP_BYTES : at;
}

/** `at` stands behind an ESC or a caret. Passes over the rest of a colour code; on anything else stays. */
function afterAnsi(bytes: Uint8Array, at: number, to: number): number {
  let next = at;
  if (bytes[at - 1] === CARET) {
    if (bytes[next] !== BRACKET) return at;
    next += 1;
  }
  if (bytes[next] !== BRACKET) return at;
  next += 1;
  while (next < to && next < at + 40) {
    const byte = bytes[next] as number;
    next += 1;
    if (byte >= 0x40 && byte <= 0x7e) return next;
    if (byte < 0x20) return at;
  }
  return at;
}

/** States are rows of the table, named by their offset in it, so that a step is one addition and one load. */
function buildTable(words: readonly Uint8Array[], classes: number, classOf: Uint8Array): Int32Array {
  const next: Int32Array[] = [new Int32Array(classes)];
  const accepts: boolean[] = [false];
  for (const word of words) {
    let node = 0;
    for (const byte of word) {
      const row = next[node] as Int32Array;
      const input = classOf[byte] ?? 0;
      if (row[input] === 0) {
        row[input] = next.length;
        next.push(new Int32Array(classes));
        accepts.push(false);
      }
      node = row[input] as number;
    }
    accepts[node] = word.length > 0;
  }
  closeOverFailures(next, accepts, classes);
  const table = new Int32Array(next.length * classes);
  for (const [node, row] of next.entries()) {
    for (let input = 0; input < classes; input += 1) {
      const target = row[input] as number;
      table[node * classes + input] = accepts[target] ? HIT : target * classes;
    }
  }
  return table;
}

/** Turns the trie into the automaton: where a word cannot go on, its longest suffix that starts another word does. */
function closeOverFailures(next: readonly Int32Array[], accepts: boolean[], classes: number): void {
  const fallback = new Int32Array(next.length);
  const queue: number[] = [];
  for (const child of next[0] ?? []) if (child !== 0) queue.push(child);
  for (let head = 0; head < queue.length; head += 1) {
    const node = queue[head] as number;
    const row = next[node] as Int32Array;
    const other = next[fallback[node] as number] as Int32Array;
    accepts[node] ||= accepts[fallback[node] as number] ?? false;
    for (let input = 0; input < classes; input += 1) {
      const child = row[input] as number;
      if (child === 0) {
        row[input] = other[input] as number;
      } else {
        fallback[child] = other[input] as number;
        queue.push(child);
      }
    }
  }
}
