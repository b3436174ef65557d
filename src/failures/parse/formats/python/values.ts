/** Expected and actual in the message of a Python assertion: pytest's introspection, unittest, doctest, numpy. */
import { callArguments, leftIsExpected, type Sides, splitComparison, unquote } from '../reading/comparison.ts';

export interface PythonValues {
  readonly expected: string | null;
  readonly actual: string | null;
}

const NONE: PythonValues = { expected: null, actual: null };
const ASSERT_OPERATORS = [' == ', ' is ', ' in ', ' <= ', ' >= ', ' < ', ' > ', ' != ', ' not in ', ' is not '];
const NEGATED = /^not (.*)$/;
const UNITTEST_CALL = /assert\w*\s*\(/;
/** `Lists differ: `, `Tuples differ: ` and the like stand before unittest's comparison. */
const DIFFER = /^(?:\w+ differ|Lists|Tuples|Sets|Dicts)[^:]*: /;

function literal(text: string, otherwise: string): PythonValues {
  return { expected: otherwise, actual: text };
}

/** Orders two printed values by what the source of the assertion says. */
function ordered(sides: Sides, source: Pick<Sides, 'left' | 'right'> | null): PythonValues {
  const left = unquote(sides.left);
  const right = unquote(sides.right);
  const swapped = source ? leftIsExpected(source.left, source.right) : false;
  return swapped ? { expected: left, actual: right } : { expected: right, actual: left };
}

function introspection(text: string, source: string): PythonValues {
  const negated = NEGATED.exec(text);
  if (negated) return literal(negated[1] ?? '', 'False');
  const sides = splitComparison(text, ASSERT_OPERATORS);
  if (!sides) return /^(?:False|None|0|''|""|\[\]|\{\}|\(\))$/.test(text) ? { expected: null, actual: text } : NONE;
  if (sides.operator === '!=' || sides.operator.includes('not')) return { expected: null, actual: unquote(sides.left) };
  const code = source.startsWith('assert ') ? splitComparison(source.slice(7), [` ${sides.operator} `]) : null;
  return ordered(sides, code);
}

function unittest(text: string, source: string): PythonValues {
  const truth = /^(\S.*) is not (true|false|None)\b/.exec(text);
  if (truth) return { expected: truth[2] === 'None' ? 'None' : (truth[2] ?? ''), actual: unquote(truth[1] ?? '') };
  const missing = splitComparison(text, [' not found in ', ' unexpectedly found in ']);
  if (missing) return { expected: unquote(missing.left), actual: unquote(missing.right) };
  const sides = splitComparison(text.replace(DIFFER, ''), [' != ', ' is not ', ' not equal to ']);
  if (!sides) return NONE;
  const given = callArguments(source, UNITTEST_CALL);
  const code = given && given.length >= 2 ? { left: given[0] ?? '', right: given[1] ?? '' } : null;
  return ordered({ ...sides, right: sides.right.replace(/ : .*$/s, '') }, code);
}

const LABELLED: readonly { readonly expected: RegExp; readonly actual: RegExp }[] = [
  { expected: /^\s*Expected: (.+)$/m, actual: /^\s*(?:Actual|Got|Received|But was): (.+)$/m },
  { expected: /^\s*DESIRED: (.+)$/m, actual: /^\s*ACTUAL: (.+)$/m },
  { expected: /^\s*y: (.+)$/m, actual: /^\s*x: (.+)$/m },
  { expected: /\bexpected[: ]+(\S+)/i, actual: /\b(?:got|but was|actual|received|returned code)[: ]+(\S+)/i },
];

/** `returned code: 1`: a status that should have been 0. */
const EXIT_STATUS =
  /\b(?:returned (?:code|status)|return code|exit (?:code|status)|exited with(?: code| status)?):? (-?\d+)\b/;

function labelled(message: string): PythonValues {
  const text = message.slice(0, 2000);
  for (const { expected, actual } of LABELLED) {
    const wanted = expected.exec(text)?.[1];
    const got = actual.exec(text)?.[1];
    if (wanted !== undefined && got !== undefined) return { expected: clean(wanted), actual: clean(got) };
  }
  const status = EXIT_STATUS.exec(text)?.[1];
  return status === undefined || status === '0' ? NONE : { expected: '0', actual: status };
}

function clean(text: string): string {
  return unquote(text.replace(/[,;)]+$/, ''));
}

/** Values in the message of an exception. `source` is the line of code that raised it, when printed. */
export function pythonValues(message: string, source: string): PythonValues {
  const head = message.split('\n', 1)[0] ?? '';
  const bare = head.replace(/^(?:[\w.]+\.)?Assertion(?:Error)?: /, '');
  if (bare.startsWith('assert ')) return introspection(bare.slice(7).trim(), source);
  const later = /^assert (.+)$/m.exec(message.slice(0, 4000))?.[1];
  if (later !== undefined) return introspection(later.trim(), source);
  if (bare === head && !/^[\w.]*Error\b/.test(head)) return NONE;
  const values = unittest(bare, source);
  return values.expected !== null || values.actual !== null ? values : labelled(message);
}

/** Values of a doctest: the lines under `Expected:` and `Got:`; null when it expected nothing. */
export function doctestValues(lines: readonly string[]): PythonValues | null {
  const expectedAt = lines.findIndex((line) => /^Expected(?: nothing)?:?$/.test(line.trim()));
  const gotAt = lines.findIndex((line, at) => at >= expectedAt && /^Got(?: nothing)?:?$/.test(line.trim()));
  if (expectedAt < 0 || gotAt < 0) return null;
  const firstUnder = (from: number): string | null => {
    const line = lines[from + 1];
    return line !== undefined && /^\s+\S/.test(line) ? line.trim() : null;
  };
  return { expected: firstUnder(expectedAt), actual: firstUnder(gotAt) };
}
