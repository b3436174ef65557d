/** Ginkgo's specs inside of `go test`, with gomega's messages: the Go test that runs the suite says nothing of its own. */
import type { Frame } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { goStack } from './go/test-body.ts';
import { Block } from './reading/block.ts';
import { ASSERTION, RUNTIME } from './reading/classify.ts';
import { excerptOf, finding } from './reading/draft.ts';
import { frame, ownFrame } from './reading/frames.ts';

const HEAD = /^(?:\S{0,4}• ?|• ?)(?:\[(FAILED|PANICKED!?|TIMEDOUT|INTERRUPTED|ABORTED)\]|(Failure|Panic)\b.*\[\d)/;
const RULE = /^-{20,}$/;
const SUMMARY = /^Summarizing \d+ Failures?:/;
const DECLARED = /^\s*(\S+\.go):(\d+)$/;
const AT = /^\s*In (?:\[[^\]]*\].*|.*) at: (\S+\.go):(\d+)/;
const MESSAGE = /^\s*\[(?:FAILED|PANICKED|TIMEDOUT|INTERRUPTED)\] ?(.*)$/;
const TYPED = /^<[^|]{1,120}>: (.*)$/;
const MAX_LINES = 300;

interface Values {
  readonly expected: string | null;
  readonly actual: string | null;
}

/** gomega: `Expected`, the actual value, the matcher, and for some the expected value. */
function gomegaValues(lines: readonly string[]): Values {
  const at = lines.findIndex((line) => line.trim() === 'Expected');
  if (at < 0) return { expected: null, actual: null };
  const [value = '', matcher = '', wanted = ''] = lines.slice(at + 1, at + 4).map((line) => line.trim());
  const expected = /^(?:In|\[)/.test(wanted) || wanted === '' ? matcher : bare(wanted);
  return { expected, actual: bare(value) };
}

function bare(value: string): string {
  return TYPED.exec(value)?.[1] ?? value;
}

class GinkgoReader implements LineReader {
  readonly #context: ScanContext;
  #block: Block | null = null;
  #outcome = '';

  constructor(context: ScanContext) {
    this.#context = context;
  }

  get active(): boolean {
    return this.#block !== null;
  }

  line(line: LogLine): void {
    const text = line.text.trimEnd();
    const head = HEAD.exec(text);
    if (head) {
      this.#flush();
      this.#outcome = head[1] ?? head[2] ?? '';
      this.#block = new Block();
      this.#block.add(line);
    } else if (SUMMARY.test(text)) {
      this.#flush();
      this.#context.summary('failed');
    } else if (this.#block) this.#body(line, text, this.#block);
  }

  end(): void {
    this.#flush();
  }

  #body(line: LogLine, text: string, block: Block): void {
    if (RULE.test(text) || block.lines.length > MAX_LINES) this.#flush();
    else block.add(line);
  }

  #flush(): void {
    const block = this.#block;
    this.#block = null;
    if (!block) return;
    const lines = block.lines.slice(1);
    const title = lines.find((line) => line.trim() !== '')?.trim();
    if (title === undefined) return;
    const told = this.#message(lines);
    const stack = this.#stack(lines);
    const panicked = /^Panic/i.test(this.#outcome);
    this.#context.emit(
      finding({
        ...(panicked ? RUNTIME : ASSERTION),
        ...gomegaValues(told),
        kind: 'test',
        runner: 'ginkgo',
        test: title,
        test_file: lines.map((line) => DECLARED.exec(line)?.[1]).find((file) => file !== undefined) ?? null,
        ...(this.#outcome === 'TIMEDOUT' ? { failure_class: 'runtime_error', sub_class: 'timeout' } : {}),
        message: told.join('\n') || title,
        location: ownFrame(stack),
        stack,
        excerpt: excerptOf(block.lines),
        range: block.range,
        confidence: 0.95,
      }),
    );
  }

  #message(lines: readonly string[]): string[] {
    const from = lines.findIndex((line) => MESSAGE.test(line));
    const told: string[] = [];
    for (const line of lines.slice(Math.max(from, 0))) {
      if (AT.test(line) || /^\s*(?:Full Stack Trace|There were additional failures)/.test(line)) break;
      told.push(MESSAGE.exec(line)?.[1] ?? line.trim());
    }
    return from < 0 ? [] : told;
  }

  /** The place of the failure, the panic's frames, then the declaration. */
  #stack(lines: readonly string[]): Frame[] {
    const at = lines.flatMap((line) => {
      const match = AT.exec(line);
      return match ? [frame(match[1] ?? '', match[2])] : [];
    });
    const declared = lines.flatMap((line) => {
      const match = DECLARED.exec(line);
      return match ? [frame(match[1] ?? '', match[2])] : [];
    });
    const panic = lines.findIndex((line) => /Full Stack Trace/.test(line));
    return [...at, ...(panic < 0 ? [] : goStack(lines.slice(panic))), ...declared];
  }
}

export const ginkgo: LineFormat = {
  id: 'ginkgo',
  opens: /(?:•.{0,3}\[(?:FAILED|PANICKED|TIMEDOUT|INTERRUPTED|ABORTED)|• Failure|• Panic|^Summarizing \d+ Failures?:)/,
  open: (context) => new GinkgoReader(context),
};
