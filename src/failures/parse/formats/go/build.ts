/** Errors of the Go compiler and of vet, as `go build` and `go test` print them. */
import type { LogLine, ScanContext } from '../../format.ts';
import { Block } from '../reading/block.ts';
import { excerptOf, finding } from '../reading/draft.ts';
import { frame } from '../reading/frames.ts';

const ERROR = /^(?:vet: )?((?:[A-Za-z]:)?[^\s:]+\.go):(\d+)(?::(\d+))?: (\S.*)$/;
const SYNTAX = /^(?:syntax error: |expected )/;
const EXPECTED = /\bexpected (.{1,200}), found (.{1,200})$/;
/** Words of the compiler: without the `# package` line above, only these make a line a diagnostic of it. */
export const COMPILER_WORDS =
  /\b(?:undefined: |syntax error: |cannot find (?:package|module)|no required module provides|declared and not used|imported and not used|cannot use |missing return|expected .{1,60}, found |is not in (?:std|GOROOT)|undefined \(type |too many arguments in call|not enough arguments in call|import cycle not allowed|redeclared in this block)/;
const MAX_ERRORS = 200;

interface Pending {
  readonly block: Block;
  readonly match: RegExpExecArray;
}

export class GoBuild {
  readonly #runner: string;
  readonly #context: ScanContext;
  #pending: Pending | null = null;
  #suite: string | null = null;
  #errors = 0;

  constructor(runner: string, context: ScanContext) {
    this.#runner = runner;
    this.#context = context;
  }

  /** How many errors were reported so far. */
  get errors(): number {
    return this.#errors + (this.#pending ? 1 : 0);
  }

  header(suite: string): void {
    this.flush();
    this.#suite = suite;
  }

  /** Takes a line; false when it does not belong to a build's output. */
  line(line: LogLine, text: string = line.text): boolean {
    const match = ERROR.exec(text);
    if (match) {
      this.flush();
      this.#pending = { block: new Block(), match };
      this.#pending.block.add(line, text);
      return true;
    }
    if (/^\s+\S/.test(text) && this.#pending) {
      this.#pending.block.add(line, text);
      return true;
    }
    return text === 'too many errors';
  }

  flush(): void {
    const pending = this.#pending;
    this.#pending = null;
    if (!pending || this.#errors >= MAX_ERRORS) return;
    this.#errors++;
    const { match, block } = pending;
    const message = [match[4] ?? '', ...block.lines.slice(1)].join('\n');
    const values = EXPECTED.exec(match[4] ?? '');
    this.#context.emit(
      finding({
        kind: 'diagnostic',
        runner: this.#runner,
        test: null,
        test_file: this.#suite,
        failure_class: 'compile_error',
        sub_class: SYNTAX.test(match[4] ?? '') ? 'syntax' : null,
        message,
        expected: values?.[1] ?? null,
        actual: values?.[2] ?? null,
        location: frame((match[1] ?? '').replace(/^\.\//, ''), match[2], match[3]),
        symbol: /undefined: (\S+)/.exec(message)?.[1] ?? null,
        excerpt: excerptOf(block.lines),
        range: block.range,
        confidence: 0.95,
      }),
    );
  }
}
