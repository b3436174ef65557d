/** Splits `left == right` as a runner prints it, without being misled by operators inside strings and brackets. */

export interface Sides {
  readonly left: string;
  readonly right: string;
  readonly operator: string;
}

const OPENING = '([{';
const CLOSING = ')]}';
const QUOTES = '"\'`';
const LIMIT = 4000;

/** Offset after the string that starts at `from`, or -1 when it does not end. */
function afterString(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at + 1;
  }
  return -1;
}

/** Splits at the first of `operators` outside strings and brackets; null when there is none. */
export function splitComparison(text: string, operators: readonly string[]): Sides | null {
  const source = text.length > LIMIT ? text.slice(0, LIMIT) : text;
  let depth = 0;
  let at = 0;
  while (at < source.length) {
    const char = source[at] ?? '';
    if (QUOTES.includes(char)) {
      const after = afterString(source, at);
      at = after < 0 ? at + 1 : after;
      continue;
    }
    if (OPENING.includes(char)) depth++;
    else if (CLOSING.includes(char)) depth = Math.max(0, depth - 1);
    const operator = depth === 0 ? operators.find((candidate) => source.startsWith(candidate, at)) : undefined;
    if (operator && at > 0) {
      return {
        left: source.slice(0, at).trim(),
        right: source.slice(at + operator.length).trim(),
        operator: operator.trim(),
      };
    }
    at++;
  }
  return null;
}

/** The arguments of the first call in `source` whose name matches, split at its top-level commas; null when unclosed. */
export function callArguments(source: string, name: RegExp): string[] | null {
  const call = name.exec(source);
  if (!call) return null;
  const open = source.indexOf('(', call.index + call[0].length - 1);
  if (open < 0) return null;
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  let at = open;
  while (at < Math.min(source.length, LIMIT)) {
    const char = source[at] ?? '';
    if (QUOTES.includes(char)) {
      const after = afterString(source, at);
      at = after < 0 ? at + 1 : after;
      continue;
    }
    if (OPENING.includes(char)) depth++;
    if (CLOSING.includes(char) && --depth === 0) return [...parts, source.slice(from, at).trim()];
    if (char === ',' && depth === 1) {
      parts.push(source.slice(from, at).trim());
      from = at + 1;
    }
    at++;
  }
  return null;
}

/** Takes one pair of quotes off. */
export function unquote(text: string): string {
  const trimmed = text.trim();
  const first = trimmed[0] ?? '';
  const quoted = trimmed.length >= 2 && QUOTES.includes(first) && trimmed.endsWith(first);
  return quoted && afterString(trimmed, 0) === trimmed.length ? trimmed.slice(1, -1) : trimmed;
}

const NUMBERS = /^[-+\d.,\s()[\]{}:_eExX]*$/;
const CONSTANT = /^(?:True|False|None|true|false|null|nil|undefined)$/;
const EXPECTED_NAME = /expect|want|golden|reference|should|\bapprox\(/i;

/** True for source text without any name in it: a number, a string, a constant, or brackets of such. */
function isLiteral(source: string): boolean {
  const text = source.slice(0, 400);
  if (CONSTANT.test(text)) return true;
  return NUMBERS.test(text.replace(/[rbuf]?(?:"[^"]*"|'[^']*'|`[^`]*`)/g, ''));
}

/** True when the source says that its left operand is the expected one (its name, or the only literal). */
export function leftIsExpected(left: string, right: string): boolean {
  if (EXPECTED_NAME.test(left) !== EXPECTED_NAME.test(right)) return EXPECTED_NAME.test(left);
  return isLiteral(left) && !isLiteral(right);
}
