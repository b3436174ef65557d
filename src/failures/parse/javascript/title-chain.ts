/** Keeps the titles above an indented test point, and knows which failed points were only passing on a failure below them. */

interface Level {
  readonly indent: number;
  readonly title: string;
}

export class TitleChain {
  private levels: Level[] = [];
  /** Indents of failed points whose parents are still open. */
  private failed: number[] = [];

  /** A suite or subtest is announced at this indentation. */
  open(indent: number, title: string): void {
    this.levels = this.levels.filter((level) => level.indent < indent);
    if (this.levels.length < 100) this.levels.push({ indent, title });
  }

  /** The full name of a point at this indentation. */
  nameOf(indent: number, title: string): string {
    const above = this.levels.filter((level) => level.indent < indent).map((level) => level.title);
    return [...above, title].join(' > ');
  }

  /** Closes a point. Returns true when something below it failed. */
  close(indent: number, outcome: 'failed' | 'other'): boolean {
    const below = this.failed.some((other) => other > indent);
    this.failed = this.failed.filter((other) => other <= indent).slice(-100);
    this.levels = this.levels.filter((level) => level.indent < indent);
    if (outcome === 'failed') this.failed.push(indent);
    return below;
  }
}
