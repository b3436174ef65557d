/** Builds the automaton of the prefilter: a trie of words closed over failures (Aho-Corasick), with a state for line starts. */

/** Table values below zero are no plain states. Those from here down are: `FOUND - state`, a word ends here. */
export const FOUND = -3;

const ROOT = 0;
const WHITE_SPACE = [0x20, 0x09];

export class Trie {
  /** The node where a line begins; words added there are found only at the start of a text. */
  readonly lineStart = 1;
  private readonly classes: number;
  private readonly classOf: Uint8Array;
  /** For each node the next node by input class; 0 where there is none. */
  private readonly next: Int32Array[];
  private ownerLists: readonly (readonly number[])[] = [];
  /** For each node the owners of the words that end there. */
  private readonly accepts: Set<number>[] = [new Set(), new Set()];
  /** Nodes after which a text may begin again. */
  private readonly restarts = new Set<number>();

  constructor(classes: number, classOf: Uint8Array) {
    this.classes = classes;
    this.classOf = classOf;
    this.next = [new Int32Array(classes), new Int32Array(classes)];
  }

  add(word: Uint8Array, where: 'line start' | 'anywhere', owner: number): void {
    if (word.length > 0) this.ownersAt(this.walk(word, where === 'line start' ? this.lineStart : ROOT)).add(owner);
  }

  /** Adds to the list whose words end in the state that was found. On the fast path: no iterator, no set. */
  addOwners(state: number, list: number[]): void {
    const owners = this.ownerLists[state / this.classes] as readonly number[];
    for (let index = 0; index < owners.length; index += 1) {
      const owner = owners[index] as number;
      if (!list.includes(owner)) list.push(owner);
    }
  }

  /** What follows these bytes counts as the start of a line. */
  addRestart(word: Uint8Array): void {
    this.restarts.add(this.walk(word, ROOT));
  }

  /** States are rows of the table, named by their offset in it, so that a step is one addition and one load. */
  toTable(): Int32Array {
    this.close();
    this.ownerLists = this.accepts.map((owners) => [...owners]);
    const table = new Int32Array(this.next.length * this.classes);
    for (const [node, row] of this.next.entries()) {
      for (const [input, target] of row.entries()) {
        table[node * this.classes + input] =
          this.ownersAt(target).size > 0 ? FOUND - target * this.classes : target * this.classes;
      }
    }
    return table;
  }

  private walk(word: Uint8Array, from: number): number {
    let node = from;
    for (const byte of word) {
      const row = this.row(node);
      const input = this.classOf[byte] ?? 0;
      if (row[input] === 0) {
        row[input] = this.next.length;
        this.next.push(new Int32Array(this.classes));
        this.accepts.push(new Set());
      }
      node = row[input] as number;
    }
    return node;
  }

  /** Where a word cannot go on, its longest suffix that starts another word does. Breadth first: a fallback is closed before its users. */
  private close(): void {
    const fallback = new Int32Array(this.next.length);
    const queue: number[] = [];
    for (const child of this.row(ROOT)) if (child !== 0) queue.push(child);
    this.closeRow(this.lineStart, ROOT, fallback, queue);
    for (const byte of WHITE_SPACE) this.row(this.lineStart)[this.classOf[byte] ?? 0] = this.lineStart;
    for (let head = 0; head < queue.length; head += 1) {
      const node = queue[head] as number;
      const behind = this.restarts.has(node) ? this.lineStart : (fallback[node] as number);
      for (const owner of this.ownersAt(behind)) this.ownersAt(node).add(owner);
      this.closeRow(node, behind, fallback, queue);
    }
  }

  private closeRow(node: number, behind: number, fallback: Int32Array, queue: number[]): void {
    const row = this.row(node);
    const other = this.row(behind);
    for (let input = 0; input < this.classes; input += 1) {
      const child = row[input] as number;
      const elsewhere = other[input] as number;
      if (child === 0) {
        row[input] = elsewhere;
      } else {
        fallback[child] = elsewhere;
        queue.push(child);
      }
    }
  }

  private ownersAt(node: number): Set<number> {
    return this.accepts[node] as Set<number>;
  }

  private row(node: number): Int32Array {
    return this.next[node] as Int32Array;
  }
}
