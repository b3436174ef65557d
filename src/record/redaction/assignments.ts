/** Secrets that show by the name in front of them: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `<secret>…`. */
import { isPlaceholder, isTakenOut, mark } from './mark.ts';

/** Names whose value is secret whatever it looks like, and names that also stand for harmless things. */
const NAME =
  /(?<password>pass(?:word|wd|phrase)|(?<![a-z])pwd|secret(?:[-_]?(?:access[-_]?)?key)?|client[-_]?secret)|(?<token>token|api[-_]?key|(?:access|auth|account|private|signing|encryption|shared[-_]?access|service|master|license)[-_]?key|credentials?|authorization|session[-_]?id|sas[-_]?key)(?![A-Za-z0-9])/gi;

/** Between name and value. A value after `==`, `=~`, `::` or `=>>` is no assignment. */
const SEPARATOR = /(?![A-Za-z0-9_-])\\{0,3}["'`]?\]?[ \t]{0,4}(=>|:=|[=:>])(?![=~:>])[ \t]{0,4}/y;
const FLAG_SEPARATOR = /[ \t]{1,4}(?!-)/y;
const OPENING_QUOTE = /(?:[bfru]{0,2})(\\{0,3})(["'`])/iy;
const BARE_VALUE = /[^\s"'`(),;&<>[\]{}|\\]+/y;

const LONGEST_QUOTED = 8_192;

/** Where a candidate stands: the questions that decide need no more. */
interface Candidate {
  readonly value: string;
  readonly quoted: boolean;
  /** `=`, `:`, `=>`, `:=`, `>`, or a blank after a `--flag`. */
  readonly separator: string;
  /** No blank between name, separator and value. */
  readonly tight: boolean;
  readonly before: string;
  readonly after: string;
}

/** Replaces the values of names that say "secret". */
export function redactAssignments(text: string): string {
  let result = '';
  let copied = 0;
  NAME.lastIndex = 0;
  for (let name = NAME.exec(text); name !== null; name = NAME.exec(text)) {
    const kind = name.groups?.password === undefined ? 'token' : 'password';
    const start = name.index;
    const found = candidateAt(text, start, NAME.lastIndex);
    if (!found) continue;
    const looksSecret = kind === 'password' ? isPassword(found.candidate) : isToken(found.candidate);
    NAME.lastIndex = found.candidate.quoted && !looksSecret ? found.valueStart : found.valueEnd;
    if (!looksSecret) continue;
    result += text.slice(copied, found.valueStart) + mark(kind);
    copied = found.valueEnd;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

interface Found {
  readonly candidate: Candidate;
  readonly valueStart: number;
  readonly valueEnd: number;
}

function candidateAt(text: string, nameStart: number, nameEnd: number): Found | null {
  const separator = separatorAt(text, nameStart, nameEnd);
  if (!separator) return null;
  const quote = matchAt(OPENING_QUOTE, text, separator.end);
  const valueStart = separator.end + (quote?.[0].length ?? 0);
  const valueEnd = quote
    ? quotedEnd(text, valueStart, quote[2] ?? '', quote[1] !== '')
    : valueStart + (matchAt(BARE_VALUE, text, valueStart)?.[0].length ?? 0);
  if (valueEnd <= valueStart) return null;
  const candidate: Candidate = {
    value: text.slice(valueStart, valueEnd),
    quoted: quote !== null,
    separator: separator.sign,
    tight: separator.end - nameEnd === separator.sign.length,
    before: text.slice(Math.max(0, nameStart - 64), nameStart),
    after: text.slice(valueEnd, valueEnd + 2),
  };
  return { candidate, valueStart, valueEnd };
}

function separatorAt(text: string, nameStart: number, nameEnd: number): { sign: string; end: number } | null {
  const separator = matchAt(SEPARATOR, text, nameEnd);
  if (separator) {
    const sign = separator[1] ?? '';
    return sign === '>' && !/<\/?[\w.:-]*$/.test(text.slice(Math.max(0, nameStart - 64), nameStart))
      ? null
      : { sign, end: nameEnd + separator[0].length };
  }
  if (!/(?:^|\s)--?[a-z-]*$/i.test(text.slice(Math.max(0, nameStart - 32), nameStart))) return null;
  const blank = matchAt(FLAG_SEPARATOR, text, nameEnd);
  return blank ? { sign: ' ', end: nameEnd + blank[0].length } : null;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Index of the closing quote on the same line, or of where the line or our patience ends. */
function quotedEnd(text: string, start: number, quote: string, escaped: boolean): number {
  const limit = Math.min(text.length, start + LONGEST_QUOTED);
  for (let index = start; index < limit; index += 1) {
    const char = text[index];
    if (char === '\n' || char === '\r') return index;
    if (char === quote) return index;
    if (char !== '\\') continue;
    if (escaped && text.startsWith(quote, index + 1)) return index;
    if (!escaped && text[index + 1] !== '\n' && text[index + 1] !== '\r') index += 1;
  }
  return limit;
}

/** Words that stand behind such a name in code, schemas and forms without being its value. */
const PLAIN_WORDS = new Set(
  `string str text char varchar bytes buffer number int integer bool boolean object array any unknown none null nil undefined void
  true false yes no required optional empty missing invalid valid expired wrong incorrect hidden masked redacted input field type
  inherit write read admin default function async await return new const let var self this`.split(/\s+/),
);
const TYPE_NAME = /^(?:u?int|float|[iuf])\d{1,3}\w*$|^\w*Array$/i;
const KEY_WORD = /pass(?:word|wd|phrase)?|pwd|secret|token|key|credential/i;
const FILE_PATH = /^\.{0,2}(?:\/[a-z0-9._-]+)+\/?$/;
const PATH_OF_NAMES = /^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)#?[A-Za-z_$][\w$]*)+$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const NAME_WITH_ORDINAL = /^[A-Za-z_$]+\d{1,2}$/;

function isNoValue({ value }: Candidate): boolean {
  return (
    value.length < 4 ||
    isTakenOut(value) ||
    isPlaceholder(value) ||
    PLAIN_WORDS.has(value.toLowerCase()) ||
    TYPE_NAME.test(value) ||
    PATH_OF_NAMES.test(value) ||
    FILE_PATH.test(value)
  );
}

function isPassword(candidate: Candidate): boolean {
  const { value, quoted } = candidate;
  if (isNoValue(candidate)) return false;
  const wordsOnly = /^[A-Za-z_\-.\s]+$/.test(value);
  if (wordsOnly && KEY_WORD.test(value)) return false;
  if (quoted) return !(wordsOnly && /\s/.test(value)) && !/[\s,]{2}|\w\(/.test(value);
  if (isCall(candidate) || (candidate.separator === ':' && isTypeContext(candidate))) return false;
  if (IDENTIFIER.test(value) && isCodeContext(candidate)) return false;
  if (/\d/.test(value) && !(NAME_WITH_ORDINAL.test(value) && KEY_WORD.test(value))) return true;
  if (!IDENTIFIER.test(value)) return value.length >= 6 && /[A-Za-z]/.test(value);
  return candidate.tight && candidate.separator !== ':';
}

function isToken(candidate: Candidate): boolean {
  const { value, quoted } = candidate;
  if (isNoValue(candidate) || /\s/.test(value)) return false;
  if (!quoted && isCall(candidate)) return false;
  if (/^(?:\.{0,2}\/|https?:|v?\d+\.\d+)/.test(value)) return false;
  if (NAME_WITH_ORDINAL.test(value) && !quoted && !isEnvironmentLine(candidate)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return value.length >= 24 && isMixed(value);
  return value.length >= (candidate.tight || quoted ? 6 : 10);
}

/** `API_KEY=value` or `export API_KEY=value`, with nothing before or after it on its line but other such words. */
function isEnvironmentLine({ before, after, tight, separator, value }: Candidate): boolean {
  const isAlone = /(?:^|\s)[A-Z0-9_]*$/.test(before) && /^(?:\s|$)/.test(after);
  return tight && separator === '=' && isAlone && value.length >= 10;
}

/** Upper and lower case and signs in one word, as in Base64; no identifier has that. */
function isMixed(value: string): boolean {
  return /[A-Z]/.test(value) && /[a-z]/.test(value) && /[+/=]/.test(value);
}

function isCall({ after, separator }: Candidate): boolean {
  return after.startsWith('(') || after.startsWith('[') || (after.startsWith('<') && separator !== '>');
}

/** `secret: Uint8Array;`, `password: Password | null`, `password: Secret = …` */
function isTypeContext({ after, value }: Candidate): boolean {
  return IDENTIFIER.test(value) && /^(?:[;,)}|>[]| [|=&{])/.test(after);
}

/** `this.password=value`, `connect(password=value)`, `f(a, secret=value)` */
function isCodeContext({ before, after }: Candidate): boolean {
  // `Server=db;Password=…;` is a connection string.
  if (/;[ \t]?$/.test(before)) return false;
  return /[.(]$|\([^)]{0,60}$|,[ \t]?\w*$/.test(before) || /^[),;]/.test(after);
}
