/** The commands and outputs that README.md shows, found by the comments before them. */

export interface Example {
  readonly command: string;
  /** What the page says the command prints, on stdout. */
  readonly output: string;
}

/** `<!-- test: NAME -->` stands before the command, `<!-- output: NAME -->` before what it prints. */
export function exampleOf(page: string, name: string): Example {
  return { command: blockAfter(page, `<!-- test: ${name} -->`), output: blockAfter(page, `<!-- output: ${name} -->`) };
}

/** Text of the fenced block that follows the mark. */
export function blockAfter(page: string, mark: string): string {
  const start = page.indexOf(mark);
  const found = start < 0 ? null : /^\s*(`{3,})[a-z]*\n([\s\S]*?)\n\1(?:\n|$)/.exec(page.slice(start + mark.length));
  if (found === null) throw new Error(`The page has no block after ${mark}.`);
  return found[2] ?? '';
}

/** What differs from one run to the next, and what stands for it. */
const VOLATILE: readonly (readonly [string, RegExp])[] = [
  ['PORT', /(?<=127\.0\.0\.1:)\d+/g],
  ['COMMENT', /(?<=issuecomment-)\d+/g],
  ['TIME', /\b\d+ ms\b/g],
  ['EVIDENCE', /\bev_[0-9a-f]{16} bytes \d+-\d+/g],
  // Columns are as wide as their volatile cells.
  ['  ', / {2,}/g],
];

/** The text with everything volatile named instead. */
export function masked(text: string): string {
  return VOLATILE.reduce((all, [name, pattern]) => all.replace(pattern, name), text).trim();
}
