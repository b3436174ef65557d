/** Reads from a runner's output what the failing assertion compared, or what was thrown, with its place in the text. */

import type { Value } from '../../pipeline/value/model.ts';
import { diffSides, isAbbreviated, observedOutcome } from '../../pipeline/value/outcome.ts';
import { compareValues, parseValue } from '../../pipeline/value/value.ts';

/** Text of the output; offsets in UTF-16 units, end exclusive. */
export interface Cited {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The two values of the assertion in the order of its own sides; null where the runner prints none. */
export interface Observation {
  readonly first: Cited | null;
  readonly second: Cited | null;
}

interface Pair {
  readonly first: Cited | null;
  readonly second: Cited | null;
  readonly values: { readonly first: Value | null; readonly second: Value | null };
}

const MAX_OUTPUT = 400_000;
const MAX_PAIRS = 60;
const MAX_TRIED = 2000;
const MAX_DIFFS = 10;

/** `actual:` and `expected:` of node:test, in either order, one line each. */
const NODE_SCALARS = /^[ \t]*expected: (?<second>\S.*)\n[ \t]*actual: (?<first>\S.*)$/dgm;
/** The same in an inspected error, over several lines. */
const NODE_INSPECTED =
  /^[ \t]*actual: (?<first>(?:(?!\n[ \t]*(?:expected|actual): )[\s\S]){1,4000})\n[ \t]*expected: (?<second>(?:(?!\n[ \t]*(?:operator|expected|actual): )[\s\S]){1,4000})\n[ \t]*operator: /dgm;
const JEST_LABELS = /^[ \t]*Expected: (?!not )(?<second>\S.*)\n[ \t]*Received: [ \t]*(?<first>\S.*)$/dgm;
const JEST_RECEIVED = /^[ \t]*Received: [ \t]*(?<first>\S.*)$/dgm;
const CHAI =
  /\bexpected (?<first>\S.{0,1000}?) to (?:deeply |strictly |loosely )?(?:deep )?(?:equal|be|eql)(?: close to)? (?<second>\S.{0,1000}?)(?: \/\/ Object\.is equality)?(?:, received .*)?$/dgm;
const STRICT = /^[ \t]*(?!E\s)(?<first>\S.{0,1000}?) (?:!==|===|!=|==) (?<second>\S.{0,1000})$/dgm;
const PYTEST =
  /^E[ \t]+(?:AssertionError: (?:assert )?|assert )(?<first>\S.{0,2000}?) (?:==|is) (?<second>\S.{0,2000}?)(?: ± .*)?$/dgm;
const PYTEST_ALONE = /^E[ \t]+(?:AssertionError: )?assert (?<first>\S.{0,2000})$/dgm;
const UNITTEST =
  /^(?:E[ \t]+)?AssertionError: (?:(?:Lists|Tuples|Sequences|Sets|Items) differ: )?(?<first>\S.{0,2000}?) (?:!=|is not) (?<second>\S.{0,2000}?)(?: within \d+ places.*| : .*)?$/dgm;

const PATTERNS: readonly RegExp[] = [NODE_SCALARS, NODE_INSPECTED, JEST_LABELS, CHAI, STRICT, PYTEST, UNITTEST];
const ALONE: readonly RegExp[] = [JEST_RECEIVED, PYTEST_ALONE];

/** Words of unittest that stand for a value. */
const SPELT: Readonly<Record<string, string>> = { true: 'True', false: 'False' };

/** What was compared, when everything that the region prints about it agrees; otherwise why not. */
export function observationIn(
  output: string,
  region: { readonly start: number; readonly end: number } | null,
): Observation | { readonly missing: string } {
  if (output.length > MAX_OUTPUT) return { missing: 'the output of the re-run is too long to be read' };
  const near = region ? pairsIn(output, region.start, region.end) : [];
  const pairs = near.length > 0 ? near : pairsIn(output, 0, output.length);
  const [first] = pairs;
  if (!first) return { missing: 'the output does not print the values that were compared' };
  if (pairs.some((pair) => !agrees(pair, first)))
    return { missing: 'the output prints different values for the failure' };
  return first;
}

function pairsIn(output: string, start: number, end: number): Pair[] {
  const text = output.slice(start, end);
  const pairs = [...PATTERNS.flatMap((pattern) => matches(pattern, text, start)), ...diffs(text, start)];
  return pairs.length > 0 ? pairs : ALONE.flatMap((pattern) => matches(pattern, text, start));
}

function matches(pattern: RegExp, text: string, offset: number): Pair[] {
  const found: Pair[] = [];
  let tried = 0;
  for (const match of text.matchAll(pattern)) {
    if (found.length >= MAX_PAIRS || ++tried > MAX_TRIED) break;
    const first = cited(match, 'first', text, offset);
    const second = cited(match, 'second', text, offset);
    const values = { first: first && readValue(first.text), second: second && readValue(second.text) };
    if (first && values.first && (!second || values.second)) found.push({ first, second, values });
  }
  return found;
}

function cited(match: RegExpMatchArray, group: string, text: string, offset: number): Cited | null {
  const range = match.indices?.groups?.[group];
  if (!range) return null;
  const whole = text.slice(range[0], range[1]).replace(/,?\s*$/, '');
  return { start: offset + range[0], end: offset + range[0] + whole.length, text: whole };
}

function readValue(text: string): Value | null {
  if (isAbbreviated(text)) return null;
  return parseValue(text) ?? parseValue(SPELT[text] ?? '');
}

/** Whole diffs with their legend, as one citation that holds both sides. */
function diffs(text: string, offset: number): Pair[] {
  const found: Pair[] = [];
  let tried = 0;
  for (const match of text.matchAll(
    /^[ \t]*(?:\+ actual - expected|\+ expected - actual|- Expected(?:[ \t]+- \d+)?)[ \t]*$/gm,
  )) {
    if (++tried > MAX_DIFFS) break;
    const block = diffBlock(text.slice(match.index, match.index + 8000));
    const sides = block === null ? null : diffSides(block);
    if (block === null || !sides) continue;
    const piece = { start: offset + match.index, end: offset + match.index + block.length, text: block };
    found.push({ first: piece, second: piece, values: sides });
  }
  return found;
}

/** From the legend to the longest run of lines that is a whole diff. */
function diffBlock(text: string): string | null {
  const lines = text.split('\n').slice(0, 200);
  const indent = /^\s*/.exec(lines[0] ?? '')?.[0] ?? '';
  const open = lines.findIndex((line, index) => index > 1 && !isDiffLine(line, indent));
  const kept = lines.slice(0, open < 0 ? undefined : open);
  while (kept.length > 2 && (kept.at(-1)?.trim() ?? '') === '') kept.pop();
  for (let length = kept.length; length > 2; length--) {
    const block = kept.slice(0, length).join('\n');
    if (diffSides(block)) return block;
  }
  return null;
}

function isDiffLine(line: string, indent: string): boolean {
  return line.trim() === '' || (line.startsWith(indent) && /^[+\- ]/.test(line.slice(indent.length)));
}

function agrees(one: Pair, other: Pair): boolean {
  return same(one.values.first, other.values.first) && same(one.values.second, other.values.second);
}

function same(one: Value | null, other: Value | null): boolean {
  return one === null || other === null || compareValues(one, other) === 'same';
}

const NOTHING_THROWN =
  /Missing expected (?:exception|rejection)[^\n]{0,80}|Received function did not throw|DID NOT RAISE[^\n]{0,80}|AssertionError: \w+ not raised|expected (?:function|\[Function[^\]]*\]) to throw an error[^\n]{0,40}/g;

