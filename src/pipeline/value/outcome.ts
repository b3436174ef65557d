/** What a call came to, as read from a runner's output or a test's source, and how it stands to a clause's example. */
import type { ClauseExample } from '../clauses/clause.ts';
import type { Value } from './model.ts';
import type { Comparison } from './value.ts';
import { compareValues, isTruthy, parseValue } from './value.ts';

export type Outcome =
  | { readonly kind: 'returned'; readonly value: Value }
  /** A demand without a literal: `assertTrue`, `toBeFalsy`. */
  | { readonly kind: 'truthy'; readonly truthy: boolean }
  | { readonly kind: 'threw'; readonly name: string }
  /** The call was expected to throw and did not. */
  | { readonly kind: 'nothing_thrown' };

const NOTHING_THROWN =
  /Missing expected (?:exception|rejection)|did not throw|DID NOT RAISE|\bnot raised\b|to throw (?:an error|\w*Error)(?:, but it didn.t)?$|resolved instead of rejected/;
const ERROR_NAME = /^[A-Za-z_][\w.]*(?:Error|Exception)$/;

/** Names of checks that say the value themselves. */
const IMPLIED: Readonly<Record<string, Outcome>> = {
  toBeNull: { kind: 'returned', value: { kind: 'null' } },
  toBeUndefined: { kind: 'returned', value: { kind: 'undefined' } },
  toBeNaN: { kind: 'returned', value: { kind: 'number', value: Number.NaN } },
  toBeTruthy: { kind: 'truthy', truthy: true },
  toBeFalsy: { kind: 'truthy', truthy: false },
  ok: { kind: 'truthy', truthy: true },
  assert: { kind: 'truthy', truthy: true },
  'assert not': { kind: 'truthy', truthy: false },
  assertTrue: { kind: 'truthy', truthy: true },
  assertFalse: { kind: 'truthy', truthy: false },
  assertIsNone: { kind: 'returned', value: { kind: 'null' } },
  isTrue: { kind: 'returned', value: { kind: 'boolean', value: true } },
  isFalse: { kind: 'returned', value: { kind: 'boolean', value: false } },
  isNull: { kind: 'returned', value: { kind: 'null' } },
  isUndefined: { kind: 'returned', value: { kind: 'undefined' } },
};

/** Reads what a test demands: a literal, an error's name, or the name of a check that implies a value. */
export function demandedOutcome(text: string): Outcome | null {
  if (Object.hasOwn(IMPLIED, text)) return IMPLIED[text] ?? null;
  const value = parseValue(text);
  if (value) return { kind: 'returned', value };
  return ERROR_NAME.test(text) ? { kind: 'threw', name: text } : null;
}

/** Reads what a program did from captured output: a printed value, an error's name, a diff with its legend, or that nothing was thrown. */
export function observedOutcome(text: string): Outcome | null {
  if (isAbbreviated(text)) return null;
  const value = parseValue(text);
  if (value) return { kind: 'returned', value };
  if (ERROR_NAME.test(text)) return { kind: 'threw', name: text };
  const first = diffSides(text)?.first;
  if (first) return { kind: 'returned', value: first };
  return text.length < 400 && !text.includes('\n') && NOTHING_THROWN.test(text) ? { kind: 'nothing_thrown' } : null;
}

/** Runners shorten long values, some of them inside the quotes of a string. */
export function isAbbreviated(text: string): boolean {
  return /\.\.\.|…|\[\d+ chars\]|\[(?:Object|Array|Circular)/.test(text);
}

/** The two values of a diff, in the order of the assertion's own sides: what came first (actual) and second (expected). */
export interface DiffSides {
  readonly first: Value;
  readonly second: Value;
}

const LEGENDS: readonly { readonly lines: readonly RegExp[]; readonly firstSign: '+' | '-' }[] = [
  { lines: [/^\s*\+ actual - expected\s*$/], firstSign: '+' },
  { lines: [/^\s*\+ expected - actual\s*$/], firstSign: '-' },
  { lines: [/^\s*- Expected(?:\s+- \d+)?\s*$/, /^\s*\+ Received(?:\s+\+ \d+)?\s*$/], firstSign: '+' },
];

/** Puts both values of a whole diff together again; null when lines were left out or a side is no literal. */
export function diffSides(text: string): DiffSides | null {
  const lines = text.split('\n');
  for (const { lines: legend, firstSign } of LEGENDS) {
    if (!legend.every((pattern, index) => pattern.test(lines[index] ?? ''))) continue;
    const indent = /^\s*/.exec(lines[0] ?? '')?.[0].length ?? 0;
    const body = lines
      .slice(legend.length)
      .map((line) => line.slice(Math.min(indent, /^\s*/.exec(line)?.[0].length ?? 0)));
    if (body.some((line) => /^\s*(?:@@|\.\.\.)/.test(line))) return null;
    const first = side(body, firstSign);
    const second = side(body, firstSign === '+' ? '-' : '+');
    return first && second ? { first, second } : null;
  }
  return null;
}

function side(lines: readonly string[], sign: '+' | '-'): Value | null {
  const other = sign === '+' ? '-' : '+';
  const kept = lines.filter((line) => !line.startsWith(other)).map((line) => line.slice(1));
  const text = kept.join('\n').trim();
  const value = parseValue(text);
  return value && (value.kind !== 'string' || text.startsWith("'")) ? value : null;
}

/** How an outcome stands to what a clause says. `unsure` whenever a reader could argue. */
export function compareOutcome(outcome: Outcome, example: Pick<ClauseExample, 'value' | 'kind'>): Comparison {
  if (example.kind === 'throws') return compareThrown(outcome, example.value);
  switch (outcome.kind) {
    case 'threw':
      return 'different';
    case 'nothing_thrown':
      return 'unsure';
    case 'returned':
      return compareWritten(outcome.value, example.value);
    case 'truthy': {
      const value = parseValue(example.value);
      const truth = value && isTruthy(value);
      if (typeof truth !== 'boolean') return 'unsure';
      return truth === outcome.truthy ? 'same' : 'different';
    }
  }
}

function compareThrown(outcome: Outcome, written: string): Comparison {
  if (outcome.kind === 'nothing_thrown' || outcome.kind === 'returned') return 'different';
  if (outcome.kind === 'truthy') return 'unsure';
  return errorName(written) === lastName(outcome.name) ? 'same' : 'unsure';
}

function errorName(written: string): string {
  return lastName(/^[\w.]+/.exec(written)?.[0] ?? '');
}

function lastName(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** Words without quotes in a clause are a string when a string says the same; digits without quotes may be either. */
function compareWritten(value: Value, written: string): Comparison {
  const meant = parseValue(written);
  if (value.kind === 'string' && value.value === written) return meant ? 'unsure' : 'same';
  if (meant) return compareValues(value, meant);
  return value.kind === 'string' && value.value.trim() !== written.trim() ? 'different' : 'unsure';
}
