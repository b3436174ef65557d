/** Values as people and programs write them: read from JavaScript, TypeScript, JSON, Python or a runner's output, and compared. */
import type { Argument, Value } from './model.ts';
import { ValueReader } from './reader.ts';

/** A call as written, with literal arguments only. */
export interface Call {
  /** The names before the first parenthesis: `['math', 'add']` for `math.add(1, 2)`. */
  readonly path: readonly string[];
  /** The arguments of that first call, as values. */
  readonly args: readonly Argument[];
  /** Last name of the path, arguments and what follows, in one spelling. Equal calls have equal text. */
  readonly canonical: string;
}

/** Longest text that is read as a value, in UTF-16 units. */
export const MAX_VALUE_LENGTH = 20_000;

/** Reads one literal; null when the text is anything else, is abbreviated (`…`, `[Object]`) or is too long. */
export function parseValue(text: string): Value | null {
  if (text.length > MAX_VALUE_LENGTH) return null;
  return new ValueReader(text).wholeValue();
}

/** Reads a call with literal arguments, `await` and `new` set aside; null when any argument is not a literal. */
export function parseCall(text: string): Call | null {
  if (text.length > MAX_VALUE_LENGTH) return null;
  const chain = new ValueReader(text).wholeCall();
  if (chain === null) return null;
  const tail = chain.tail
    .map((link) => (link.kind === 'call' ? canonicalArguments(link.args) : `.${link.name}`))
    .join('');
  const canonical = `${chain.path.at(-1)}${canonicalArguments(chain.args)}${tail}`;
  return { path: chain.path, args: chain.args, canonical };
}

/**
 * One spelling for a call expression: `total( [1,2] )` and `cart.total([1, 2])` give the same text. The receiver's name is set
 * aside (`sameCall` looks at it); names are never changed, so `addTax` and `add_tax` stay two functions.
 */
export function canonicalCall(text: string): string | null {
  return parseCall(text)?.canonical ?? null;
}

/** True when both are the same call: equal last name and arguments, and no disagreement about what stands before the name. */
export function sameCall(one: Call, other: Call): boolean {
  if (one.canonical !== other.canonical) return false;
  const shorter = Math.min(one.path.length, other.path.length);
  for (let back = 1; back <= shorter; back++) if (one.path.at(-back) !== other.path.at(-back)) return false;
  return true;
}

/** True when both are certainly the same value. Order of keys is irrelevant; a string never equals a number. */
export function sameValue(one: Value, other: Value): boolean {
  return compareValues(one, other) === 'same';
}

export type Comparison = 'same' | 'different' | 'unsure';

/**
 * Compares two values that may come from different languages and spellings. `unsure` where a reader could argue: tuple and
 * list of equal items, `null` and `undefined`, `1` and `true`, floats within a billionth of each other, differing class names.
 */
export function compareValues(one: Value, other: Value): Comparison {
  if (canonicalValue(one) === canonicalValue(other)) return 'same';
  if (one.kind !== other.kind) return compareKinds(one, other);
  if (one.kind === 'number' && other.kind === 'number') return compareNumbers(one.value, other.value);
  if (one.kind === 'string' && other.kind === 'string')
    return one.value.normalize('NFKC') === other.value.normalize('NFKC') ? 'unsure' : 'different';
  if (isSequence(one) && isSequence(other)) {
    return one.kind === 'set' ? compareSets(one.items, other.items) : compareItems(one.items, other.items);
  }
  if (one.kind === 'object' && other.kind === 'object') {
    const entries = compareEntries(one.entries, other.entries);
    return entries === 'same' && one.name !== other.name ? 'unsure' : entries;
  }
  if (one.kind === 'map' && other.kind === 'map') return compareEntries(one.entries, other.entries);
  if (one.kind === 'boolean' || one.kind === 'bigint') return 'different';
  return 'unsure';
}

/** True when the value counts as true in a condition; null where JavaScript and Python differ (empty containers). */
export function isTruthy(value: Value): boolean | null {
  switch (value.kind) {
    case 'null':
    case 'undefined':
      return false;
    case 'boolean':
      return value.value;
    case 'number':
      return value.value !== 0 && !Number.isNaN(value.value);
    case 'bigint':
      return value.digits !== '0';
    case 'string':
      return value.value !== '';
    case 'list':
    case 'tuple':
    case 'set':
      return value.items.length > 0 ? true : null;
    case 'object':
    case 'map':
      return value.entries.length > 0 ? true : null;
    case 'bytes':
    case 'regex':
    case 'instance':
      return null;
  }
}

type Sequence = Extract<Value, { items: readonly Value[] }>;

