/** Errors of gcc, clang, MSVC-compatible drivers and their linkers; notes and the include chain are folded into the excerpt. */
import type { Frame } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { Block } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';
import { frame } from './reading/frames.ts';

const EXTENSION = String.raw`\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tcc|def|m|mm|cu|cuh|S|s|y|l|pyx|ino)`;
const PLACED = new RegExp(
  String.raw`^\s*((?:[A-Za-z]:)?[^\s:()"'][^:()"']*${EXTENSION}):(\d+)(?::(\d+))?: (?:fatal )?error: (.*)$`,
);
const MSVC = new RegExp(
  String.raw`^\s*((?:[A-Za-z]:)?[^:()"']+${EXTENSION})\((\d+)(?:,(\d+))?\)\s*: (?:fatal )?error (C\d{4}): (.*)$`,
);
const BARE =
  /^\s*(?:cc1(?:plus)?|clang(?:\+\+)?|gcc|g\+\+|c\+\+|cc|nvcc)(?:-\d+)?(?:: fatal)?:? (?:fatal )?error: (.*)$/;
const UNDEFINED = /undefined reference to [`'](.{1,1000})'$/;
const UNDEFINED_PLACE = /^\s*(?:\S*ld\S*: )?([^\s:()]+):(\d+): $/;
const MAC_UNDEFINED = /^\s*"(.+)", referenced from:$/;
const MULTIPLE = /^\s*.*: multiple definition of [`'](\S+)'/;
const LINKER =
  /^\s*(?:\S*\/)?(?:ld(?:\.\w+)?|lld|mold|ld64\.lld): (?:error: )?(cannot find \S.*|symbol\(s\) not found.*|library not found.*|unable to find library.*|undefined symbol: .*)$/;
const LINK_FAILED = /^\s*(?:collect2: error: ld returned|clang(?:\+\+)?(?:-\d+)?: error: linker command failed)/;
const NOTE = /^\s*\S.*: (?:note|warning|remark): /;
const CHAIN =
  /^\s*(?:In file included from|from) \S+:\d+|^\s*\S+: (?:In (?:function|member function|instantiation|constructor|destructor|lambda)|At global scope)/;
const CONTEXT = /^\s*(?:\d+ \||\||\^|~)|^\s+\S/;
const MAX_LINES = 60;
const MAX_FINDINGS = 300;

interface Head {
  readonly message: string;
  readonly location: Frame | null;
  readonly symbol: string | null;
}

const HEADS: readonly ((text: string) => Head | null)[] = [
  (text) => {
    const match = PLACED.exec(text);
    return (
      match && {
        message: match[4] ?? '',
        location: frame(match[1] ?? '', match[2], match[3]),
        symbol: flagOf(match[4] ?? ''),
      }
    );
  },
  (text) => {
    const match = MSVC.exec(text);
    return (
      match && {
        message: match[5] ?? '',
        location: frame(match[1] ?? '', match[2], match[3]),
        symbol: match[4] ?? null,
      }
    );
  },
  (text) => {
    const match = text.includes('undefined reference to ') ? UNDEFINED.exec(text) : null;
    const before = match && UNDEFINED_PLACE.exec(text.slice(0, match.index));
    const location = before ? frame(before[1] ?? '', before[2]) : null;
    return match && { message: match[0], location, symbol: match[1] ?? null };
  },
  (text) => {
    const match = MAC_UNDEFINED.exec(text);
    return match && { message: `undefined symbol: ${match[1]}`, location: null, symbol: match[1] ?? null };
  },
  (text) => {
    const match = LINKER.exec(text) ?? BARE.exec(text);
    return match && !LINK_FAILED.test(text) ? { message: match[1] ?? '', location: null, symbol: null } : null;
  },
  (text) => {
    const match = text.includes('multiple definition of ') ? MULTIPLE.exec(text) : null;
    return match && { message: text.trim(), location: null, symbol: match[1] ?? null };
  },
];

/** `[-Werror=unused-variable]`: the warning that was made an error. */
function flagOf(message: string): string | null {
  return /\[(-W[\w=+-]+(?:,-W[\w=+-]+)*)\]$/.exec(message)?.[1] ?? null;
}

class GccReader implements LineReader {
  readonly #context: ScanContext;
  #block: Block | null = null;
  #head: Head | null = null;
  #chain: LogLine[] = [];
  #count = 0;
  #linkFailed = false;
  #linkErrors = 0;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  get active(): boolean {
    return this.#block !== null;
  }

  line(line: LogLine): void {
    const text = line.text.trimEnd();
    const head = this.#headOf(text);
    if (head) this.#open(line, head);
    else if (CHAIN.test(text)) this.#chainLine(line);
    else if (LINK_FAILED.test(text)) this.#linkFailure(line, text);
    else if (this.#block) this.#detail(line, text, this.#block);
  }

  end(): void {
    this.#flush();
  }

  #headOf(text: string): Head | null {
    if (text.length > 4000) return null;
    for (const read of HEADS) {
      const head = read(text);
      if (head) return head;
    }
    return null;
  }

  #open(line: LogLine, head: Head): void {
    this.#flush();
    this.#head = head;
    this.#block = new Block();
    for (const one of this.#chain) this.#block.add(one);
    this.#chain = [];
    this.#block.add(line);
    if (head.location === null) this.#linkErrors++;
  }

  #chainLine(line: LogLine): void {
    if (this.#block) this.#flush();
    if (this.#chain.length > 0 && line.number - (this.#chain.at(-1)?.number ?? 0) > 2) this.#chain = [];
    if (this.#chain.length < 12) this.#chain.push(line);
  }

  /** The linker failed; when nothing said why, this line is all there is. */
  #linkFailure(line: LogLine, text: string): void {
    this.#flush();
    if (this.#linkErrors > 0 || this.#linkFailed) return;
    this.#linkFailed = true;
    this.#open(line, { message: text.trim(), location: null, symbol: null });
  }

  #detail(line: LogLine, text: string, block: Block): void {
    if (block.lines.length < MAX_LINES && (NOTE.test(text) || CONTEXT.test(text))) block.add(line);
    else this.#flush();
  }

  #flush(): void {
    const [block, head] = [this.#block, this.#head];
    this.#block = null;
    if (!block || !head || this.#count >= MAX_FINDINGS) return;
    this.#count++;
    this.#context.emit(
      finding({
        kind: 'diagnostic',
        runner: 'gcc-clang',
        failure_class: 'compile_error',
        message: head.message,
        location: head.location,
        symbol: head.symbol,
        excerpt: excerptOf(block.lines),
        range: block.range,
        confidence: head.location ? 0.93 : 0.8,
      }),
    );
  }
}

export const gccClang: LineFormat = {
  id: 'gcc-clang',
  opens:
    /(?::\d+: (?:fatal )?error: |\): (?:fatal )?error C\d|\) ?: error C\d|undefined reference to |: multiple definition of |In file included from |^\s*collect2: error|linker command failed|ld: (?:error: )?(?:cannot find|symbol|library|unable|undefined)|cc1(?:plus)?: (?:fatal )?error|", referenced from:)/,
  open: (context) => new GccReader(context),
};
