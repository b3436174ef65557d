/** Playwright's list, line and dot reporters: the numbered failures `1) [project] › file:line:col › title`, with retries. */
import type { Finding } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { readFailure } from '../javascript/failure.ts';
import { Block } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';

const HEADER = /^ {1,6}\d{1,6}\) (?:\[(.{1,80}?)\] › )?(\S{1,400}?):(\d{1,7}):(\d{1,7}) › (.{1,1000}?)[ ─]*$/;
const RETRY = /^ {2,8}(?:Retry #\d+|attachment #\d+)/;
const TOTAL = /^ {2,4}(\d+) (failed|flaky|passed|skipped|did not run|interrupted)\b/;
/** In the totals, names of tests stand below their kind. */
const LISTED = /^ {4,8}(?:\[.{1,80}?\] › )?\S{1,400}?:\d+:\d+ › (.{1,1000}?)[ ─]*$/;
const MAX_BODY = 600;

export const playwright: LineFormat = {
  id: 'playwright',
  opens: /^ {1,6}\d{1,6}\) .{0,500}:\d{1,7}:\d{1,7} › |^ {2,4}\d+ (?:failed|flaky|passed)\b/,
  open: (context) => new PlaywrightReader(context),
};

interface Failure {
  readonly header: RegExpExecArray;
  readonly block: Block;
  readonly body: string[];
  retried: boolean;
}

class PlaywrightReader implements LineReader {
  private readonly context: ScanContext;
  private current: Failure | null = null;
  /** Failures wait for the totals, which say which of them passed on a retry. */
  private waiting: Failure[] = [];
  private flaky = new Set<string>();
  private inFlaky = false;

  constructor(context: ScanContext) {
    this.context = context;
  }

  get active(): boolean {
    return this.current !== null || this.inFlaky;
  }

  line(line: LogLine): void {
    const header = HEADER.exec(line.text);
    const total = header === null ? TOTAL.exec(line.text) : null;
    if (header !== null) this.begin(header, line);
    else if (total !== null) this.total(total[2] ?? '');
    else if (this.inFlaky) this.listed(line.text);
    else if (this.current !== null) this.add(line, this.current);
  }

  end(): void {
    this.close();
    for (const failure of this.waiting) {
      if (!this.flaky.has(failure.header[5] ?? '')) this.context.emit(findingOf(failure));
    }
    this.waiting = [];
  }

  private begin(header: RegExpExecArray, line: LogLine): void {
    this.close();
    this.inFlaky = false;
    this.current = { header, block: new Block(), body: [], retried: false };
    this.current.block.add(line);
  }

  private add(line: LogLine, failure: Failure): void {
    const text = line.text;
    const inside = text.trim() === '' || text.startsWith('    ');
    if (!inside || failure.block.lines.length > MAX_BODY) {
      this.close();
      return;
    }
    failure.block.add(line);
    failure.retried ||= RETRY.test(text);
    if (!failure.retried) failure.body.push(text.slice(0, 2000));
  }

  private total(kind: string): void {
    this.close();
    this.inFlaky = kind === 'flaky';
    if (kind === 'failed') this.context.summary('failed');
    if (kind === 'passed') this.context.summary('passed');
  }

  private listed(text: string): void {
    const found = LISTED.exec(text);
    this.inFlaky = found !== null;
    if (found !== null && this.flaky.size < 10_000) this.flaky.add(found[1] ?? '');
  }

  private close(): void {
    if (this.current === null) return;
    if (this.waiting.length < 10_000) this.waiting.push(this.current);
    this.current = null;
  }
}

function findingOf(failure: Failure): Finding {
  const [, project, file = '', line, column, title = ''] = failure.header;
  const read = readFailure(failure.body, file);
  return finding({
    kind: 'test',
    runner: 'playwright',
    test: title.trim(),
    test_file: file,
    ...read,
    location: read.location ?? { file, line: Number(line), column: Number(column), symbol: null },
    symbol: read.symbol ?? project ?? null,
    excerpt: excerptOf(failure.block.lines).trimEnd(),
    range: failure.block.range,
    confidence: 0.95,
    flaky_signals: failure.retried ? ['retried'] : [],
  });
}
