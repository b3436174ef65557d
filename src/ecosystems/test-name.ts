/** Full test names of JavaScript runners, as reports print them, turned into patterns that match the test and nothing else. */

const SEPARATOR = / (?:›|>|») /;
const SCRIPT = /^\S+\.[cm]?[jt]sx?$/;

/** Titles from the outermost suite to the test. A leading file name, as vitest and JUnit reports print it, is no title. */
export function titlesOf(name: string, file: string | null): readonly string[] {
  const titles = name.trim().split(SEPARATOR);
  const first = titles[0] ?? '';
  return titles.length > 1 && (first === file || SCRIPT.test(first)) ? titles.slice(1) : titles;
}

/**
 * Matches the titles joined by spaces, as runners join them before they compare. A separator may also be part of a title,
 * and white space may have been folded on its way through the log.
 */
export function fullNamePattern(titles: readonly string[]): string {
  return `^${titles.map(literal).join('(?: | [›>»] )')}$`;
}

/** Matches the text alone; `/` is left as it is, because nothing here is written between slashes. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
}
