/** Reads expected and actual values from the messages of JavaScript assertion libraries. */

export interface Values {
  readonly expected: string | null;
  readonly actual: string | null;
}

const NONE: Values = { expected: null, actual: null };
const LABELLED = /^\s*(Expected|Received)(?: [a-z][\w ()-]{0,60})?:\s+(.*)$/;
// `- Expected  - 1`, `+ Received  + 1`, `- Snapshot - 1`, `+ actual - expected`, mocha's `+ expected - actual`.
const MINUS_LEGEND = /^\s*-\s+(Expected|Snapshot|expected)\b(?!.*\bactual\b)/;
const PLUS_LEGEND = /^\s*\+\s+(Received|actual|received)\b(?!.*\bexpected\b)/;
const ONE_LINE_LEGEND = /^\s*\+ (actual|expected) - (actual|expected)\b/;
const CHAI =
  /expected (.{1,400}?) to (?:deeply |loosely |strictly )?(?:equal|be|eql|have (?:a )?(?:length|value|lengthOf)(?: of)?)(?: deeply)? (.{1,400})$/;
const STRICT_PAIR = /^(?!assert\b)(.{1,400}?) !==? (.{1,400})$/;
const MAX_VALUE = 4000;

/** The values of one failure, from its message and body lines (undressed). Null where nothing is said. */
export function readValues(lines: readonly string[]): Values {
  const labelled = readLabels(lines);
  if (labelled.expected !== null || labelled.actual !== null) return labelled;
  const diff = readDiff(lines);
  if (diff.expected !== null || diff.actual !== null) return diff;
  return readSentence(lines);
}

/** jest: `Expected: 1` and `Received: 2`, the first of each. */
function readLabels(lines: readonly string[]): Values {
  let expected: string | null = null;
  let actual: string | null = null;
  for (const line of lines) {
    const found = LABELLED.exec(line);
    if (found === null) continue;
    const value = unquote((found[2] ?? '').trim());
    if (found[1] === 'Expected') expected ??= value;
    else actual ??= value;
  }
  return { expected, actual };
}

/** A diff with a legend: the first removed and the first added line; which side is expected is in the legend. */
function readDiff(lines: readonly string[]): Values {
  const start = lines.findIndex(isLegend);
  if (start < 0) return NONE;
  const plusIsExpected = ONE_LINE_LEGEND.exec(lines[start] ?? '')?.[1] === 'expected';
  const body = lines.slice(start).filter((line) => !isLegend(line));
  const minus = firstSide(body, '-');
  const plus = firstSide(body, '+');
  return plusIsExpected ? { expected: plus, actual: minus } : { expected: minus, actual: plus };
}

/** The first line of one side; when it is blank, all of that side up to the next line of another kind. */
function firstSide(lines: readonly string[], sign: '-' | '+'): string | null {
  const isSide = (line: string) => line.trimStart().startsWith(sign);
  const from = lines.findIndex(isSide);
  if (from < 0) return null;
  const length = lines.slice(from).findIndex((line) => !isSide(line));
  const run = lines
    .slice(from, length < 0 ? undefined : from + length)
    .map((line) => line.trimStart().slice(1).replace(/^ /, ''));
  const first = (run[0] ?? '').trim();
  return first === '' ? run.join('\n').slice(0, MAX_VALUE) : unquote(first);
}

function isLegend(line: string): boolean {
  return (
    ONE_LINE_LEGEND.test(line) || MINUS_LEGEND.test(line) || PLUS_LEGEND.test(line) || /^\s*(?:---|\+\+\+) /.test(line)
  );
}

/** chai's sentence (`expected 1 to equal 2`) and Node's `1 !== 2`. Both name the actual value first. */
function readSentence(lines: readonly string[]): Values {
  for (const line of lines.slice(0, 12)) {
    if (line.length > 1000) continue;
    const found = CHAI.exec(line) ?? STRICT_PAIR.exec(line.trim());
    if (found === null) continue;
    return {
      actual: unquote((found[1] ?? '').trim()),
      expected: unquote((found[2] ?? '').replace(/\s*\/\/ .*$/, '').trim()),
    };
  }
  return NONE;
}

/** Takes one pair of quotes off, and the backslashes that escaped them. A trailing comma of a diff line stays. */
export function unquote(value: string): string {
  const short = value.slice(0, MAX_VALUE);
  const quote = short[0];
  if (short.length < 2 || quote === undefined || !`'"\``.includes(quote) || short.at(-1) !== quote) return short;
  const inner = short.slice(1, -1);
  if (inner.includes(quote) && !inner.includes(`\\${quote}`)) return short;
  return inner.replaceAll(`\\${quote}`, quote);
}
