/** Finds, in a regular expression, literals of which every matching text contains at least one: the scanner looks for those first. */

/** At most this many literals stand for one expression; a larger product is cut at that point. */
const MAX_LITERALS = 64;
const MAX_CLASS_MEMBERS = 4;

interface Part {
  /** All texts this part can match, when that is a short list. */
  readonly exact: readonly string[] | null;
  /** Literals of which one must be in any match of this part. */
  readonly best: readonly string[] | null;
}

const ANYTHING: Part = { exact: null, best: null };
const NOTHING: Part = { exact: [''], best: null };

/** Literals of which each match of `pattern` contains at least one; null when there are none of two characters or more. */
export function requiredLiterals(pattern: RegExp): readonly string[] | null {
  const reader = new PatternReader(pattern.source);
  const { best } = reader.alternation();
  return best !== null && shortest(best) >= 2 ? best : null;
}

class PatternReader {
  private at = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  alternation(): Part {
    const branches = [this.sequence()];
    while (this.source[this.at] === '|') {
      this.at += 1;
      branches.push(this.sequence());
    }
    return { exact: union(branches.map((branch) => branch.exact)), best: union(branches.map((branch) => branch.best)) };
  }

  private sequence(): Part {
    let run: readonly string[] = [''];
    let best: readonly string[] | null = null;
    let whole = true;
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at] ?? '')) {
      const atom = this.atom();
      const times = this.quantifier();
      const grown = times === 'optional' || atom.exact === null ? null : product(run, atom.exact);
      if (grown !== null && times === 'once') {
        run = grown;
        continue;
      }
      best = better(best, grown ?? run);
      if (times !== 'optional') best = better(best, atom.best);
      run = [''];
      whole = false;
    }
    return { exact: whole ? run : null, best: better(best, run) };
  }

  private atom(): Part {
    const sign = this.source[this.at] ?? '';
    this.at += 1;
    if (sign === '^' || sign === '$') return NOTHING;
    if (sign === '.') return ANYTHING;
    if (sign === '(') return this.group();
    if (sign === '[') return this.characterClass();
    if (sign === '\\') return this.escape();
    return literal(sign);
  }

  private group(): Part {
    const opening = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(this.source.slice(this.at, this.at + 40))?.[0] ?? '';
    this.at += opening.length;
    const inner = this.alternation();
    this.at += 1;
    return /[=!]$/.test(opening) ? NOTHING : inner;
  }

  private characterClass(): Part {
    const start = this.at;
    while (this.at < this.source.length && this.source[this.at] !== ']')
      this.at += this.source[this.at] === '\\' ? 2 : 1;
    const members = this.source.slice(start, this.at);
    this.at += 1;
    if (/[\\^-]/.test(members) || members.length > MAX_CLASS_MEMBERS) return ANYTHING;
    return { exact: [...members], best: [...members] };
  }

  private escape(): Part {
    const sign = this.source[this.at] ?? '';
    this.at += 1;
    if (sign === 'b' || sign === 'B') return NOTHING;
    if (sign === 't') return literal('\t');
    const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\})/.exec(
      this.source.slice(this.at - 1, this.at + 10),
    );
    if (hex !== null) {
      this.at += hex[0].length - 1;
      return literal(String.fromCodePoint(Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '0', 16)));
    }
    if (/[pP]/.test(sign)) this.at = this.source.indexOf('}', this.at) + 1 || this.source.length;
    return /\w/.test(sign) ? ANYTHING : literal(sign);
  }

  private quantifier(): 'once' | 'repeated' | 'optional' {
    const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.source.slice(this.at, this.at + 20));
    if (found === null) return 'once';
    this.at += found[0].length;
    const optional = found[0][0] === '*' || found[0][0] === '?' || Number(found[1] ?? 1) === 0;
    return optional ? 'optional' : 'repeated';
  }
}

function literal(text: string): Part {
  return { exact: [text], best: [text] };
}

function union(lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  const all: string[] = [];
  for (const list of lists) {
    if (list === null) return null;
    all.push(...list);
  }
  return all.length > MAX_LITERALS ? null : [...new Set(all)];
}

function product(heads: readonly string[], tails: readonly string[]): readonly string[] | null {
  if (heads.length * tails.length > MAX_LITERALS) return null;
  return heads.flatMap((head) => tails.map((tail) => head + tail));
}

function better(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other;
  if (shortest(one) !== shortest(other)) return shortest(one) > shortest(other) ? one : other;
  return one.length <= other.length ? one : other;
}

function shortest(list: readonly string[]): number {
  return Math.min(...list.map((text) => text.length));
}
