/** Turns what zod says into sentences that name the key, what was expected, what came, and what was probably meant. */
import type { z } from 'zod';
import { z as zod } from 'zod';
import { nearest } from './suggestion.ts';

export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

/** One zod issue as one problem, or one for each unknown key. `schema` is asked for the keys that would have been known. */
export function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType): readonly Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      text: `${dotted([...issue.path, key])}: unknown key${meant(key, known)}`,
    }));
  }
  return [{ path: issue.path, text: `${dotted(issue.path)}: ${sentence(issue)}` }];
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    return `expected one of ${values.join(', ')}${came(issue.input)}${meant(issue.input, values, false)}`;
  }
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? `this key is required: ${article(issue.expected)}`
      : `expected ${article(issue.expected)}${came(issue.input)}`;
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
    return `expected ${bound}${UNITS[issue.origin] ?? ''}${came(issue.input)}`;
  }
  if (issue.code === 'invalid_key') return issue.issues.map((inner) => inner.message).join('; ');
  return `${issue.message}${issue.code === 'custom' ? '' : came(issue.input)}`;
}

const UNITS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' items',
  set: ' items',
  map: ' entries',
};

const WORDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  array: 'a list',
  object: 'a map of keys',
  record: 'a map of keys',
};

function article(expected: string): string {
  return WORDS[expected] ?? `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
}

function came(input: unknown): string {
  if (input === undefined) return '';
  const text =
    typeof input === 'string' ? JSON.stringify(input) : Array.isArray(input) ? 'a list' : describeValue(input);
  return `, got ${text.length > 60 ? `${text.slice(0, 57)}…` : text}`;
}

function describeValue(input: unknown): string {
  if (input === null) return 'nothing';
  return typeof input === 'object' ? 'a map' : String(input);
}

function meant(word: unknown, known: readonly string[], list = true): string {
  const guess = typeof word === 'string' ? nearest(word, known) : null;
  if (guess !== null) return `; did you mean ${guess}?`;
  return list && known.length > 0 ? `; known here: ${known.join(', ')}` : '';
}

function dotted(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>((joined, part) => {
    if (typeof part === 'number') return `${joined}[${part}]`;
    return joined === '' ? String(part) : `${joined}.${String(part)}`;
  }, '');
  return text === '' ? 'the file' : text;
}

/** The keys of the object schema that lies at the path, through optional, default, prefault and arrays. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let current: unknown = unwrap(schema);
  for (const part of path) {
    if (current instanceof zod.ZodObject) current = unwrap(current.shape[String(part)]);
    else if (current instanceof zod.ZodArray) current = unwrap(current.element);
    else return [];
  }
  return current instanceof zod.ZodObject ? Object.keys(current.shape) : [];
}

function unwrap(schema: unknown): unknown {
  let current = schema;
  while (
    current instanceof zod.ZodOptional ||
    current instanceof zod.ZodDefault ||
    current instanceof zod.ZodPrefault
  ) {
    current = current.unwrap();
  }
  return current;
}