/** The place where the runner says that nothing was thrown. */
export function nothingThrownIn(output: string): Cited | null {
  for (const match of output.matchAll(NOTHING_THROWN)) {
    if (observedOutcome(match[0])?.kind === 'nothing_thrown')
      return { start: match.index, end: match.index + match[0].length, text: match[0] };
  }
  return null;
}

/** Errors that say that the test and the program do not fit together, not what the program does. */
const UNSUITABLE =
  /^(?:AssertionError|AssertionFailedError|ReferenceError|NameError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError|JestAssertionError)$/;

/** Where runners print the error that ended a test: at the start of a line, or as the name in TAP. Never inside a listing of code. */
const ERROR_LINE =
  /(?:^[ \t]*(?:E[ \t]+)?(?:Uncaught )?|^[ \t]*name: ')(?<name>[A-Z]\w*(?:Error|Exception))(?=: | \[|'$|:?$)/dgm;

/** The one error that the output names as what ended the test; null when there is none or more than one. */
export function errorIn(output: string): Cited | null {
  let found: Cited | null = null;
  for (const match of output.slice(0, MAX_OUTPUT).matchAll(ERROR_LINE)) {
    const piece = cited(match, 'name', output, 0);
    if (!piece || (found && found.text !== piece.text)) return null;
    found ??= piece;
  }
  return found && !UNSUITABLE.test(found.text) ? found : null;
}
