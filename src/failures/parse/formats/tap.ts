/** TAP 13 and 14 (node-tap, tape, ava, node:test, bats, prove): `not ok` points with YAML or comment diagnostics, subtests, todo, skip. */
import type { Finding, Frame } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { readFailure } from '../javascript/failure.ts';
import { ownFrame, parseFrame } from '../javascript/stack.ts';
import { TitleChain } from '../javascript/title-chain.ts';
import { uncaughtAbove } from '../javascript/uncaught.ts';
import { unquote } from '../javascript/values.ts';
import { type Diagnostics, readDiagnostics } from '../javascript/yaml-block.ts';
import { Block } from './reading/block.ts';
import { excerptOf, finding } from './reading/draft.ts';

const POINT = /^(\s{0,80})(not )?ok\b(?: {1,3}(\d{1,9}))?(?: {1,3}- | {1,3})?(.{0,1000}?)( \{)?$/;
const DIRECTIVE = /(?:^|\s)# ?(?:TODO|SKIP|todo|skip|Todo|Skip)\b.*$/;
const SUBTEST = /^(\s{0,80})# Subtest: (.{1,1000})$/;
const COUNTS = /^# (?:fail|failed) +(\d+)/;
const PERL_PLACE = /(?:^| )at (\S{1,400}) line (\d{1,7})\.?$|in test file (\S{1,400}), line (\d{1,7})/;
const GOT = /^\s*#?\s*(got|found|actual|expected|wanted): (.*)$/;
const MAX_DIAGNOSTICS = 400;

export const tap: LineFormat = {
  id: 'tap',
  opens: /^\s{0,80}not ok(?: \d| -)|^\s{0,80}# Subtest: |^TAP version 1\d|^# (?:fail|failed) +\d/,
  open: (context) => new TapReader(context),
};

interface Pending {
  readonly name: string;
  readonly indent: number;
  readonly block: Block;
  readonly diagnostics: string[];
  readonly comments: string[];
  readonly previous: readonly string[];
  /** Whether a point below had failed when this one was read. */
  readonly below: boolean;
  yaml: 'before' | 'inside' | 'after';
}

class TapReader implements LineReader {
  private readonly context: ScanContext;
  private readonly chain = new TitleChain();
  private pending: Pending | null = null;
  /** Buffered points (`not ok 1 - name {`) whose closing brace has not come. */
  private buffered: { readonly indent: number; readonly name: string; readonly line: LogLine }[] = [];

  constructor(context: ScanContext) {
    this.context = context;
  }

  get active(): boolean {
    return this.pending !== null || this.buffered.length > 0;
  }

  line(line: LogLine): void {
    if (this.pending !== null && this.continues(line, this.pending)) return;
    this.flush();
    const text = line.text.trimEnd();
    const subtest = SUBTEST.exec(text);
    if (subtest !== null) this.chain.open((subtest[1] ?? '').length, (subtest[2] ?? '').trim());
    const point = POINT.exec(text);
    if (point !== null) this.point(point, line);
    if (/^\s*\}$/.test(text)) this.closeBuffered(text.search(/\S/));
    const failed = COUNTS.exec(text)?.[1];
    if (failed !== undefined) this.context.summary(Number(failed) === 0 ? 'passed' : 'failed');
  }

  end(): void {
    this.flush();
    while (this.buffered.length > 0) this.closeBuffered(this.buffered.at(-1)?.indent ?? 0);
  }

  private point(found: RegExpExecArray, line: LogLine): void {
    const indent = (found[1] ?? '').length;
    const title = found[4] ?? '';
    const excused = DIRECTIVE.test(title);
    const failed = found[2] !== undefined && !excused;
    const label = title.replace(DIRECTIVE, '').trim() || `test ${found[3] ?? ''}`.trim();
    if (found[5] !== undefined) {
      this.chain.open(indent, label);
      if (this.buffered.length < 100) this.buffered.push({ indent, name: failed ? label : '', line });
      return;
    }
    const name = this.chain.nameOf(indent, label);
    const below = this.chain.close(indent, failed ? 'failed' : 'other');
    if (!failed) return;
    const block = new Block();
    block.add(line);
    const previous = uncaughtAbove(label, (back) => this.context.previous(back));
    this.pending = { name, indent, block, diagnostics: [], comments: [], previous, below, yaml: 'before' };
  }

  /** True when the line belongs to the diagnostics of the point above it. */
  private continues(line: LogLine, pending: Pending): boolean {
    const text = line.text.trimEnd();
    const trimmed = text.trim();
    if (pending.block.lines.length > MAX_DIAGNOSTICS) return false;
    if (pending.yaml === 'inside') {
      if (trimmed === '...' || (trimmed !== '' && POINT.test(text) && text.search(/\S/) <= pending.indent))
        pending.yaml = 'after';
      if (trimmed !== '...' && pending.yaml === 'after') return false;
      if (pending.yaml === 'inside') pending.diagnostics.push(line.text.slice(0, 2000));
    } else if (pending.yaml === 'before' && trimmed === '---') {
      pending.yaml = 'inside';
    } else if (pending.yaml === 'before' && trimmed.startsWith('#') && !SUBTEST.test(text) && !COUNTS.test(text)) {
      pending.comments.push(trimmed.replace(/^#\s?/, '').slice(0, 2000));
    } else {
      return false;
    }
    pending.block.add(line);
    return true;
  }

  private closeBuffered(indent: number): void {
    const open = this.buffered.at(-1);
    if (open === undefined || indent > open.indent) return;
    this.buffered.pop();
    const name = this.chain.nameOf(open.indent, open.name);
    const below = this.chain.close(open.indent, open.name === '' ? 'other' : 'failed');
    if (open.name === '' || below) return;
    const block = new Block();
    block.add(open.line);
    this.context.emit(
      findingOf({
        name,
        indent: open.indent,
        block,
        diagnostics: [],
        comments: [],
        previous: [],
        below,
        yaml: 'after',
      }),
    );
  }

  private flush(): void {
    const pending = this.pending;
    this.pending = null;
    if (pending === null) return;
    const told = readDiagnostics(pending.diagnostics);
    const onlyBelow = told.get('failureType') === 'subtestsFailed' || (pending.below && !told.has('stack'));
    this.context.summary('failed');
    if (!onlyBelow) this.context.emit(findingOf(pending));
  }
}

function findingOf(pending: Pending): Finding {
  const told = readDiagnostics(pending.diagnostics);
  const node = told.has('failureType');
  const stack = framesOf(told);
  const body = [
    ...messageOf(told, pending).split('\n'),
    '',
    ...(told.get('diff') ?? '').split('\n'),
    ...pending.comments,
  ];
  const failure = readFailure(
    node && /^test failed$/.test(told.get('error') ?? '') ? [...pending.previous] : body,
    null,
  );
  const frames = failure.stack.length > 0 ? failure.stack : stack;
  const named = valuesOf(told, pending.comments);
  const diffed = told.has('diff') || /\+ actual - expected/.test(told.get('error') ?? '');
  const location = ownFrame(frames) ?? placeOf(told, pending.comments);
  return finding({
    kind: 'test',
    runner: node ? 'node-test' : 'tap',
    test: pending.name,
    ...failure,
    ...(diffed && failure.expected !== null ? {} : named.expected === null && named.actual === null ? {} : named),
    ...(told.get('failureType') === 'testTimeoutFailure'
      ? ({ failure_class: 'runtime_error', sub_class: 'timeout' } as const)
      : {}),
    ...(isAssertion(told, pending.comments) ? ({ failure_class: 'test_assertion', sub_class: null } as const) : {}),
    message: failure.message === '' ? pending.name : failure.message,
    test_file: fileOf(told),
    location,
    stack: frames,
    excerpt: excerptOf(pending.block.lines),
    range: pending.block.range,
    confidence: 0.9,
  });
}

function messageOf(told: Diagnostics, pending: Pending): string {
  const words = told.get('error') ?? told.get('message') ?? pending.comments[0] ?? pending.name;
  const name = told.get('name');
  return name === undefined || words.startsWith(name) ? words : `${name}: ${words}`;
}

function valuesOf(told: Diagnostics, comments: readonly string[]): { expected: string | null; actual: string | null } {
  let expected = told.get('expected') ?? told.get('wanted') ?? null;
  let actual = told.get('actual') ?? told.get('found') ?? told.get('received') ?? null;
  for (const comment of comments) {
    const found = GOT.exec(comment);
    if (found === null) continue;
    if (found[1] === 'expected' || found[1] === 'wanted') expected ??= found[2] ?? null;
    else actual ??= found[2] ?? null;
  }
  return { expected: expected === null ? null : unquote(expected), actual: actual === null ? null : unquote(actual) };
}

/** tape, node-tap and ava compare by operators; node:test says so by its code. */
function isAssertion(told: Diagnostics, comments: readonly string[]): boolean {
  if (told.get('code') === 'ERR_ASSERTION' || told.get('name') === 'AssertionError') return true;
  if (told.has('failureType')) return false;
  return told.has('compare') || told.has('operator') || told.has('diff') || comments.some((text) => GOT.test(text));
}

function framesOf(told: Diagnostics): readonly Frame[] {
  const lines = `${told.get('stack') ?? ''}\n${told.get('at') ?? ''}`.split('\n');
  return lines.map((text) => parseFrame(`at ${text.trim().replace(/^at /, '')}`)).filter((frame) => frame !== null);
}

/** Where the diagnostics themselves place the failure. */
function placeOf(told: Diagnostics, comments: readonly string[]): Frame | null {
  const at = readDiagnostics((told.get('at') ?? '').split('\n'));
  const file = at.get('file') ?? at.get('fileName') ?? told.get('file');
  const line = at.get('line') ?? at.get('lineNumber') ?? told.get('line');
  if (file !== undefined)
    return { file, line: line === undefined ? null : Number.parseInt(line, 10) || null, column: null, symbol: null };
  const declared = parseFrame(`at ${told.get('location') ?? ''}`);
  if (declared !== null) return declared;
  for (const comment of comments) {
    const found = PERL_PLACE.exec(comment);
    if (found !== null)
      return { file: found[1] ?? found[3] ?? '', line: Number(found[2] ?? found[4]), column: null, symbol: null };
  }
  return null;
}

function fileOf(told: Diagnostics): string | null {
  return parseFrame(`at ${told.get('location') ?? ''}`)?.file ?? null;
}
