/** Reads what one failing Rust test printed: panics in the old and the new layout, backtraces, FileCheck, doc tests. */
import type { Frame } from '../../../finding.ts';
import { ASSERTION, RUNTIME, type Verdict } from '../reading/classify.ts';
import { unquote } from '../reading/comparison.ts';
import { frame, isForeign, ownFrame } from '../reading/frames.ts';

export interface RustBody extends Verdict {
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly location: Frame | null;
  readonly stack: readonly Frame[];
}

const PANIC = /^\s*thread '([^']*)'(?: \(\d+\))? panicked at (.*)$/;
const NEW_PLACE = /^((?:[A-Za-z]:)?[^\s:][^:]*):(\d+):(\d+):?$/;
const OLD_PLACE = /^'(.*)', ((?:[A-Za-z]:)?[^\s:,][^:]*):(\d+):(\d+)$/;
const OLD_TAIL = /^(.*)', ((?:[A-Za-z]:)?[^\s:,][^:]*):(\d+):(\d+)$/;
const SIDE = /^\s*(left|right): ?(.*?),?$/;
const END = /^\s*(?:note: |stack backtrace:)/;
const SYMBOL = /^\s*\d+: (\S.*)$/;
const AT = /^\s+at (\S.*?):(\d+)(?::(\d+))?$/;
const FILECHECK = /^((?:[A-Za-z]:)?[^\s:]+):(\d+):(\d+): error: (\S.*)$/;
const DOC_TEST = /^(\S+\.(?:rs|md)) - .*\(line (\d+)\)$/;
const RUSTC = /^error(?:\[E\d+\])?: /;
/** Panics that the code under test raises; others in a test are taken for failed assertions. */
const RAISED =
  /called `(?:Option|Result)::|index out of bounds|out of range for slice|attempt to \w+|already (?:mutably )?borrowed|internal error|not (?:yet )?implemented|explicit panic|byte index|entered unreachable code|stack overflow|slice index|division by zero|capacity overflow|range (?:start|end) index/;

function crashed(message: string): Verdict {
  if (/\bassert(?:ion)?\b/i.test(message.slice(0, 200))) return ASSERTION;
  if (/snapshot assertion/.test(message)) return { failure_class: 'test_assertion', sub_class: 'snapshot' };
  if (/\btimed? ?out\b/i.test(message.slice(0, 400))) return { failure_class: 'runtime_error', sub_class: 'timeout' };
  return RAISED.test(message) ? RUNTIME : ASSERTION;
}

interface Panic {
  readonly message: string;
  readonly place: Frame | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

function readPanic(lines: readonly string[], at: number): Panic {
  const rest = PANIC.exec(lines[at] ?? '')?.[2] ?? '';
  const fresh = NEW_PLACE.exec(rest);
  const old = fresh ? null : OLD_PLACE.exec(rest);
  const told: string[] = old ? [old[1] ?? ''] : [];
  if (!fresh && !old) told.push(rest.replace(/^'/, ''));
  let place = fresh ? frame(fresh[1] ?? '', fresh[2], fresh[3]) : null;
  if (old) place = frame(old[2] ?? '', old[3], old[4]);
  for (const line of lines.slice(at + 1, at + 80)) {
    if (END.test(line) || PANIC.test(line) || (old && line.trim() === '')) break;
    const tail = place ? null : OLD_TAIL.exec(line);
    if (tail) place = frame(tail[2] ?? '', tail[3], tail[4]);
    if (old) break;
    told.push(tail ? (tail[1] ?? '') : line);
    if (tail) break;
  }
  return { message: told.join('\n').trim(), place, ...sides(told) };
}

function sides(lines: readonly string[]): { expected: string | null; actual: string | null } {
  let expected: string | null = null;
  let actual: string | null = null;
  for (const line of lines) {
    const side = SIDE.exec(line);
    if (side?.[1] === 'left') actual ??= unquote(unquote(side[2] ?? ''));
    else if (side?.[1] === 'right') expected ??= unquote(unquote(side[2] ?? ''));
  }
  return { expected, actual };
}

/** Frames of a backtrace, innermost first. */
function backtrace(lines: readonly string[]): Frame[] {
  const stack: Frame[] = [];
  let symbol: string | null = null;
  for (const line of lines) {
    const named = SYMBOL.exec(line);
    const at = AT.exec(line);
    if (at) stack.push(frame((at[1] ?? '').replace(/^\.\//, ''), at[2], at[3], symbol));
    else if (named) symbol = named[1] ?? null;
  }
  return stack;
}

/** LLVM's FileCheck: the pattern that was not found, and what stood nearest to it. */
function fileCheck(lines: readonly string[]): RustBody | null {
  const at = lines.findIndex((line) => FILECHECK.test(line));
  if (at < 0) return null;
  const match = FILECHECK.exec(lines[at] ?? '');
  const near = lines.findIndex((line, index) => index > at && /note: possible intended match here/.test(line));
  const place = frame(match?.[1] ?? '', match?.[2], match?.[3]);
  return {
    ...ASSERTION,
    message: match?.[4] ?? '',
    expected: lines[at + 1]?.trim() ?? null,
    actual: near < 0 ? null : (lines[near + 1]?.trim() ?? null),
    location: place,
    stack: [place],
  };
}

function docTest(name: string, lines: readonly string[]): RustBody | null {
  const match = DOC_TEST.exec(name);
  const at = lines.findIndex((line) => RUSTC.test(line));
  if (!match || at < 0) return null;
  const location = frame(match[1] ?? '', match[2]);
  const message = lines[at] ?? '';
  return {
    failure_class: 'compile_error',
    sub_class: null,
    message,
    expected: null,
    actual: null,
    location,
    stack: [location],
  };
}

/** Reads the output of one failed test; `name` is the test's. */
export function readRustBody(name: string, lines: readonly string[]): RustBody {
  const compiled = docTest(name, lines);
  if (compiled) return compiled;
  const at = lines.findIndex((line) => PANIC.test(line));
  if (at < 0) return fileCheck(lines) ?? returned(lines);
  const panic = readPanic(lines, at);
  const stack = [...(panic.place ? [panic.place] : []), ...backtrace(lines.slice(at))];
  const own = panic.place && !isForeign(panic.place.file) ? panic.place : ownFrame(stack);
  const { message, expected, actual } = panic;
  const verdict = expected !== null || actual !== null ? ASSERTION : crashed(message);
  return { ...verdict, message, expected, actual, location: own, stack };
}

/** A test that returned an error, was expected to panic, or died without a word. */
function returned(lines: readonly string[]): RustBody {
  const told = lines.find((line) => /^\s*(?:Error: |note: test did not panic|snapshot assertion)/.test(line));
  const message = told?.trim() ?? '';
  const verdict = message.startsWith('Error: ') ? RUNTIME : ASSERTION;
  return { ...verdict, message, expected: null, actual: null, location: null, stack: [] };
}
