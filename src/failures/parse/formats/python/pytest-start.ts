/** What keeps pytest from running any test: a conftest that does not load, arguments it does not know, nothing to collect. */
import type { Finding } from '../../../finding.ts';
import type { LogLine, ScanContext } from '../../format.ts';
import { Block, lineRange } from '../reading/block.ts';
import { excerptOf, finding } from '../reading/draft.ts';
import { readPython } from './traceback.ts';

const CONFTEST = /^ImportError while loading conftest '(.+)'\.$/;
const USAGE =
  /^(?:ERROR: (?:file or directory not found: |not found: |usage: |found no collectors for )|\S*pytest(?:\.py)?: error: |pytest: error: )/;
const MAX_LINES = 120;

/** Lines on which such a report begins, for the `opens` of the format. */
export const START_LINES = String.raw`ImportError while loading conftest |ERROR: (?:file or directory not found: |not found: |usage: |found no collectors)|\S*pytest(?:\.py)?: error: `;

export class PytestStart {
  readonly #context: ScanContext;
  #conftest: { readonly file: string; readonly block: Block } | null = null;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  get active(): boolean {
    return this.#conftest !== null;
  }

  /** Takes a line; false when it belongs to no such report. */
  line(line: LogLine, text: string): boolean {
    const conftest = CONFTEST.exec(text);
    if (conftest) {
      this.#conftest = { file: conftest[1] ?? '', block: new Block() };
      this.#conftest.block.add(line);
      return true;
    }
    if (this.#conftest) return this.#loading(line, text, this.#conftest.block);
    if (!USAGE.test(text)) return false;
    this.#context.emit(usageFinding(line, text));
    return true;
  }

  flush(): void {
    const conftest = this.#conftest;
    this.#conftest = null;
    if (!conftest) return;
    const failure = readPython(conftest.block.lines);
    this.#context.emit(
      finding({
        ...failure,
        kind: 'diagnostic',
        runner: 'pytest',
        test_file: conftest.file,
        sub_class: failure.sub_class ?? 'collection',
        symbol: failure.exception,
        excerpt: excerptOf(conftest.block.lines),
        range: conftest.block.range,
        confidence: 0.95,
      }),
    );
  }

  #loading(line: LogLine, text: string, block: Block): boolean {
    const over = line.mark === 'error' || text === '' || block.lines.length > MAX_LINES;
    if (over) this.flush();
    else block.add(line);
    return !over;
  }
}

function usageFinding(line: LogLine, text: string): Finding {
  return finding({
    kind: 'diagnostic',
    runner: 'pytest',
    failure_class: 'tool_contract_error',
    sub_class: /not found/.test(text) ? 'no_tests_run' : null,
    message: text,
    range: lineRange(line),
    confidence: 0.8,
  });
}
