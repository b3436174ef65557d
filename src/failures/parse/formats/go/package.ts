/** What one Go package's test binary reports, however it is printed: which tests failed, and what they wrote. */
import type { LogLine, ScanContext } from '../../format.ts';
import { Block } from '../reading/block.ts';
import { excerptOf, finding } from '../reading/draft.ts';
import { goPanic, readGoBody } from './test-body.ts';

const MAX_TESTS = 5000;
const NOISE = /^\s*=== (?:RUN|PAUSE|CONT|NAME)\b/;
const PANIC_START = /^(?:panic: |fatal error: )/;
const RUNNING = /^\t(Test\S*|Fuzz\S*|Example\S*) \(/;
const TEST_FUNCTION = /^\S+\.((?:Test|Fuzz|Benchmark|Example)\w*)(?:\.func[\d.]+)?\(/;

interface TestState {
  readonly block: Block;
  failed: boolean;
}

export class GoPackage {
  readonly #runner: string;
  readonly #tests = new Map<string, TestState>();
  #panic: { readonly block: Block; readonly test: string | null } | null = null;

  constructor(runner: string) {
    this.#runner = runner;
  }

  /** Takes a line of output; `test` is the test it is attributed to. */
  output(test: string | null, line: LogLine, text: string = line.text): void {
    if (this.#panic) {
      this.#panic.block.add(line, text);
      return;
    }
    if (PANIC_START.test(text)) {
      this.#panic = { block: new Block(), test };
      this.#panic.block.add(line, text);
      return;
    }
    if (test !== null && !NOISE.test(text)) this.#state(test)?.block.add(line, text);
  }

  outcome(test: string, outcome: 'pass' | 'fail' | 'skip'): void {
    if (outcome === 'fail') {
      const state = this.#state(test);
      if (state) state.failed = true;
    } else if (this.#panic?.test !== test) this.#tests.delete(test);
  }

  /** True while a panic is being read: all that follows belongs to it. */
  get panicking(): boolean {
    return this.#panic !== null;
  }

  get lastFailed(): string | null {
    return [...this.#tests].findLast(([, state]) => state.failed)?.[0] ?? null;
  }

  /** Reports the failed leaves and the panic. `suite` is the import path; `quietParents` have their details in another format. */
  finish(context: ScanContext, suite: string | null, quietParents: boolean): void {
    const failed = [...this.#tests].filter(([, state]) => state.failed);
    const names = new Set(failed.map(([name]) => name));
    const panicked = this.#panic ? this.#panicTests(names) : [];
    for (const [name, state] of failed) {
      if (panicked.includes(name) || hasFailedChild(name, failed)) continue;
      this.#emit(context, suite, name, state.block, quietParents);
    }
    for (const name of panicked) this.#emitPanic(context, suite, name);
    this.#tests.clear();
    this.#panic = null;
  }

  #state(test: string): TestState | null {
    const known = this.#tests.get(test);
    if (known) return known;
    if (this.#tests.size >= MAX_TESTS) return null;
    const state = { block: new Block(), failed: false };
    this.#tests.set(test, state);
    return state;
  }

  /** Which tests a panic belongs to: those it lists as running, the one on its stack, the one it was attributed to. */
  #panicTests(failed: ReadonlySet<string>): readonly (string | null)[] {
    const lines = this.#panic?.block.lines ?? [];
    const running = lines.flatMap((line) => RUNNING.exec(line)?.[1] ?? []);
    if (running.length > 0) return running.filter((name) => !running.some((other) => other.startsWith(`${name}/`)));
    const attributed = this.#panic?.test ?? null;
    const onStack = lines.map((line) => TEST_FUNCTION.exec(line)?.[1]).find((name) => name !== undefined);
    if (onStack && attributed?.split('/', 1)[0] !== onStack) return [onStack];
    return [attributed ?? [...failed].at(-1) ?? null];
  }

  #emit(context: ScanContext, suite: string | null, name: string, block: Block, quietParents: boolean): void {
    const body = readGoBody(block.lines);
    if (quietParents && body.message === '') return;
    context.emit(
      finding({
        ...body,
        kind: 'test',
        runner: this.#runner,
        test: name,
        test_file: suite,
        message: body.message || `--- FAIL: ${name}`,
        symbol: name.split('/', 1)[0] ?? name,
        excerpt: excerptOf(block.lines),
        range: block.range,
        confidence: body.message === '' ? 0.7 : 0.95,
      }),
    );
  }

  #emitPanic(context: ScanContext, suite: string | null, name: string | null): void {
    const block = this.#panic?.block;
    const body = block && goPanic(block.lines);
    if (!block || !body) return;
    context.emit(
      finding({
        ...body,
        kind: name === null ? 'diagnostic' : 'test',
        runner: this.#runner,
        test: name,
        test_file: suite,
        sub_class: body.sub_class ?? 'crash',
        symbol: body.stack.find((one) => one === body.location)?.symbol ?? null,
        excerpt: excerptOf(block.lines),
        range: block.range,
        confidence: name === null ? 0.8 : 0.95,
      }),
    );
  }
}

function hasFailedChild(name: string, failed: readonly (readonly [string, TestState])[]): boolean {
  const prefix = `${name}/`;
  return failed.some(([other]) => other.startsWith(prefix));
}