function isSequence(value: Value): value is Sequence {
  return value.kind === 'list' || value.kind === 'tuple' || value.kind === 'set';
}

function compareKinds(one: Value, other: Value): Comparison {
  const kinds = new Set([one.kind, other.kind]);
  if (kinds.has('null') && kinds.has('undefined')) return 'unsure';
  if (kinds.has('instance') || kinds.has('regex') || kinds.has('bytes')) return 'unsure';
  if (isSequence(one) && isSequence(other)) {
    if (kinds.has('set')) return one.items.length === 0 || other.items.length > 0 ? 'unsure' : 'different';
    return compareItems(one.items, other.items) === 'different' ? 'different' : 'unsure';
  }
  if (kinds.has('object') && (kinds.has('map') || kinds.has('list') || kinds.has('set'))) return 'unsure';
  const numbers = [asNumber(one), asNumber(other)];
  if (numbers[0] !== null && numbers[0] === numbers[1]) return 'unsure';
  return 'different';
}

function asNumber(value: Value): number | null {
  if (value.kind === 'number') return value.value;
  if (value.kind === 'bigint') return Number(value.digits);
  return value.kind === 'boolean' ? Number(value.value) : null;
}

function compareNumbers(one: number, other: number): Comparison {
  if (Number.isNaN(one) || Number.isNaN(other)) return 'different';
  if (one === other) return 'unsure';
  return Math.abs(one - other) <= 1e-9 * Math.max(Math.abs(one), Math.abs(other), 1e-3) ? 'unsure' : 'different';
}

function compareItems(one: readonly Value[], other: readonly Value[]): Comparison {
  if (one.length !== other.length) return 'different';
  return worst(one.map((item, index) => compareValues(item, other[index] ?? item)));
}

function compareSets(one: readonly Value[], other: readonly Value[]): Comparison {
  const scalar = [...one, ...other].every((item) => item.kind === 'string' || item.kind === 'number');
  return scalar || one.length !== other.length ? 'different' : 'unsure';
}

function compareEntries(one: readonly (readonly [Value, Value])[], other: typeof one): Comparison {
  const left = new Map(one.map(([key, value]) => [canonicalValue(key), value]));
  const right = new Map(other.map(([key, value]) => [canonicalValue(key), value]));
  const keysOfOneKind = [...one, ...other].every(([key]) => key.kind === 'string');
  const compared: Comparison[] = [];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const ours = left.get(key);
    const theirs = right.get(key);
    if (ours && theirs) compared.push(compareValues(ours, theirs));
    else compared.push(keysOfOneKind && (ours ?? theirs)?.kind !== 'undefined' ? 'different' : 'unsure');
  }
  return worst(compared);
}

function worst(compared: readonly Comparison[]): Comparison {
  if (compared.includes('different')) return 'different';
  return compared.includes('unsure') ? 'unsure' : 'same';
}

/** One text per value: equal texts are equal values. Keys and members of sets are sorted by code unit. */
export function canonicalValue(value: Value): string {
  switch (value.kind) {
    case 'null':
    case 'undefined':
      return value.kind;
    case 'boolean':
      return String(value.value);
    case 'number':
      return Object.is(value.value, -0) ? 'n-0' : `n${value.value}`;
    case 'bigint':
      return `${value.digits}n`;
    case 'string':
      return JSON.stringify(value.value);
    case 'bytes':
      return `b${JSON.stringify(value.value)}`;
    case 'regex':
      return `r${JSON.stringify(value.source)}`;
    case 'list':
      return `[${value.items.map(canonicalValue).join(',')}]`;
    case 'tuple':
      return `(${value.items.map(canonicalValue).join(',')};)`;
    case 'set':
      return `set{${[...new Set(value.items.map(canonicalValue))].sort().join(',')}}`;
    case 'object':
      return `${value.name ?? ''}{${canonicalEntries(value.entries)}}`;
    case 'map':
      return `map{${canonicalEntries(value.entries)}}`;
    case 'instance':
      return `${value.name}${canonicalArguments(value.args)}`;
  }
}

function canonicalEntries(entries: readonly (readonly [Value, Value])[]): string {
  const last = new Map(entries.map(([key, value]) => [canonicalValue(key), canonicalValue(value)]));
  return [...last]
    .map(([key, value]) => `${key}:${value}`)
    .sort()
    .join(',');
}

function canonicalArguments(args: readonly Argument[]): string {
  const positional = args
    .filter((argument) => argument.keyword === null)
    .map((argument) => canonicalValue(argument.value));
  const named = args
    .filter((argument) => argument.keyword !== null)
    .map((argument) => `${argument.keyword}=${canonicalValue(argument.value)}`)
    .sort();
  return `(${[...positional, ...named].join(',')})`;
}
