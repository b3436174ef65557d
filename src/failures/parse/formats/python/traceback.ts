/** Reads the lines of a Python failure (plain traceback, pytest's long, short and native styles) into its parts. */
import type { Frame } from '../../../finding.ts';
import { classify, RUNTIME, type Verdict } from '../reading/classify.ts';
import { frame, isForeign, ownFrame } from '../reading/frames.ts';
import { type PythonValues, pythonValues } from './values.ts';

/** What the text of one Python failure says. */
export interface PythonFailure extends Verdict, PythonValues {
  readonly message: string;
  /** The exception's class as printed, without its module's absence being invented. */
  readonly exception: string | null;
  readonly location: Frame | null;
  /** Innermost first. */
  readonly stack: readonly Frame[];
  /** File of the outermost frame: where the test stands. */
  readonly outermost: string | null;
}

const NATIVE_FRAME = /^\s*(?:E\s+)?File "([^"]+)", line (\d+)(?:, in (\S.*))?\s*$/;
const PYTEST_FRAME =
  /^((?:[A-Za-z]:[\\/])?[^\s:"'(][^:"']*\.(?:py|pyx|pyi|rst|txt|md|ipynb)|<[\w. -]+>):(\d+):(?: (.*))?$/;
const IN_SYMBOL = /^in (\S.*)$/;
const EXCEPTION_LINE = /^((?:[A-Za-z_]\w*\.)*[A-Z]\w*|(?:[a-z_]\w*\.)+[a-z]\w*)(?::(?: (.*))?)?$/;
const CHAIN = /^(?:The above exception was the direct cause|During handling of the above exception)/;
const E_LINE = /^E(?: {1,}(.*)|)$/;
const SOURCE_LINE = /^>\s+(.*)$/;
const NOTE = /^\s*[~^]+[~^ ]*$/;

interface Gathered {
  frames: Frame[];
  /** Lines of the exception itself, without `E`. */
  error: string[];
  /** The last source line that pytest points at, or that stands under the innermost frame. */
  source: string;
  exception: string | null;
  syntax: Frame | null;
  /** The frame with which pytest closes a report (`file:line: Exception`). */
  closing: Frame | null;
}

function fresh(): Gathered {
  return { frames: [], error: [], source: '', exception: null, syntax: null, closing: null };
}

/** Splits chained exceptions: the last one is what the test failed with. */
function lastChain(lines: readonly string[]): { last: readonly string[]; earlier: readonly string[] } {
  for (let at = lines.length - 1; at > 0; at--) {
    if (CHAIN.test(lines[at] ?? '')) return { last: lines.slice(at + 1), earlier: lines.slice(0, at) };
  }
  return { last: lines, earlier: [] };
}

function takeFrame(into: Gathered, line: string, isError: boolean): boolean {
  const native = NATIVE_FRAME.exec(line);
  if (native) {
    const found = frame(native[1] ?? '', native[2], null, native[3]);
    into.frames.push(found);
    into.syntax = isError || !native[3] ? found : null;
    into.error = isError ? into.error : [];
    return true;
  }
  const pytest = isError ? null : PYTEST_FRAME.exec(line);
  if (!pytest) return false;
  const rest = pytest[3] ?? '';
  const symbol = IN_SYMBOL.exec(rest)?.[1];
  const found = frame(pytest[1] ?? '', pytest[2], null, symbol);
  into.frames.push(found);
  if (rest !== '' && !symbol) {
    into.closing = found;
    into.exception = rest.split(/[:\s]/, 1)[0] ?? rest;
  }
  return true;
}

function gather(lines: readonly string[]): Gathered {
  const into = fresh();
  let inError = false;
  let afterFrame = false;
  for (const line of lines) {
    const error = E_LINE.exec(line);
    if (error) {
      if (!inError) into.error = [];
      inError = true;
      if (!takeFrame(into, line, true)) into.error.push(error[1] ?? '');
      continue;
    }
    inError = false;
    if (takeFrame(into, line, false)) {
      afterFrame = true;
      continue;
    }
    const pointed = SOURCE_LINE.exec(line);
    if (pointed) into.source = pointed[1] ?? '';
    else if (afterFrame && /^\s+\S/.test(line) && !NOTE.test(line)) into.source = line.trim();
    afterFrame = false;
  }
  return into;
}

/** Lines of a plain traceback's exception: from the first unindented line that names one, to the end. */
function plainError(lines: readonly string[]): string[] {
  let lastFrame = -1;
  lines.forEach((line, at) => {
    if (NATIVE_FRAME.test(line)) lastFrame = at;
  });
  if (lastFrame < 0) return [];
  for (let at = lastFrame + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^\S/.test(line) && EXCEPTION_LINE.test(line)) return [...lines.slice(at)];
  }
  return [];
}

function location(found: Gathered, stack: readonly Frame[], syntax: boolean): Frame | null {
  if (syntax && found.syntax) return found.syntax;
  if (found.closing && !isForeign(found.closing.file)) return found.closing;
  return ownFrame(stack);
}

/** Reads a failure. `fallback` is the class when no exception is named. */
export function readPython(lines: readonly string[], fallback: Verdict = RUNTIME): PythonFailure {
  const { last, earlier } = lastChain(lines);
  const found = gather(last);
  const error = found.error.length > 0 ? found.error : plainError(last);
  const offset = error.findIndex((line) => EXCEPTION_LINE.test(line.trim()));
  const first = (offset >= 0 ? error.slice(offset) : error).join('\n').trim();
  const head = first.split('\n', 1)[0] ?? '';
  const named = EXCEPTION_LINE.exec(head)?.[1] ?? null;
  const bareAssert = head.startsWith('assert ');
  const exception = found.exception ?? named ?? (bareAssert ? 'AssertionError' : null);
  const verdict = classify(
    named ?? exception,
    first,
    bareAssert ? { failure_class: 'test_assertion', sub_class: null } : fallback,
  );
  const inner = [...found.frames].reverse();
  const stack = earlier.length === 0 ? inner : [...inner, ...gather(earlier).frames.reverse()];
  const source = found.source;
  return {
    ...verdict,
    ...pythonValues(first, source),
    message: first,
    exception,
    location: location(found, stack, verdict.sub_class === 'syntax'),
    stack,
    outermost: found.frames[0]?.file ?? null,
  };
}
