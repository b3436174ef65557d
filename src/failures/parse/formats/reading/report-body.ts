/** Reads the text of one failure in a report file (JUnit XML, CTRF, annotations): the dialect of its runner decides how. */
import { stripVTControlCharacters } from 'node:util';
import type { FailureClass, Frame, SubClass } from '../../../finding.ts';
import { readFailure } from '../../javascript/failure.ts';
import { readGoBody } from '../go/test-body.ts';
import { readPython } from '../python/traceback.ts';
import { readRustBody } from '../rust/test-body.ts';
import { ASSERTION, classify, RUNTIME, type Verdict } from './classify.ts';
import { excerptOf } from './draft.ts';
import { frame, ownFrame, readStack } from './frames.ts';
import { reportValues } from './report-values.ts';

export interface ReportText {
  readonly message: string;
  readonly body: string;
  /** The exception class or the assertion macro, as the report's `type`. */
  readonly type: string | null;
  readonly element: 'failure' | 'error';
}

export interface ReportBody {
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly location: Frame | null;
  readonly stack: readonly Frame[];
  readonly symbol: string | null;
  readonly failure_class: FailureClass;
  readonly sub_class: SubClass | null;
  readonly excerpt: string;
}

type Read = Omit<ReportBody, 'excerpt'>;

interface Dialect {
  readonly fits: RegExp;
  read(lines: readonly string[], text: ReportText, fallback: Verdict): Read;
}

const BODY_CHARS = 64 * 1024;
const BODY_LINES = 1000;
const EXCEPTION = /^\s*(?:Caused by: )?((?:[\w$]+[.:\\]{1,2})*[\w$]*(?:Error|Exception|Failure|Failed))(?::\s?(.*))?$/;
const CPP_PLACE =
  /^\s*(?:at )?((?:[A-Za-z]:)?[^\s:()]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|mm|m|cu|swift))(?::(\d+)|\((\d+)\))(?::\d+)?(?::|$)/;
const PLAYWRIGHT_HEAD = /^\s*(?:\[[^\]]{1,80}\] › .*|.*\.(?:spec|test)\.\w{2,4}:\d+:\d+ › .*─+)$/;
const ATTEMPT = /^\s*Retry #\d+ ─/;
const MESSAGE_IS_PLACE = /^\S+:\d+:\d+ \S/;
const PYTHON_INDENTED = /^\s+(?=E(?:\s|$)|>\s|[^\s:]+\.py:\d+:)/;

const DIALECTS: readonly Dialect[] = [
  {
    fits: /^\s*E {1,}\S|^\s*File "[^"]+", line \d+|^\s*[^\s:]+\.py:\d+: /m,
    read: (lines, _text, fallback) => {
      const failure = readPython(
        lines.map((line) => line.replace(PYTHON_INDENTED, '')),
        fallback,
      );
      return { ...failure, symbol: failure.exception };
    },
  },
  {
    fits: /^\s*thread '[^']*'(?: \(\d+\))? panicked at /m,
    read: (lines) => ({ ...readRustBody('', dedented(lines)), symbol: null }),
  },
  {
    fits: /^\s*(?:Test\S*: )?[^\s:]+_test\.go:\d+: |^panic: /m,
    read: (lines) => ({
      ...readGoBody(lines.map((line) => `  ${line}`.replace(/^ {2}(?=panic: |goroutine |\t)/, ''))),
      symbol: null,
    }),
  },
  {
    fits: /^\s*(?:at )?[^\s:()]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|mm|cu)(?::\d+|\(\d+\))|with expansion:/m,
    read: readNative,
  },
  {
    fits: /^\s*(?:at .{0,300}\.(?:[cm]?[jt]sx?|vue|svelte):\d+|❯ )|^\s*>?\s*\d+ \|/m,
    read: readScript,
  },
];

function dedented(lines: readonly string[]): string[] {
  return lines.map((line) => line.trimStart()).map((line) => (/^at \S+:\d+/.test(line) ? `  ${line}` : line));
}

/** C and C++: the place is a line of its own, before (googletest) or after (Catch2) the expression. */
function readNative(lines: readonly string[], text: ReportText, fallback: Verdict): Read {
  const places = lines.flatMap((line) => {
    const match = CPP_PLACE.exec(line);
    return match ? [frame(match[1] ?? '', match[2] ?? match[3])] : [];
  });
  const message = text.message || lines.filter((line) => line.trim() !== '' && !CPP_PLACE.test(line)).join('\n');
  const values = reportValues(lines.join('\n'));
  const verdict = classify(text.type, message, fallback);
  return {
    ...verdict,
    ...values,
    message: withoutPlace(message),
    location: places[0] ?? null,
    stack: places,
    symbol: text.type,
  };
}

