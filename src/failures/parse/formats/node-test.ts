/** node:test's spec reporter: the tree of `▶` and `✖` lines, and the `failing tests:` list at its end. */
import type { Finding } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { readFailure } from '../javascript/failure.ts';
import { isForeign, parseFrame } from '../javascript/stack.ts';
import { TitleChain } from '../javascript/title-chain.ts';
import { uncaughtAbove } from '../javascript/uncaught.ts';
import { unquote } from '../javascript/values.ts';
import { Block } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';

const SUITE = /^(\s{0,80})▶ (.{1,1000})$/;
const FAILED = /^(\s{0,80})✖ (.{1,1000}?) \(\d[\d.]{0,20}ms\)( # .{0,200})?$/;
const PLACE = /^test at (.{1,800}):(\d{1,7}):(\d{1,7})$/;
const COUNT = /^ℹ (pass|fail|cancelled) (\d+)$/;
const ONLY_BELOW = /^'?\d+ subtests? failed'?$/;
const PROPERTY = /^\s*(actual|expected): (.*?),?$/;
const MAX_BODY = 400;

export const nodeTest: LineFormat = {
  id: 'node-test',
  opens: /^\s{0,80}▶ \S|^\s{0,80}✖ .{1,1000} \(\d|^test at \S|^ℹ (?:pass|fail|cancelled) \d/,
  open: (context) => new NodeTestReader(context),
};

interface Pending {
  readonly title: string;
  readonly name: string;
  readonly indent: number;
  readonly below: boolean;
  readonly place: RegExpExecArray | null;
  readonly block: Block;
  readonly body: string[];
  readonly previous: readonly string[];
}

class NodeTestReader implements LineReader {
  private readonly context: ScanContext;
  private readonly chain = new TitleChain();
  private pending: Pending | null = null;
  /** From the list at the end: where the next `✖` is declared. */
  private place: RegExpExecArray | null = null;
  /** Full names by last title, in order, so that the list at the end can be told apart. */
  private readonly names = new Map<string, string[]>();
  private passed = 0;

  constructor(context: ScanContext) {
    this.context = context;
  }

  get active(): boolean {
    return this.pending !== null || this.place !== null;
  }

  line(line: LogLine): void {
    const text = line.text.trimEnd();
    if (this.pending !== null && this.continues(line, this.pending)) return;
    this.flush();
    const failed = FAILED.exec(text);
    const place = this.place;
    this.place = PLACE.exec(text);
    const suite = SUITE.exec(text);
    if (suite !== null) this.chain.open((suite[1] ?? '').length, (suite[2] ?? '').replace(/ \(\d[\d.]*ms\)$/, ''));
    if (failed !== null) this.failure(failed, place, line);
    this.count(COUNT.exec(text));
  }

  end(): void {
    this.flush();
    this.place = null;
  }

  private failure(found: RegExpExecArray, place: RegExpExecArray | null, line: LogLine): void {
    const indent = (found[1] ?? '').length;
    const title = found[2] ?? '';
    const excused = found[3] !== undefined;
    const name = place === null ? this.chain.nameOf(indent, title) : (this.names.get(title)?.shift() ?? title);
    const below = place === null && this.chain.close(indent, excused ? 'other' : 'failed');
    if (excused) return;
    const block = new Block();
    block.add(line);
    const previous = uncaughtAbove(title, (back) => this.context.previous(back));
    this.pending = { title, name, indent, below, place, block, body: [], previous };
  }

  private continues(line: LogLine, pending: Pending): boolean {
    const indent = line.text.search(/\S/);
    if ((indent >= 0 && indent < pending.indent + 2) || pending.body.length > MAX_BODY) return false;
    pending.block.add(line);
    pending.body.push(line.text.slice(0, 2000));
    return true;
  }

  private count(found: RegExpExecArray | null): void {
    if (found === null) return;
    const [, what, number] = found;
    if (what === 'pass') this.passed = Number(number);
    else if (Number(number) > 0) this.context.summary('failed');
    else if (what === 'fail' && this.passed > 0) this.context.summary('passed');
  }

  private flush(): void {
    const pending = this.pending;
    this.pending = null;
    if (pending === null) return;
    const told = pending.body.map((text) => text.trim()).filter((text) => text !== '');
    if (ONLY_BELOW.test(told[0] ?? '') || (pending.below && told.length === 0)) return;
    if (pending.place === null) {
      if (told.length === 0) return;
      const known = this.names.get(pending.title) ?? [];
      if (known.length < 1000) known.push(pending.name);
      this.names.set(pending.title, known);
    }
    this.context.emit(findingOf(pending, told));
  }
}

function findingOf(pending: Pending, told: readonly string[]): Finding {
  const fileFailed = told[0] === "'test failed'" && /\.[cm]?[jt]sx?$/.test(pending.title);
  const failure = readFailure(fileFailed && pending.previous.length > 0 ? pending.previous : pending.body, null);
  const message = unquote(failure.message).replace(/ \{$/, '');
  const own = failure.stack.filter((frame) => !isForeign(frame));
  const declared = parseFrame(`at ${pending.place?.slice(1, 4).join(':') ?? ''}`);
  const diffed = /\+ actual - expected/.test(failure.message);
  return finding({
    kind: 'test',
    runner: 'node-test',
    test: pending.name,
    ...failure,
    ...(diffed ? {} : propertiesOf(pending.body, failure)),
    message: message === '' ? pending.title : message,
    // The outermost own frame is the test's function.
    test_file: declared?.file ?? (fileFailed ? pending.title : (own.at(-1)?.file ?? null)),
    location: failure.location ?? declared,
    excerpt: excerptOf(pending.block.lines).trimEnd(),
    range: pending.block.range,
    confidence: 0.95,
  });
}

/** `actual:` and `expected:` as Node prints them among the error's properties; what the message says comes first. */
function propertiesOf(body: readonly string[], said: { expected: string | null; actual: string | null }) {
  let { expected, actual } = said;
  for (const text of body) {
    const found = PROPERTY.exec(text);
    if (found === null || /[[{(]$/.test(found[2] ?? '')) continue;
    if (found[1] === 'actual') actual ??= unquote(found[2] ?? '');
    else expected ??= unquote(found[2] ?? '');
  }
  return { expected, actual };
}
