/** `go test` as text, with and without -v: failed leaves, panics, timeouts, and what did not build. */
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { COMPILER_WORDS, GoBuild } from './go/build.ts';
import { GoPackage } from './go/package.ts';
import { lineRange } from './reading/block.ts';
import { finding } from './reading/draft.ts';

const STARTED = /^\s*=== (?:RUN|CONT|NAME|PAUSE)\s+(\S.*)$/;
const RESULT = /^(\s*)--- (PASS|FAIL|SKIP): (\S.*?) \(\d[\d.]*(?:s| seconds)\)/;
const PACKAGE = /^(ok|FAIL)\s+(\S+)(?:\s+(\[(?:build|setup) failed\]|\(cached\)|\d[\d.]*m?s?\b.*))?$/;
const HEADER = /^# (\S+)(?: \[\S+\.test\])?$/;
const PANIC = /^(?:panic: |fatal error: )/;
const ERROR = /^(?:vet: )?(?:[A-Za-z]:)?[^\s:]+\.go:\d+(?::\d+)?: \S/;
const GINKGO = /^Summarizing \d+ Failures?:/;
/** After a package's header or a bare error, so many lines that are none end the block. */
const PATIENCE = 3;
/** A panic with no package line behind it ends after so many lines. */
const MAX_IDLE = 20_000;

class GoTestReader implements LineReader {
  readonly #context: ScanContext;
  readonly #package = new GoPackage('go-test');
  readonly #build: GoBuild;
  /** The test that output is attributed to, and how deep its own lines are indented. */
  #current: string | null = null;
  #reading = false;
  #building = false;
  #strangers = 0;
  #ginkgo = false;

  constructor(context: ScanContext) {
    this.#context = context;
    this.#build = new GoBuild('go-test', context);
  }

  get active(): boolean {
    return this.#reading || this.#building;
  }

  line(line: LogLine): void {
    const text = line.text.trimEnd();
    const ended = /^(?:ok|FAIL)\b/.test(text) ? PACKAGE.exec(text) : null;
    if (ended) this.#ended(line, ended);
    else if (GINKGO.test(text)) this.#ginkgo = true;
    else if (this.#building && this.#buildLine(line, text)) return;
    else if (HEADER.test(text)) this.#header(text);
    else this.#testLine(line, text);
  }

  end(): void {
    this.#build.flush();
    this.#package.finish(this.#context, null, this.#ginkgo);
  }

  #testLine(line: LogLine, text: string): void {
    const started = STARTED.exec(text);
    const result = started ? null : RESULT.exec(text);
    if (started) {
      this.#current = started[1] ?? null;
      this.#reading = true;
    } else if (result && !this.#package.panicking) this.#result(line, result);
    else if (PANIC.test(text)) {
      this.#package.output(this.#current ?? this.#package.lastFailed, line, text);
      this.#reading = true;
    } else if (this.#reading) this.#output(line, text);
    else if (ERROR.test(text) && COMPILER_WORDS.test(text)) this.#startBuild(line);
  }

  #result(line: LogLine, result: RegExpExecArray): void {
    const name = result[3] ?? '';
    const outcome = result[2] === 'FAIL' ? 'fail' : result[2] === 'PASS' ? 'pass' : 'skip';
    if (outcome === 'fail') {
      this.#package.output(name, line);
      this.#context.summary('failed');
    }
    this.#package.outcome(name, outcome);
    this.#current = outcome === 'fail' ? name : null;
    this.#reading = true;
    this.#strangers = 0;
  }

  #output(line: LogLine, text: string): void {
    if (text === 'PASS' || text === 'FAIL') {
      if (!this.#package.panicking) this.#current = null;
      return;
    }
    if (line.mark === 'error' || line.mark === 'group') this.#strangers = MAX_IDLE;
    this.#package.output(this.#current, line);
    if (++this.#strangers <= MAX_IDLE) return;
    this.#reading = false;
    this.#strangers = 0;
  }

  #ended(line: LogLine, ended: RegExpExecArray): void {
    this.#build.flush();
    this.#building = false;
    this.#reading = false;
    this.#current = null;
    const suite = ended[2] ?? null;
    this.#context.summary(ended[1] === 'ok' ? 'passed' : 'failed');
    if (/(?:build|setup) failed/.test(ended[3] ?? '') && this.#build.errors === 0) this.#emitUnbuilt(line, suite);
    this.#package.finish(this.#context, suite, this.#ginkgo);
    this.#ginkgo = false;
  }

  /** A package that did not build, and no compiler's line says why. */
  #emitUnbuilt(line: LogLine, suite: string | null): void {
    this.#context.emit(
      finding({
        kind: 'diagnostic',
        runner: 'go-test',
        test_file: suite,
        failure_class: 'compile_error',
        message: line.text.trim(),
        range: lineRange(line),
        confidence: 0.6,
      }),
    );
  }

  #header(text: string): void {
    this.#build.header(HEADER.exec(text)?.[1] ?? '');
    this.#building = true;
    this.#strangers = 0;
  }

  #startBuild(line: LogLine): void {
    this.#building = true;
    this.#strangers = 0;
    this.#build.line(line);
  }

  #buildLine(line: LogLine, text: string): boolean {
    if (this.#build.line(line, text)) {
      this.#strangers = 0;
      return true;
    }
    if (++this.#strangers < PATIENCE) return false;
    this.#building = false;
    this.#build.flush();
    return false;
  }
}

export const goTest: LineFormat = {
  id: 'go-test',
  opens:
    /^(?:\s*=== (?:RUN|CONT|NAME|PAUSE) |\s*--- (?:FAIL|PASS|SKIP): |panic: |fatal error: |FAIL\s+\S+\s|ok {2}\s*\S+\s|# \S+(?: \[\S+\.test\])?$|(?:vet: )?[^\s:]*\.go:\d+(?::\d+)?: |Summarizing \d+ Failures?:)/,
  open: (context) => new GoTestReader(context),
};
