/** Expected and actual in the messages of assertion libraries of many languages, as a table of patterns. */
import { splitComparison, unquote } from './comparison.ts';

export interface ReportValues {
  readonly expected: string | null;
  readonly actual: string | null;
}

interface Pattern {
  readonly pattern: RegExp;
  /** True when the first group is the actual value. */
  readonly actualFirst?: true;
}

const CHARS = 8000;

const PATTERNS: readonly Pattern[] = [
  // TestNG; JUnit 3 to 5; Hamcrest; AssertJ; NUnit, xUnit, minitest, RSpec, jest; gtest; Spock; PHPUnit.
  { pattern: /expected \[([^\n]{0,500}?)\] but found \[([^\n]{0,500}?)\]/ },
  { pattern: /expected: ?<([^\n]{0,500}?)> but was: ?<([^\n]{0,500}?)>/ },
  { pattern: /expected same:<([^\n]{0,500}?)> was not:<([^\n]{0,500}?)>/ },
  { pattern: /^\s*Expected: ([^\n]+)\n\s*but: (?:was )?([^\n]+)$/m },
  {
    pattern: /^\s*Expecting(?: actual)?:\s*\n?\s*([^\n]+)\n\s*to (?:be|have|contain)[^\n]{0,60}:\s*\n?\s*([^\n]+)$/m,
    actualFirst: true,
  },
  { pattern: /^\s*expected: ?([^\n]+)\n\s*(?:but was|got|actual): *([^\n]+)$/im },
  { pattern: /^\s*Expected:? {0,8}([^\n]+)\n\s*(?:But was|Actual|Received|Got|Was):? *([^\n]+)$/m },
  { pattern: /^\s*Actual: ([^\n]+)\n\s*Expected: ([^\n]+)$/m, actualFirst: true },
  {
    pattern:
      /Failed asserting that ([^\n]{1,300}?) (?:matches expected|is identical to|is equal to|equals) ([^\n]{1,300}?)\.?$/m,
    actualFirst: true,
  },
  { pattern: /^--- Expected\n\+\+\+ Actual\n(?:@@[^\n]*\n)?(?: [^\n]*\n)*-([^\n]*)\n\+([^\n]*)$/m },
  {
    pattern:
      /^\s*(?:AssertionError: )?expected ([^\n]{1,300}?) to (?:deeply |strictly )?(?:equal|be|eql) ([^\n]{1,300}?)$/m,
    actualFirst: true,
  },
  { pattern: /\bgot:? ([^\n]{1,200}?),? (?:but )?(?:want|expected):? ([^\n]{1,200})$/im, actualFirst: true },
  { pattern: /\bexpected:? ([^\n]{1,200}?),? (?:but )?got:? ([^\n]{1,200})$/im },
];

const GTEST_EQUALITY =
  /Expected equality of these values:\n\s+([^\n]+)(?:\n\s+Which is: ([^\n]+))?\n\s+([^\n]+)(?:\n\s+Which is: ([^\n]+))?/;
const CATCH_EXPANSION = /with expansion:\n\s*([^\n]+)/;
const OPERATORS = [' == ', ' != ', ' <= ', ' >= ', ' < ', ' > '];

/** googletest prints both sides without saying which is which: the first is the expected one in its own documentation. */
function gtest(text: string): ReportValues | null {
  const match = GTEST_EQUALITY.exec(text);
  return match && { expected: value(match[2] ?? match[1]), actual: value(match[4] ?? match[3]) };
}

function catch2(text: string): ReportValues | null {
  const expansion = CATCH_EXPANSION.exec(text)?.[1];
  if (expansion === undefined) return null;
  const sides = splitComparison(expansion, OPERATORS);
  return sides
    ? { expected: value(sides.right), actual: value(sides.left) }
    : { expected: null, actual: value(expansion) };
}

function value(text: string | undefined): string {
  return unquote((text ?? '').trim());
}

/** The values that a failure's text names; null where it does not. */
export function reportValues(text: string): ReportValues {
  const clipped = text.slice(0, CHARS);
  const special = gtest(clipped) ?? catch2(clipped);
  if (special) return special;
  for (const { pattern, actualFirst } of PATTERNS) {
    const match = pattern.exec(clipped);
    if (!match) continue;
    const [first, second] = [value(match[1]), value(match[2])];
    return actualFirst ? { expected: second, actual: first } : { expected: first, actual: second };
  }
  return { expected: null, actual: null };
}
