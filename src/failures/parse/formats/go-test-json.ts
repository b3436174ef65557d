/** `go test -json`: one event a line, the events of several packages and tests interleaved. */
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { GoBuild } from './go/build.ts';
import { GoPackage } from './go/package.ts';
import { lineRange } from './reading/block.ts';
import { finding } from './reading/draft.ts';

const MAX_PACKAGES = 2000;

interface GoEvent {
  readonly action: string;
  readonly suite: string;
  readonly test: string | null;
  readonly output: string;
  readonly importPath: string;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Reads a line as an event; null when it is none. */
function eventOf(source: string): GoEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return null; // Not JSON, or cut: the caller reports it.
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const action = text(fields.get('Action'));
  if (action === '') return null;
  return {
    action,
    suite: text(fields.get('Package')),
    test: text(fields.get('Test')) || null,
    output: text(fields.get('Output')),
    importPath: text(fields.get('ImportPath')),
  };
}

class GoTestJsonReader implements LineReader {
  readonly active = false;
  readonly #context: ScanContext;
  readonly #packages = new Map<string, GoPackage>();
  readonly #builds = new Map<string, GoBuild>();
  #broken = false;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  line(line: LogLine): void {
    const event = eventOf(line.text.trim());
    if (!event) this.#unreadable(line);
    else if (event.importPath !== '') this.#build(line, event);
    else if (event.suite !== '') this.#test(line, event);
  }

  end(): void {
    for (const build of this.#builds.values()) build.flush();
    for (const [suite, one] of this.#packages) one.finish(this.#context, suite, false);
  }

  #unreadable(line: LogLine): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#context.damage({ what: 'A go test event is not valid JSON.', line: line.number, byte: line.start });
  }

  #build(line: LogLine, event: GoEvent): void {
    const key = event.importPath;
    const build = this.#builds.get(key) ?? new GoBuild('go-test-json', this.#context);
    if (this.#builds.size < MAX_PACKAGES) this.#builds.set(key, build);
    const output = event.output.replace(/\r?\n$/, '');
    if (output.startsWith('# ')) build.header(output.slice(2).split(' ', 1)[0] ?? '');
    else if (event.action === 'build-output') build.line(line, output);
    else if (event.action === 'build-fail') build.flush();
  }

  #test(line: LogLine, event: GoEvent): void {
    const one = this.#packages.get(event.suite) ?? new GoPackage('go-test-json');
    if (this.#packages.size < MAX_PACKAGES) this.#packages.set(event.suite, one);
    if (event.action === 'output') {
      for (const output of event.output.replace(/\r?\n$/, '').split('\n')) this.#output(one, line, event, output);
    } else if (event.test !== null) {
      const { action } = event;
      if (action === 'fail' || action === 'pass' || action === 'skip') one.outcome(event.test, action);
    } else this.#suiteEnded(one, event);
  }

  #output(one: GoPackage, line: LogLine, event: GoEvent, output: string): void {
    one.output(event.test, line, output);
    if (event.test === null && /^FAIL\t\S+ \[(?:build|setup) failed\]/.test(output))
      this.#unbuilt(line, event.suite, output);
  }

  /** Before Go 1.24 the compiler's lines are not part of the events: all that is known is that it failed. */
  #unbuilt(line: LogLine, suite: string, output: string): void {
    const known = [...this.#builds].some(([path, build]) => path.startsWith(suite) && build.errors > 0);
    if (known) return;
    this.#context.emit(
      finding({
        kind: 'diagnostic',
        runner: 'go-test-json',
        test_file: suite,
        failure_class: 'compile_error',
        message: output,
        range: lineRange(line),
        confidence: 0.6,
      }),
    );
  }

  #suiteEnded(one: GoPackage, event: GoEvent): void {
    if (event.action !== 'fail' && event.action !== 'pass' && event.action !== 'skip') return;
    if (event.action !== 'skip') this.#context.summary(event.action === 'fail' ? 'failed' : 'passed');
    if (event.action === 'fail') one.finish(this.#context, event.suite, false);
    this.#packages.delete(event.suite);
  }
}

export const goTestJson: LineFormat = {
  id: 'go-test-json',
  opens: /^\s*\{"(?:Time":"[^"]*","Action":"|ImportPath":"|Action":"|Package":"[^"]*","(?:Action|Time)":")/,
  open: (context) => new GoTestJsonReader(context),
};
