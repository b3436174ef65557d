/** Reads literals and calls with literal arguments: one pass, bounded depth, no evaluation. */
import type { Argument, Value } from './model.ts';

/** What follows the first call of a chain: `.total`, `[0]` or a further call. */
type Link =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly args: readonly Argument[] };

interface Chain {
  readonly path: readonly string[];
  readonly args: readonly Argument[];
  readonly tail: readonly Link[];
}

const MAX_DEPTH = 60;
const MAX_LINKS = 20;

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const SPACE = /\s+/y;
const NUMBER = /(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d+)?)n?/y;
const REGEX = /\/(?![*/])(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const STRING_PREFIX = /(?:[rR]|[uU]|[bB]|[bB][rR]|[rR][bB])?(?=["'`])/y;
const SIZE = /\(\d+\)(?=\s*[[{])/y;

const WORDS: Readonly<Record<string, Value>> = {
  null: { kind: 'null' },
  None: { kind: 'null' },
  undefined: { kind: 'undefined' },
  true: { kind: 'boolean', value: true },
  True: { kind: 'boolean', value: true },
  false: { kind: 'boolean', value: false },
  False: { kind: 'boolean', value: false },
  NaN: { kind: 'number', value: Number.NaN },
  nan: { kind: 'number', value: Number.NaN },
  Infinity: { kind: 'number', value: Number.POSITIVE_INFINITY },
  inf: { kind: 'number', value: Number.POSITIVE_INFINITY },
};

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '/': '/',
  '\n': '',
};

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

/** Raised inside the reader only; callers see null. */
class NotAValue extends Error {}

export class ValueReader {
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The value that the whole text is, or null. */
  wholeValue(): Value | null {
    return this.whole(() => this.value());
  }

  /** The call that the whole text is, or null. */
  wholeCall(): Chain | null {
    return this.whole(() => this.chain());
  }

  private whole<T>(read: () => T): T | null {
    try {
      const result = read();
      this.space();
      return this.at === this.text.length ? result : null;
    } catch (error) {
      if (error instanceof NotAValue) return null;
      throw error;
    }
  }

  private value(): Value {
    this.space();
    if (++this.depth > MAX_DEPTH) throw new NotAValue();
    const value = this.bareValue();
    this.depth--;
    return value;
  }

  private bareValue(): Value {
    const next = this.text[this.at] ?? '';
    if (next === '[') return this.bracket();
    if (next === '(') return this.parenthesis();
    if (next === '{') return this.brace(null);
    if (next === '/') return { kind: 'regex', source: this.match(REGEX) ?? this.fail() };
    if (next === '-' || next === '+') return this.signed(next);
    if (/[\d.]/.test(next)) return this.number(1);
    const prefix = this.match(STRING_PREFIX);
    if (prefix !== null) return this.string(prefix.toLowerCase());
    return this.named();
  }

  private signed(sign: string): Value {
    this.at++;
    const factor = sign === '-' ? -1 : 1;
    if (/[\d.]/.test(this.text[this.at] ?? '')) return this.number(factor);
    const word = this.match(NAME);
    if (word === 'Infinity' || word === 'inf') return { kind: 'number', value: factor * Number.POSITIVE_INFINITY };
    return this.fail();
  }

  private number(factor: 1 | -1): Value {
    const written = this.match(NUMBER) ?? this.fail();
    if (/[\p{L}\p{N}_$.]/u.test(this.text[this.at] ?? '')) return this.fail();
    const digits = written.replaceAll('_', '');
    if (/^0\d/.test(digits)) return this.fail();
    const big = digits.endsWith('n') && !/^0[xX]/.test(digits);
    if (big && /^\d+n$/.test(digits)) {
      const value = BigInt(digits.slice(0, -1));
      return { kind: 'bigint', digits: String(factor === -1 ? -value : value) };
    }
    const value = Number(digits);
    if (Number.isNaN(value) || (Number.isInteger(value) && !Number.isSafeInteger(value) && !/[eE]/.test(digits)))
      return this.fail();
    return { kind: 'number', value: factor * value };
  }

  private string(prefix: string): Value {
    const quote = this.text[this.at] ?? '';
    const triple = quote !== '`' && this.text.startsWith(quote.repeat(3), this.at);
    const end = triple ? quote.repeat(3) : quote;
    this.at += end.length;
    const parts: string[] = [];
    while (!this.text.startsWith(end, this.at)) {
      const char = this.text[this.at];
      if (char === undefined || (char === '\n' && !triple && quote !== '`')) return this.fail();
      if (quote === '`' && this.text.startsWith('${', this.at)) return this.fail();
      if (char === '\\' && !prefix.includes('r')) parts.push(this.escape());
      else {
        if (char === '\\') return this.fail();
        parts.push(char);
        this.at++;
      }
    }
    this.at += end.length;
    return { kind: prefix.includes('b') ? 'bytes' : 'string', value: parts.join('') };
  }

  private escape(): string {
    const code = this.match(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8}))/y);
    if (code !== null) {
      const point = Number.parseInt(code.replace(/^\\[xuU]\{?/, ''), 16);
      return point <= 0x10ffff && !code.startsWith('\\u{}') ? String.fromCodePoint(point) : this.fail();
    }
    const char = this.text[this.at + 1] ?? '';
    const plain = ESCAPES[char];
    if (plain === undefined || (char === '0' && /\d/.test(this.text[this.at + 2] ?? ''))) return this.fail();
    this.at += 2;
    return plain;
  }

  private bracket(): Value {
    return { kind: 'list', items: this.items('[') };
  }

  private items(open: string): Value[] {
    const close = CLOSING[open] ?? '';
    this.expect(open);
    const items: Value[] = [];
    while (!this.take(close)) {
      items.push(this.value());
      if (!this.take(',')) {
        this.expect(close);
        break;
      }
    }
    return items;
  }

  /** `()` and `(1,)` are tuples, `(1)` is the value itself. */
  private parenthesis(): Value {
    const start = this.at;
    const items = this.items('(');
    const only = items[0];
    const comma = /,\s*\)$/.test(this.text.slice(Math.max(start, this.at - 200), this.at));
    return items.length === 1 && only && !comma ? only : { kind: 'tuple', items };
  }

  private brace(name: string | null): Value {
    this.expect('{');
    const entries: (readonly [Value, Value])[] = [];
    const members: Value[] = [];
    let arrows = 0;
    while (!this.take('}')) {
      const key = this.key();
      if (this.take('=>')) arrows++;
      else if (!this.take(':')) {
        members.push(key);
        if (this.take(',')) continue;
        this.expect('}');
        break;
      }
      entries.push([key, this.value()]);
      if (!this.take(',')) {
        this.expect('}');
        break;
      }
    }
    return this.braced(name, entries, members, arrows);
  }

  private braced(name: string | null, entries: (readonly [Value, Value])[], members: Value[], arrows: number): Value {
    if (members.length > 0 && entries.length > 0) return this.fail();
    if (members.length > 0) return name === null || name === 'Set' ? { kind: 'set', items: members } : this.fail();
    if (name === 'Set') return entries.length === 0 ? { kind: 'set', items: [] } : this.fail();
    if (arrows > 0 || name === 'Map') {
      return arrows === entries.length && (name === 'Map' || name === null) ? { kind: 'map', entries } : this.fail();
    }
    return { kind: 'object', name: name === 'Object' ? null : name, entries };
  }

  /** A name before a colon is a string key; otherwise keys are values. */
  private key(): Value {
    this.space();
    const start = this.at;
    const name = this.match(NAME);
    if (name !== null) {
      this.space();
      if (this.text[this.at] === ':') return { kind: 'string', value: name };
      this.at = start;
    }
    return this.value();
  }

  /** A word, or a value that a name introduces: `Map(1) { … }`, `Array [ … ]`, `Point(x=1)`, `new Set([1])`. */
  private named(): Value {
    const name = this.dottedName();
    if (name === 'new') {
      this.space();
      return this.constructed(this.dottedName());
    }
    const word = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
    if (word) return word;
    this.match(SIZE);
    this.space();
    const next = this.text[this.at];
    if (next === '(') return this.constructed(name);
    if (next === '{') return this.brace(name);
    if (next === '[' && name === 'Array') return this.bracket();
    return this.fail();
  }

  private constructed(name: string): Value {
    const args = this.arguments();
    const only = args.length === 1 && args[0]?.keyword === null ? args[0].value : null;
    const lower = name.toLowerCase();
    if (lower === 'set' || lower === 'frozenset') {
      if (args.length === 0) return { kind: 'set', items: [] };
      if (only && (only.kind === 'list' || only.kind === 'set' || only.kind === 'tuple'))
        return { kind: 'set', items: only.items };
    }
    if (name === 'Map' && args.length === 0) return { kind: 'map', entries: [] };
    if (name === 'Map' && only?.kind === 'list')
      return { kind: 'map', entries: only.items.map((item) => this.pair(item)) };
    return { kind: 'instance', name, args };
  }

  private pair(item: Value): readonly [Value, Value] {
    const [key, value, ...rest] = item.kind === 'list' ? item.items : [];
    return key && value && rest.length === 0 ? [key, value] : this.fail();
  }

  private arguments(): Argument[] {
    this.expect('(');
    const args: Argument[] = [];
    while (!this.take(')')) {
      args.push({ keyword: this.keyword(), value: this.value() });
      if (!this.take(',')) {
        this.expect(')');
        break;
      }
    }
    return args;
  }

  private keyword(): string | null {
    this.space();
    const start = this.at;
    const name = this.match(NAME);
    this.space();
    if (name !== null && this.text[this.at] === '=' && !/[=>]/.test(this.text[this.at + 1] ?? '')) {
      this.at++;
      return name;
    }
    this.at = start;
    return null;
  }

  private chain(): Chain {
    this.space();
    if (this.take('(')) return this.wrapped();
    const path = this.path();
    const args = this.arguments();
    return { path, args, tail: this.links([]) };
  }

  /** `(await load(1)).name`: what the parentheses hold is a call itself. */
  private wrapped(): Chain {
    if (++this.depth > MAX_DEPTH) return this.fail();
    const inner = this.chain();
    this.expect(')');
    this.depth--;
    return { ...inner, tail: this.links(inner.tail) };
  }

  private path(): string[] {
    const path = [this.match(NAME) ?? this.fail()];
    while (path[0] === 'await' || path[0] === 'new') {
      this.space();
      path[0] = this.match(NAME) ?? this.fail();
    }
    while (path.length < MAX_LINKS && this.text[this.at] === '.') {
      this.at++;
      path.push(this.match(NAME) ?? this.fail());
    }
    return path;
  }

  private links(before: readonly Link[]): Link[] {
    const links = [...before];
    while (links.length < MAX_LINKS) {
      if (this.text[this.at] === '.') {
        this.at++;
        links.push({ kind: 'name', name: this.match(NAME) ?? this.fail() });
      } else if (this.text[this.at] === '(') links.push({ kind: 'call', args: this.arguments() });
      else if (this.text[this.at] === '[') links.push(this.index());
      else return links;
    }
    return this.fail();
  }

  private index(): Link {
    const [key, ...rest] = this.items('[');
    if (rest.length > 0 || (key?.kind !== 'number' && key?.kind !== 'string')) return this.fail();
    const plain = key.kind === 'string' && /^[A-Za-z_$][\w$]*$/.test(key.value);
    return { kind: 'name', name: plain ? String(key.value) : `[${JSON.stringify(key.value)}]` };
  }

  private dottedName(): string {
    let name = this.match(NAME) ?? this.fail();
    while (this.text[this.at] === '.') {
      this.at++;
      name += `.${this.match(NAME) ?? this.fail()}`;
    }
    return name;
  }

  private space(): void {
    this.match(SPACE);
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.at += found[0].length;
    return found[0];
  }

  /** Skips white space and takes the token if it comes next. */
  private take(token: string): boolean {
    this.space();
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  private expect(token: string): void {
    if (!this.take(token)) this.fail();
  }

  private fail(): never {
    throw new NotAValue();
  }
}
