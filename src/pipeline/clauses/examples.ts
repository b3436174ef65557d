/** Finds example values in the words of a spec: a call, a connecting word or arrow, and the value it gives. */

import { parseCall, parseValue } from '../value/value.ts';
import type { ClauseExample } from './clause.ts';
import { type Earlier, holdsPlainly, unfenced } from './qualifiers.ts';

const MAX_EXAMPLES = 20;

const ARROW = '→|⇒|⟶|➜|->|=>|={1,3}|≡';
const MODAL = '(?:(?:which|it|that)\\s+)?(?:(?:must|should|shall|will)\\s+)?(?:always\\s+)?';
const GIVES =
  '(?:returns?|equals?|gives?|yields?|produces?|evaluates?\\s+to|results?\\s+in|comes?\\s+to|is|be|is\\s+equal\\s+to|be\\s+equal\\s+to)';
const ARTICLE = '(?:\\s+exactly)?(?:\\s+(?:an?|the)\\s+(?:value|string|number|integer|list|array|object|result|text))?';
const THROWS = '(?:throws?|raises?|fails?\\s+with|rejects?\\s+with|reject\\s+with)(?:\\s+(?:an?|the))?';

const CONNECTION = new RegExp(
  `[\\s*_]{0,8}[,:]?\\s{0,8}(?:(?<arrow>${ARROW})|${MODAL}(?:(?<gives>${GIVES})${ARTICLE}|(?<throws>${THROWS})))[\\s:*_]+|[\\s*_]{0,8}(?<tight>→|⇒|->|=>|={2,3})`,
  'iy',
);
/** After an arrow a thrown error may be announced: `f(-1)` → throws `RangeError`. */
const THROWN = new RegExp(`${THROWS}\\s+`, 'iy');
const BARE_CALL = /(?<![\w$.])(?:await\s+|new\s+)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\(/g;
const ERROR_NAME = /[A-Za-z_][\w.]*(?:Error|Exception)\b/y;
const THROWN_VALUE = /^[A-Za-z_][\w.]*(?:\(.*\)|:\s.*)?$/;
/** A value that stands in code marks without quotes and can only be read as a string. */
const SPOKEN = /^[^\s()[\]{}<>=*|&…`'"]+(?: [^\s()[\]{}<>=*|&…`'"]+){0,12}$/;

/** A value as read: where it ended, and what was written. */
interface Read {
  readonly end: number;
  readonly value: string;
}

export interface Sentence {
  readonly text: string;
  /** What the earlier sentences of the same paragraph leave for this one. */
  readonly earlier: Earlier;
}

/** The examples that a sentence states without condition. */
export function examplesOfSentence(sentence: Sentence): ClauseExample[] {
  const found: ClauseExample[] = [];
  let from = 0;
  let tried = 0;
  const subjects = subjectsOf(sentence.text);
  const words = wordsOf(sentence.text);
  for (const subject of subjects) {
    if (tried >= MAX_EXAMPLES || subject.start < from) continue;
    const read = subject.inside ?? outcomeAt(sentence.text, subject.end);
    if (!read) continue;
    const call = parseCall(subject.text);
    if (!call) continue;
    tried += 1;
    const end = subject.inside ? subject.end : read.end;
    const following = subjects.find((other) => other.start >= end)?.start ?? sentence.text.length;
    const plain = holdsPlainly(
      {
        earlier: sentence.earlier,
        before: words(from, subject.start),
        after: words(end, following),
        sentence: words(0, sentence.text.length),
      },
      call.args,
    );
    if (plain) found.push({ subject: subject.text, value: read.value, kind: read.kind, form: read.form });
    from = end;
  }
  return found;
}

/** The calls that a text speaks of, as written, whether or not it gives a value for them. */
export function callsIn(text: string): string[] {
  return subjectsOf(text).map((subject) => subject.text);
}

interface Subject {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The outcome, when it stands in the same code marks as the call. */
  readonly inside: (Read & Pick<ClauseExample, 'kind' | 'form'>) | null;
}

function subjectsOf(text: string): Subject[] {
  const found: Subject[] = [];
  const prose = blankCode(text, (code, start, end) => {
    const stop = callEnd(code, 0);
    const subject = stop === null ? null : code.slice(0, stop);
    if (subject === null || stop === null) return;
    const rest = code.slice(stop);
    const inside = rest.trim() === '' ? null : outcomeAt(code, stop);
    if (rest.trim() !== '' && (!inside || inside.end < code.trimEnd().length)) return;
    found.push({ start, end, text: subject, inside });
  });
  let looked = 0;
  for (const match of prose.matchAll(BARE_CALL)) {
    if (++looked > 2 * MAX_EXAMPLES) break;
    const end = callEnd(prose, match.index);
    if (end !== null) found.push({ start: match.index, end, text: text.slice(match.index, end), inside: null });
  }
  return found.sort((one, other) => one.start - other.start);
}

/** The words between two places of the text: no code, no calls. */
function wordsOf(text: string): (from: number, to: number) => string {
  const prose = unfenced(text);
  return (from, to) => prose.slice(from, to).replace(/(?<![\w$.])[\w$.]+\([^()]*\)/g, ' ');
}

/** Blanks code spans, handing each to `visit` with its place in the text. */
function blankCode(text: string, visit: (code: string, start: number, end: number) => void): string {
  let out = '';
  let at = 0;
  while (at < text.length) {
    const span = text[at] === '`' ? codeAt(text, at) : null;
    if (!span) {
      const end = text[at] === '`' ? at + marksAt(text, at) : at + 1;
      out += text.slice(at, end);
      at = end;
      continue;
    }
    visit(span.value, at, span.end);
    out += ' '.repeat(span.end - at);
    at = span.end;
  }
  return out;
}

function codeAt(text: string, at: number): Read | null {
  const marks = marksAt(text, at);
  const close = text.indexOf('`'.repeat(marks), at + marks);
  return close < 0 ? null : { end: close + marks, value: text.slice(at + marks, close).trim() };
}

/** How many code marks stand at this place. */
function marksAt(text: string, at: number): number {
  let end = at;
  while (text[end] === '`') end++;
  return end - at;
}

/** Reads "returns `3`", "→ 3", "throws `RangeError`" that follow a call ending at `at`. */
export function outcomeAt(text: string, at: number): (Read & Pick<ClauseExample, 'kind' | 'form'>) | null {
  CONNECTION.lastIndex = at;
  const match = CONNECTION.exec(text);
  if (!match) return null;
  let from = at + match[0].length;
  while (text[from] === ' ') from++;
  const form = match.groups?.gives || match.groups?.throws ? 'returns' : 'arrow';
  THROWN.lastIndex = from;
  const announced = form === 'arrow' ? THROWN.exec(text) : null;
  if (match.groups?.throws || announced) {
    const read = errorAt(text, from + (announced?.[0].length ?? 0));
    return read && { ...read, kind: 'throws', form };
  }
  const read = valueAt(text, from);
  return read && { ...read, kind: 'returns', form };
}

function errorAt(text: string, at: number): Read | null {
  const span = text[at] === '`' ? codeAt(text, at) : null;
  if (span) return THROWN_VALUE.test(span.value) ? span : null;
  ERROR_NAME.lastIndex = at;
  const name = ERROR_NAME.exec(text);
  return name ? { end: at + name[0].length, value: name[0] } : null;
}

function valueAt(text: string, at: number): Read | null {
  const span = text[at] === '`' ? codeAt(text, at) : null;
  if (span) return isWrittenValue(span.value) ? span : null;
  const end = literalEnd(text, at);
  if (end === null || parseValue(text.slice(at, end)) === null) return null;
  return /^(?:[.,;:!)\]*_]*(?:\s|$)|\s*[;(–—])/.test(text.slice(end)) && !/^\s+[\p{L}%$€£]/u.test(text.slice(end))
    ? { end, value: text.slice(at, end) }
    : null;
}

/** A literal, or words in code marks that can only be a string without its quotes. */
export function isWrittenValue(text: string): boolean {
  return parseValue(text) !== null || (SPOKEN.test(text) && text.length <= 200);
}

const SCALAR =
  /-?(?:\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?n?|\.\d+|true|false|null|None|True|False|undefined|NaN|-?Infinity)(?![\w$])/y;

/** End of the bare literal at `at`, or null. */
function literalEnd(text: string, at: number): number | null {
  const first = text[at] ?? '';
  if (first === '"' || first === "'") return quoteEnd(text, at);
  if (first === '[' || first === '{' || first === '(') return balancedEnd(text, at);
  SCALAR.lastIndex = at;
  const match = SCALAR.exec(text);
  return match ? at + match[0].length : null;
}

/** End of the call that begins at `at`: `a.b(1).c[0]`; null when none begins there or it does not end. */
export function callEnd(text: string, at: number): number | null {
  const head = /(?:await\s+|new\s+)?[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*(?=\()/uy;
  head.lastIndex = at;
  const match = head.exec(text);
  if (!match) return null;
  let end = balancedEnd(text, at + match[0].length);
  const link = /\.[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$])/uy;
  for (let links = 0; end !== null && links < 20; links++) {
    const next = text[end] ?? '';
    link.lastIndex = end;
    const name = next === '.' ? link.exec(text) : null;
    if (name) end += name[0].length;
    else if (next === '(' || (next === '[' && !/^\[[^\]]*\]\(/.test(text.slice(end, end + 200))))
      end = balancedEnd(text, end);
    else break;
  }
  return end;
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

function balancedEnd(text: string, at: number): number | null {
  const open: string[] = [];
  let index = at;
  while (index < text.length) {
    const char = text[index] ?? '';
    if (char === '"' || char === "'") {
      const end = quoteEnd(text, index);
      if (end === null) return null;
      index = end;
      continue;
    }
    if (PAIRS[char]) open.push(PAIRS[char]);
    else if (char === ')' || char === ']' || char === '}') {
      if (open.pop() !== char) return null;
      if (open.length === 0) return index + 1;
    }
    index++;
  }
  return null;
}

function quoteEnd(text: string, at: number): number | null {
  const quote = text[at];
  for (let index = at + 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === quote) return index + 1;
  }
  return null;
}
