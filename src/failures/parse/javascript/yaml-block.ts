/** Reads the YAML-like diagnostics under a TAP test point, also when they are not well-formed YAML. */

/** The keys of one level, each with its text: the inline value, or the lines below it without their indentation. */
export type Diagnostics = ReadonlyMap<string, string>;

const KEY = /^(\s*)([A-Za-z_][\w ]{0,60}?):(?:\s+(.*))?$/;
const BLOCK_MARK = /^[|>][+-]?\d?$/;

/** @param lines what stands between `---` and `...`. Later duplicates of a key are ignored. */
export function readDiagnostics(lines: readonly string[]): Diagnostics {
  const found = new Map<string, string>();
  const base = indentOf(lines.find((line) => line.trim() !== '') ?? '');
  for (let at = 0; at < lines.length; ) {
    const key = KEY.exec(lines[at] ?? '');
    const below = belowOf(lines, at + 1, base);
    if (key !== null && (key[1] ?? '').length === base && !found.has(key[2] ?? '')) {
      const inline = (key[3] ?? '').trim();
      const nested = inline === '' || BLOCK_MARK.test(inline);
      found.set(key[2] ?? '', nested ? dedent(lines.slice(at + 1, below)) : scalar(inline));
    }
    at = Math.max(below, at + 1);
  }
  return found;
}

/** The first line from `from` on that is not deeper than the base level. */
function belowOf(lines: readonly string[], from: number, base: number): number {
  let at = from;
  while (at < lines.length && ((lines[at] ?? '').trim() === '' || indentOf(lines[at] ?? '') > base)) at += 1;
  return at;
}

function dedent(lines: readonly string[]): string {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map(indentOf), 200);
  return lines
    .map((line) => line.slice(indent))
    .join('\n')
    .trimEnd();
}

function scalar(inline: string): string {
  const quote = inline[0];
  if (inline.length < 2 || (quote !== "'" && quote !== '"') || inline.at(-1) !== quote) return inline;
  const inner = inline.slice(1, -1);
  return quote === "'"
    ? inner.replaceAll("''", "'")
    : inner.replaceAll('\\"', '"').replaceAll('\\n', '\n').replaceAll('\\\\', '\\');
}

function indentOf(line: string): number {
  return Math.max(0, line.search(/\S/));
}