function withoutPlace(message: string): string {
  const [first = '', ...rest] = message.split('\n');
  return CPP_PLACE.test(first) && rest.length > 0 ? rest.join('\n') : message;
}

/** JavaScript: only the first attempt of a retried test, without the reporter's headings. */
function readScript(lines: readonly string[], text: ReportText, fallback: Verdict): Read {
  const retry = lines.findIndex((line) => ATTEMPT.test(line));
  const first = (retry < 0 ? lines : lines.slice(0, retry)).filter((line) => !PLAYWRIGHT_HEAD.test(line));
  const failure = readFailure(first, null);
  const message = text.message && !MESSAGE_IS_PLACE.test(text.message) ? text.message : failure.message;
  const values =
    failure.expected === null && failure.actual === null
      ? reportValues(`${text.message}\n${failure.message}`)
      : failure;
  const truth = /^(?:\w*AssertionError: )?expected (.{1,200}) to be (true|false|null|undefined|ok|truthy|falsy)\b/.exec(
    message,
  );
  const { expected, actual } = truth ? { expected: truth[2] ?? null, actual: truth[1] ?? null } : values;
  const verdict = classify(
    text.type ?? failure.symbol,
    `${failure.message}\n${message}`,
    failure.message === '' ? fallback : failure,
  );
  const compared =
    failure.failure_class === 'test_assertion' &&
    verdict.failure_class === 'runtime_error' &&
    verdict.sub_class === null;
  return { ...failure, ...(compared ? ASSERTION : verdict), message, expected, actual };
}

/** Java, .NET, Ruby, PHP and all that is unknown: an exception's name, a sentence, frames. */
function readOther(lines: readonly string[], text: ReportText, fallback: Verdict): Read {
  const named =
    lines
      .slice(0, 3)
      .map((line) => EXCEPTION.exec(line))
      .find((match) => match !== null) ?? null;
  const exception = text.type && EXCEPTION.test(text.type) ? text.type : (named?.[1] ?? null);
  const told = lines.filter((line) => line.trim() !== '');
  const message = text.message.trim() || (named?.[2] || told[0] || '').trim();
  const stack = readStack(lines);
  const values = reportValues(`${text.message}\n${lines.slice(0, 200).join('\n')}`);
  const compared = values.expected !== null && values.actual !== null;
  const verdict = classify(exception, `${message}\n${told[0] ?? ''}`, compared ? ASSERTION : fallback);
  return { ...verdict, ...values, message, location: ownFrame(stack), stack, symbol: exception };
}

/** Reads the text of a failure. */
export function readReportBody(text: ReportText): ReportBody {
  const message = plain(text.message);
  const body = plain(text.body);
  const source = body.trim() === '' || (message.length > body.length && message.includes('\n')) ? message : body;
  const told = withMessage(source, message);
  const lines = told.split('\n').slice(0, BODY_LINES);
  const fallback = text.element === 'failure' ? ASSERTION : RUNTIME;
  const clean: ReportText = { ...text, message: oneMessage(message), body: told };
  const dialect = DIALECTS.find(({ fits }) => fits.test(told));
  const read = dialect ? dialect.read(lines, clean, fallback) : readOther(lines, clean, fallback);
  const { expected, actual, location, stack, symbol, failure_class, sub_class } = read;
  const words = read.message || clean.message || (lines.find((line) => line.trim() !== '') ?? '').trim();
  return {
    message: words,
    expected,
    actual,
    location,
    stack,
    symbol,
    failure_class,
    sub_class,
    excerpt: excerptOf(lines),
  };
}

/** pytest writes the indented text in the body and its own in the attribute: whichever still has its layout is read. */
function withMessage(source: string, message: string): string {
  return /^E {3}/m.test(message) && !/^E {3}/m.test(source) ? message : source;
}

/** A whole traceback in the attribute is no message. */
function oneMessage(message: string): string {
  return message.split('\n').length > 20 ? (message.split('\n', 1)[0] ?? '') : message;
}

function plain(text: string): string {
  const clipped = text.length > BODY_CHARS ? text.slice(0, BODY_CHARS) : text;
  return stripVTControlCharacters(clipped).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}
