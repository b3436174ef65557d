/** `cargo test` (libtest) and cargo-nextest on the console. */
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { Block, lineRange } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';
import { readRustBody } from './rust/test-body.ts';

const STDOUT = /^---- (\S.*) stdout ----$/;
const STDOUT_END = /^---- (\S.*) stdout end ----$/;
const ROW = /^test .*FAILED$/;
const LIST = /^failures:$/;
const RESULT = /^test result: (ok|FAILED)\./;
const FREE_PANIC = /^thread '([^']+)'(?: \(\d+\))? panicked at /;
const NEXTEST =
  /^\s*(?:TRY (\d+) )?(PASS|FAIL|FLAKY|TIMEOUT|TMT|ABORT|ABRT|LEAK|LEAK-FAIL|XFAIL|SIG[A-Z0-9]+)(?: \d+\/\d+)? \[\s*[>]?\s*[\d.]+s\] (?:\(\s*\d+\/\s*\d+\) )?(\S+)\s+(\S.*)$/;
const NEXTEST_OUTPUT = /^\s*(?:-{3} )?(?:stdout|stderr|STDOUT|STDERR|output)(?::|\s+─)/;
const NEXTEST_END =
  /^\s*(?:─{4,}|-{10,}|Cancell?ing\b|Summary \[|error: test run failed|(?:PASS|SLOW|START|SKIP|RUNNING)\b.*\[)/;
const SIGNAL = /\(signal: \d+, (SIG[A-Z]+)[^)]*\)|\(exit code: (0xc[0-9a-f]{7})[^)]*\)/;
const MAX_TESTS = 5000;
const PANIC_LINES = 60;

interface Case {
  readonly block: Block;
  readonly nextest: boolean;
  readonly outcome: string;
  retried: boolean;
}

class CargoTestReader implements LineReader {
  readonly #context: ScanContext;
  #cases = new Map<string, Case>();
  /** Panics printed outside of a captured block (--nocapture), by thread name. */
  #free = new Map<string, Block>();
  #block: Block | null = null;
  #name: string | null = null;
  #mode: 'idle' | 'libtest' | 'nextest' | 'panic' = 'idle';

  constructor(context: ScanContext) {
    this.#context = context;
  }

  get active(): boolean {
    return this.#mode !== 'idle';
  }

  line(line: LogLine): void {
    const text = line.text.trimEnd();
    if (text.startsWith('---- ') && this.#libtestHead(text)) return;
    const nextest = NEXTEST.exec(text);
    if (nextest) this.#nextest(line, nextest);
    else if (RESULT.test(text) && this.#mode !== 'nextest') this.#result(text);
    else if (this.#mode === 'libtest' && LIST.test(text)) this.#mode = 'idle';
    else if (this.#mode === 'nextest' && NEXTEST_END.test(text)) this.#nextestEnd(text);
    else if (this.#mode === 'panic') this.#panicLine(line, text);
    else if (this.#mode !== 'idle') this.#block?.add(line, this.#undented(line.text));
    else this.#idle(line, text);
  }

  end(): void {
    this.#flush();
  }

  #undented(text: string): string {
    return this.#mode === 'nextest' && text.startsWith('    ') ? text.slice(4) : text;
  }

  #libtestHead(text: string): boolean {
    const ended = STDOUT_END.exec(text);
    if (ended && this.#name === ended[1]) {
      this.#mode = 'idle';
      return true;
    }
    const head = STDOUT.exec(text);
    if (!head || this.#mode === 'nextest') return false;
    this.#name = head[1] ?? '';
    this.#open(this.#name, 'FAIL', false);
    this.#mode = 'libtest';
    return true;
  }

  #open(name: string, outcome: string, nextest: boolean): Case | null {
    const known = this.#cases.get(name);
    if (!known && this.#cases.size >= MAX_TESTS) return null;
    const one: Case = { block: new Block(), nextest, outcome, retried: known !== undefined && nextest };
    const kept = known && !known.block.empty && !nextest && known.block.lines.length > 1 ? known : one;
    this.#cases.set(name, kept);
    this.#block = kept.block;
    return kept;
  }

  #nextest(line: LogLine, match: RegExpExecArray): void {
    const [, attempt, outcome = '', binary, test] = match;
    const name = `${binary} ${test}`;
    const known = this.#cases.get(name);
    this.#mode = 'idle';
    if (outcome === 'PASS' || outcome === 'FLAKY' || outcome === 'XFAIL' || outcome === 'LEAK') {
      this.#cases.delete(name);
      return;
    }
    if (known && !attempt) return; // The summary lists it again.
    const one = this.#open(name, outcome, true);
    one?.block.add(line);
    if (one && attempt && Number(attempt) > 1) one.retried = true;
    this.#mode = 'nextest';
  }

  #nextestEnd(text: string): void {
    this.#mode = 'idle';
    if (/^\s*Summary \[/.test(text))
      this.#context.summary(/[1-9]\d* (?:failed|timed out)/.test(text) ? 'failed' : 'passed');
  }

  #result(text: string): void {
    this.#mode = 'idle';
    const failed = RESULT.exec(text)?.[1] === 'FAILED';
    this.#context.summary(failed ? 'failed' : 'passed');
    if (failed) this.#flushLibtest();
  }

  #panicLine(line: LogLine, text: string): void {
    this.#block?.add(line);
    const long = (this.#block?.lines.length ?? 0) > PANIC_LINES;
    if (text.startsWith('note: ') || text === '' || long || /^test \S/.test(text)) this.#mode = 'idle';
  }

  #idle(line: LogLine, text: string): void {
    if (ROW.test(text) && text.includes(' ... ')) {
      const name = text.slice('test '.length, text.indexOf(' ... '));
      const one = this.#cases.has(name) ? null : this.#open(name, 'FAIL', false);
      one?.block.add(line);
      return;
    }
    const panic = FREE_PANIC.exec(text);
    if (panic && this.#free.size < 200) {
      this.#block = new Block();
      this.#block.add(line);
      this.#free.set(panic[1] ?? '', this.#block);
      this.#mode = 'panic';
    } else if (/^\s*Summary \[/.test(text)) this.#nextestEnd(text);
    else if (SIGNAL.test(text)) this.#signal(line, text);
  }

  /** The test process died: cargo names the signal. */
  #signal(line: LogLine, text: string): void {
    const signal = SIGNAL.exec(text);
    this.#context.emit(
      finding({
        kind: 'diagnostic',
        runner: 'cargo-test',
        failure_class: 'runtime_error',
        sub_class: signal?.[1] === 'SIGKILL' ? 'killed' : 'crash',
        message: text.trim(),
        symbol: signal?.[1] ?? signal?.[2] ?? null,
        range: lineRange(line),
        confidence: 0.7,
      }),
    );
  }

  #flushLibtest(): void {
    for (const [name, one] of this.#cases) {
      if (one.nextest) continue;
      this.#emit(name, one);
      this.#cases.delete(name);
    }
    this.#free.clear();
  }

