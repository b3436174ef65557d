/** The fast path of the scanner: one automaton (Aho-Corasick) finds, in raw bytes, the lines that could interest any format. */

import type { Literal } from './literals.ts';
import { FOUND, Trie } from './trie.ts';

const NEWLINE = 0x0a;
const ESCAPE = 0x1b;
const CARET = 0x5e;
const BRACKET = 0x5b;

/** Values of the transition table that stop the inner loop. All others are states. */
const LINE_END = -1;
const MAYBE_ANSI = -2;

/** Length of `2026-04-22T16:24:46.8301311Z`, which starts each line of an Actions log. */
const TIMESTAMP_BYTES = 28;

/**
 * After these the text of a line may begin again: what `undress` takes off a line ends with one of them (a bar of docker compose, a
 * bracket of a mark, the colon of a task runner, the number of BuildKit, a timestamp further in, a carriage return, a BOM).
 */
const RESTARTS = ['|', ']', ': ', 'Z', '\r', '\ufeff', ...Array.from('0123456789', (digit) => `${digit} `)];
const WHITE_SPACE = [0x20, 0x09];

/** What `skip` found: the start of a line to look at (or `to`), and how many lines lie before it. */
export interface Skip {
  at: number;
  lines: number;
  /** Whose literals are in the line found. */
  readonly owners: number[];
}

/** A literal, and the number of the one who looks for it. */
export interface OwnedLiteral extends Literal {
  readonly owner: number;
}

/** Looks for a set of literals in bytes, as if colour codes were not there. */
export class Prefilter {
  private readonly classOf = new Uint8Array(256);
  private readonly trie: Trie;
  private readonly table: Int32Array;
  /** The state at the start of a line. */
  private readonly lineStart: number;

  /** @param literals what to look for. @param fold whether ASCII case is ignored. */
  constructor(literals: readonly OwnedLiteral[], fold: boolean) {
    const words = literals.map(({ text, anchored, owner }) => ({ bytes: bytesOf(text, fold), anchored, owner }));
    const restarts = RESTARTS.map((text) => bytesOf(text, fold));
    const classes = this.assignClasses([...words.map((word) => word.bytes), ...restarts], fold);
    const trie = new Trie(classes, this.classOf);
    this.trie = trie;
    this.lineStart = trie.lineStart * classes;
    for (const word of words) trie.add(word.bytes, word.anchored ? 'line start' : 'anywhere', word.owner);
    for (const restart of restarts) trie.addRestart(restart);
    this.table = trie.toTable();
    for (let state = 0; state < this.table.length; state += classes) {
      this.table[state + (this.classOf[NEWLINE] ?? 0)] = LINE_END;
      this.table[state + (this.classOf[ESCAPE] ?? 0)] = MAYBE_ANSI;
      this.table[state + (this.classOf[CARET] ?? 0)] = MAYBE_ANSI;
    }
  }

  /**
   * From the line start `from`, passes over the lines of `bytes` that hold none of the literals, up to `to`. All lines in between
   * must be complete but the last. Writes into `skip` the start of the first line that holds one, or `to`,
   * and who owns the literals that this line holds.
   */
  skip(bytes: Uint8Array, from: number, to: number, skip: Skip): void {
    const { table, classOf, lineStart } = this;
    let line = from;
    let lines = 0;
    let at = afterTimestamp(bytes, from);
    let state = lineStart;
    skip.owners.length = 0;
    while (at < to) {
      const next = table[state + (classOf[bytes[at] as number] as number)] as number;
      at += 1;
      if (next >= 0) {
        state = next;
        continue;
      }
      if (next === LINE_END) {
        if (skip.owners.length > 0) break;
        lines += 1;
        line = at;
        at = afterTimestamp(bytes, at);
        state = lineStart;
      } else if (next === MAYBE_ANSI) {
        at = afterAnsi(bytes, at, to);
      } else {
        state = FOUND - next;
        this.trie.addOwners(state, skip.owners);
      }
    }
    skip.at = skip.owners.length > 0 ? line : to;
    skip.lines = lines;
  }

  /** Gives each byte value that occurs in a word its own class; class 0 is all others. Returns the number of classes. */
  private assignClasses(words: readonly Uint8Array[], fold: boolean): number {
    const special = [ESCAPE, CARET, NEWLINE, ...WHITE_SPACE];
    let count = 1;
    for (const byte of special) this.classOf[byte] = count++;
    for (const byte of words.flatMap((word) => [...word])) this.classOf[byte] ||= count++;
    for (let upper = 0x41; fold && upper <= 0x5a; upper += 1) this.classOf[upper] = this.classOf[upper + 0x20] ?? 0;
    return count;
  }
}

/** The automaton reads over carets and ESC (they may start a colour code), so words are looked for without them. */
function bytesOf(text: string, fold: boolean): Uint8Array {
  return Buffer.from((fold ? text.toLowerCase() : text).replace(/[\^\x1b\n]/g, ''), 'utf8');
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
