/** Finds, in a regular expression, literals of which every matching text contains at least one: the scanner looks for those first. */

/** A text that a match contains; `anchored` when nothing but white space stands before it on its line. */
export interface Literal {
  readonly text: string;
  readonly anchored: boolean;
}

/** At most this many literals stand for one expression; a larger product is cut at that point. */
const MAX_LITERALS = 64;
const MAX_CLASS_MEMBERS = 4;
const MAX_REPEATS = 12;
/** What being at the start of a line is worth, in bytes. */
const ANCHOR_WORTH = 2;

interface Part {
  /** All texts this part can match, when that is a short list. */
  readonly exact: readonly string[] | null;
  /** Literals of which one must be in any match of this part. */
  readonly best: readonly Literal[] | null;
  /** True when the part matches nothing but white space. */
  readonly blank: boolean;
}

const ANYTHING: Part = { exact: null, best: null, blank: false };
const WHITE_SPACE: Part = { exact: null, best: null, blank: true };
const NOTHING: Part = { exact: [''], best: null, blank: true };

/** Literals of which each match of `pattern` contains at least one; null when there are none of two bytes or more. */
export function requiredLiterals(pattern: RegExp): readonly Literal[] | null {
  const { best } = new PatternReader(pattern.source).alternation(false);
  return best !== null && worth(best) >= 2 && best.every(({ text }) => text !== '') ? best : null;
}

class PatternReader {
  private at = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** @param atStart whether the alternation stands at the start of a line. */
  alternation(atStart: boolean): Part {
    const branches = [this.sequence(atStart)];
    while (this.source[this.at] === '|') {
      this.at += 1;
      branches.push(this.sequence(atStart));
    }
    return {
      exact: union(branches.map((branch) => branch.exact)),
      best: union(branches.map((branch) => branch.best)),
      blank: branches.every((branch) => branch.blank),
    };
  }

  private sequence(atStart: boolean): Part {
    let run: readonly string[] = [''];
    let best: readonly Literal[] | null = null;
    let anchored = atStart;
    let whole = true;
    let blank = true;
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at] ?? '')) {
      if (this.source[this.at] === '^') anchored = run.every((text) => text === '');
      const empty = run.every((text) => text === '');
      const atom = this.atom(anchored && empty);
      const times = this.quantifier();
      blank &&= atom.blank;
      const choices = times.maybe && atom.exact !== null ? ['', ...atom.exact] : atom.exact;
      const grown = times.least === 0 || choices === null ? null : repeated(run, choices, times.least);
      if (grown !== null && times.exactly) {
        run = grown;
        continue;
      }
      best = better(best, literals(grown ?? run, anchored));
      if (times.least > 0 && !times.maybe) best = better(best, atom.best);
      anchored = anchored && empty && atom.blank;
      run = [''];
      whole = false;
    }
    return { exact: whole ? run : null, best: better(best, literals(run, anchored)), blank };
  }

  private atom(atStart: boolean): Part {
    const sign = this.source[this.at] ?? '';
    this.at += 1;
    if (sign === '^' || sign === '$') return NOTHING;
    if (sign === '.') return ANYTHING;
    if (sign === '(') return this.group(atStart);
    if (sign === '[') return this.characterClass();
    if (sign === '\\') return this.escape();
    return literal(sign);
  }

  private group(atStart: boolean): Part {
    const opening = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(this.source.slice(this.at, this.at + 40))?.[0] ?? '';
    this.at += opening.length;
    const inner = this.alternation(atStart);
    this.at += 1;
    return /[=!]$/.test(opening) ? NOTHING : inner;
  }

  private characterClass(): Part {
    const start = this.at;
    while (this.at < this.source.length && this.source[this.at] !== ']')
      this.at += this.source[this.at] === '\\' ? 2 : 1;
    const members = this.source.slice(start, this.at);
    this.at += 1;
    if (/^(?: |\\t|\\s)+$/.test(members)) return WHITE_SPACE;
    if (/[\\^-]/.test(members) || members.length > MAX_CLASS_MEMBERS) return ANYTHING;
    return { exact: [...members], best: literals([...members], false), blank: false };
  }

  private escape(): Part {
    const sign = this.source[this.at] ?? '';
    this.at += 1;
    if (sign === 'b' || sign === 'B') return NOTHING;
    if (sign === 's') return WHITE_SPACE;
    if (sign === 't') return literal('\t');
    const code = this.source.slice(this.at - 1, this.at + 10);
    const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\})/.exec(code);
    if (hex !== null) {
      this.at += hex[0].length - 1;
      return literal(String.fromCodePoint(Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '0', 16)));
    }
    if (/[pP]/.test(sign)) this.at = this.source.indexOf('}', this.at) + 1 || this.source.length;
    return /\w/.test(sign) ? ANYTHING : literal(sign);
  }

  /** How often the atom before it must come, and whether it comes exactly so often. */
  private quantifier(): { least: number; exactly: boolean; maybe?: true } {
    const found = /^(?:[*+?]|\{(\d+)(,\d*)?\})\??/.exec(this.source.slice(this.at, this.at + 20));
    if (found === null) return { least: 1, exactly: true };
    this.at += found[0].length;
    const sign = found[0][0];
    // What may be left out is once a choice between it and nothing.
    if (sign === '?') return { least: 1, exactly: true, maybe: true };
    if (sign !== '{') return { least: sign === '+' ? 1 : 0, exactly: false };
    const least = Number(found[1]);
    return { least, exactly: found[2] === undefined && least <= MAX_REPEATS };
  }
}

function literal(text: string): Part {
  return { exact: [text], best: literals([text], false), blank: text.trim() === '' };
}

/** White space in front is left out: the prefilter passes over it where a text begins. */
function literals(run: readonly string[], anchored: boolean): readonly Literal[] {
  const texts = [...new Set(run.map((text) => text.trimStart()))];
  const needed = anchored
    ? texts
    : texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)));
  return needed.map((text) => ({ text, anchored }));
}

function union<T>(lists: readonly (readonly T[] | null)[]): readonly T[] | null {
  const all: T[] = [];
  for (const list of lists) {
    if (list === null) return null;
    all.push(...list);
  }
  return all.length > MAX_LITERALS ? null : [...new Set(all)];
}

function repeated(heads: readonly string[], tails: readonly string[], times: number): readonly string[] | null {
  let grown = heads;
  for (let time = 0; time < Math.min(times, MAX_REPEATS); time += 1) {
    if (grown.length * tails.length > MAX_LITERALS) return null;
    grown = grown.flatMap((head) => tails.map((tail) => head + tail));
  }
  return grown;
}

function better(one: readonly Literal[] | null, other: readonly Literal[] | null): readonly Literal[] | null {
  if (one === null || other === null) return one ?? other;
  if (worth(one) !== worth(other)) return worth(one) > worth(other) ? one : other;
  return one.length <= other.length ? one : other;
}

/** A set of literals is as good as its worst. */
function worth(list: readonly Literal[]): number {
  return Math.min(
    ...list.map(({ text, anchored }) => Buffer.byteLength(text) + (anchored && text !== '' ? ANCHOR_WORTH : 0)),
  );
}