  #flush(): void {
    this.#mode = 'idle';
    for (const [name, one] of this.#cases) this.#emit(name, one);
    this.#cases.clear();
  }

  #emit(name: string, one: Case): void {
    const free = this.#free.get(name);
    const lines = (one.block.lines.length <= 1 && free ? free.lines : one.block.lines).filter(
      (text) => !NEXTEST_OUTPUT.test(text),
    );
    const body = readRustBody(name, lines);
    const death = body.message === '' ? deathOf(one.outcome) : null;
    this.#context.emit(
      finding({
        ...body,
        ...death,
        kind: 'test',
        runner: one.nextest ? 'cargo-nextest' : 'cargo-test',
        test: name,
        test_file: null,
        message:
          body.message || (one.outcome === 'FAIL' ? `test ${name} failed` : `test ${name} ended with ${one.outcome}`),
        symbol: one.nextest ? (name.split(' ').at(-1) ?? name) : name,
        excerpt: excerptOf(lines),
        range: one.block.range,
        confidence: body.message === '' ? 0.75 : 0.95,
        flaky_signals: one.retried ? ['retried'] : [],
      }),
    );
  }
}

function deathOf(
  outcome: string,
): { failure_class: 'runtime_error'; sub_class: 'timeout' | 'crash' | 'killed' } | null {
  if (outcome === 'TIMEOUT' || outcome === 'TMT') return { failure_class: 'runtime_error', sub_class: 'timeout' };
  if (outcome === 'SIGKILL') return { failure_class: 'runtime_error', sub_class: 'killed' };
  return /^(?:SIG|ABORT|ABRT)/.test(outcome) ? { failure_class: 'runtime_error', sub_class: 'crash' } : null;
}

export const cargoTest: LineFormat = {
  id: 'cargo-test',
  opens:
    /^(?:---- \S.* stdout ----$|test .*FAILED$|test result: |thread '[^']+'(?: \(\d+\))? panicked at |\s*(?:TRY \d+ )?(?:PASS|FAIL|TIMEOUT|TMT|ABORT|ABRT|LEAK|LEAK-FAIL) \[|\s*FLAKY \d|\s*SIG[A-Z0-9]+ \[ |\s*Summary \[|.*\(signal: \d+, SIG)/,
  open: (context) => new CargoTestReader(context),
};
