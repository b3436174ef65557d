/** Diagnostics of rustc, clippy and cargo itself; not those that a UI test prints as its expected text. */
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { Block } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';
import { frame } from './reading/frames.ts';
import { RustTestOutput, TEST_OUTPUT_MARKS } from './rust/test-output.ts';

const ERROR = /^(\s*)error(?:\[(E\d{4}|\w+::\w+)\])?: (\S.*)$/;
const ARROW = /^\s*--> (\S.*?):(\d+):(\d+)$/;
const DETAIL = /^\s*(?:-->|\||\d+ |=|\.\.\.|:::|note:|help:|~|[+-] |(?:expected|found) )/;
const CLOSING =
  /^(?:aborting due to|could not compile|test failed, to rerun|test run failed|\d+ (?:targets?|errors?) |process didn't exit successfully|Recipe |doctest failed|build failed)/;
const CARGO =
  /^(?:failed to (?:parse|select|load|get|resolve|read|download|run custom build|fetch)|no matching package|package `|linking with|unable to (?:find|update)|toolchain |component |the lock file|manifest path|could not find `|no such (?:command|subcommand)|cannot find)/;
const LINT =
  /`?-D (?:clippy|unused|warnings)|#\[deny\(|implied by `-D |^\s*= help: for further information visit https:\/\/rust-lang\.github\.io\/rust-clippy/;
const MISMATCH = /expected (?:`([^`]+)`|([\w ]+?)), found (?:`([^`]+)`|([\w ]+))/;
const MAX_LINES = 120;
/** A header without a code needs its place within so many lines. */
const NEAR = 3;
const MAX_FINDINGS = 500;

class RustcReader implements LineReader {
  readonly #context: ScanContext;
  readonly #tests = new RustTestOutput();
  #block: Block | null = null;
  #head: RegExpExecArray | null = null;
  #count = 0;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  get active(): boolean {
    return this.#block !== null || this.#tests.inside;
  }

  line(line: LogLine): void {
    const text = line.text.trimEnd();
    this.#tests.line(text);
    if (this.#tests.inside) {
      this.#block = null;
      return;
    }
    const head = ERROR.exec(text);
    if (head) {
      this.#flush();
      if (CLOSING.test(head[3] ?? '')) return;
      this.#head = head;
      this.#block = new Block();
      this.#block.add(line);
    } else if (this.#block) this.#detail(line, text, this.#block);
  }

  end(): void {
    this.#flush();
  }

  #detail(line: LogLine, text: string, block: Block): void {
    const belongs = text.trim() === '' ? block.lines.length < 2 : DETAIL.test(text) || /^\s{2,}/.test(text);
    if (belongs && block.lines.length < MAX_LINES) block.add(line);
    else this.#flush();
  }

  #flush(): void {
    const [block, head] = [this.#block, this.#head];
    this.#block = null;
    if (!block || !head || this.#count >= MAX_FINDINGS) return;
    const arrowAt = block.lines.findIndex((text) => ARROW.test(text));
    const place = arrowAt < 0 ? null : ARROW.exec(block.lines[arrowAt] ?? '');
    const [message, code] = [head[3] ?? '', head[2] ?? null];
    if (!code && !CARGO.test(message) && (arrowAt < 0 || arrowAt > NEAR)) return;
    this.#count++;
    const text = block.lines.join('\n');
    const values = MISMATCH.exec(text.slice(0, 6000));
    this.#context.emit(
      finding({
        kind: 'diagnostic',
        runner: 'rustc',
        failure_class: 'compile_error',
        sub_class: LINT.test(text) ? 'lint' : null,
        message,
        expected: values?.[1] ?? values?.[2] ?? null,
        actual: values?.[3] ?? values?.[4] ?? null,
        location: place ? frame(place[1] ?? '', place[2], place[3]) : null,
        symbol: code,
        excerpt: excerptOf(block.lines),
        range: block.range,
        confidence: place ? 0.95 : 0.75,
      }),
    );
  }
}

export const rustc: LineFormat = {
  id: 'rustc',
  opens: new RegExp(String.raw`^(?:\s*error\[E|\s*error: |${TEST_OUTPUT_MARKS})`),
  open: (context) => new RustcReader(context),
};
