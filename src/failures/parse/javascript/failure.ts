/** From the text of one JavaScript failure (message, code frame, stack) to the parts of a finding. */
import type { FailureClass, Frame, SubClass } from '../../finding.ts';
import { isFrame, ownFrame, parseFrame } from './stack.ts';
import { readValues, type Values } from './values.ts';

export interface FailureText extends Values {
  readonly message: string;
  readonly failure_class: FailureClass;
  readonly sub_class: SubClass | null;
  readonly symbol: string | null;
  readonly stack: readonly Frame[];
  readonly location: Frame | null;
}

interface Verdict {
  readonly when: RegExp;
  readonly failure_class: FailureClass;
  readonly sub_class: SubClass | null;
}

const MAX_MESSAGE = 4000;
const CODE_FRAME = /^\s*(?:>\s*)?\d{1,7} ?\|(?: |$)|^\s*\| +\^/;
const BROKEN_SYNTAX = /^\s*SyntaxError: (\S{1,800}): [^()]{1,400} \((\d{1,7}):(\d{1,7})\)/;
const BARE_PLACE = /^\s*((?:\/|[A-Za-z]:\\|file:\/\/)[^\s:][^:]{0,800}):(\d{1,7})$/;
/** Advice that stands between jest's verdict and the error itself. */
const ADVICE = /^Jest encountered an unexpected token/;
const MARKED_CODE = /^\s*>\s*(\d{1,7}) ?\|/;
const EXCEPTION =
  /^(?:Uncaught |Unhandled )?(?:error: )?((?:[A-Z]\w*)?(?:Error|Exception|Fault))(?: \[([A-Z]+_\w+|Error)\])?(?::|$)/;

/** The first rule that fits the message decides; without one, having values makes it an assertion. */
const VERDICTS: readonly Verdict[] = [
  { when: /toMatch\w*Snapshot|Snapshot name:|^Snapshot `/m, failure_class: 'test_assertion', sub_class: 'snapshot' },
  {
    when: /^(?:\w*AssertionError\b|AssertionError|expect\(|Expectation failed|JestAssertionError)/,
    failure_class: 'test_assertion',
    sub_class: null,
  },
  {
    when: /\berror TS\d{3,5}:|^ *(?:TSError|✖ Unable to compile TypeScript)|Unable to compile TypeScript/m,
    failure_class: 'compile_error',
    sub_class: 'type_check',
  },
  {
    when: /^SyntaxError\b|Jest encountered an unexpected token|Transform failed with \d+ error|^Parse ?Error\b|Failed to parse source/m,
    failure_class: 'compile_error',
    sub_class: 'syntax',
  },
  {
    when: /Exceeded timeout of|Timeout of \d+ ?ms exceeded|timed out in \d+ ?ms|[Tt]est timeout of \d+ ?ms|test timed out after|^TimeoutError\b|\btimeout: Timeout\b/,
    failure_class: 'runtime_error',
    sub_class: 'timeout',
  },
  {
    when: /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Failed to (?:resolve|load) (?:import|url)|Could not locate module/,
    failure_class: 'runtime_error',
    sub_class: 'missing_module',
  },
  {
    when: /JavaScript heap out of memory|ERR_WORKER_OUT_OF_MEMORY/,
    failure_class: 'runtime_error',
    sub_class: 'out_of_memory',
  },
  {
    when: /terminated by another process|exited unexpectedly|SIG(?:KILL|SEGV|ABRT|TERM)\b/,
    failure_class: 'runtime_error',
    sub_class: 'crash',
  },
  { when: /^(?:ZodError|ValidationError|SchemaError)\b/, failure_class: 'schema_error', sub_class: null },
  { when: /^(?:Expected|Received)\b.*:/m, failure_class: 'test_assertion', sub_class: null },
];

/** @param lines the failure's undressed lines behind its title. @param testFile where a marked code line is, if no frame says. */
export function readFailure(lines: readonly string[], testFile: string | null): FailureText {
  const told = messageLines(lines);
  const message = withoutAdvice(told).join('\n').trim().slice(0, MAX_MESSAGE);
  const stack = lines.map(parseFrame).filter((frame) => frame !== null);
  const values = readValues(told);
  const exception = EXCEPTION.exec(message);
  const verdict = judge(message, values);
  const own = ownFrame(stack);
  return {
    message,
    ...values,
    ...verdict,
    symbol: exception === null ? null : codeOf(exception),
    stack,
    location: (verdict.sub_class === 'syntax' ? brokenSyntax(lines) : null) ?? own ?? markedLine(lines, testFile),
  };
}

/** The class of a JavaScript failure with this message. */
export function judge(message: string, values: Values): { failure_class: FailureClass; sub_class: SubClass | null } {
  const rule = VERDICTS.find((candidate) => candidate.when.test(message));
  if (rule !== undefined) return { failure_class: rule.failure_class, sub_class: rule.sub_class };
  const named = EXCEPTION.exec(message)?.[1] ?? 'Error';
  const compared = values.expected !== null || values.actual !== null;
  return { failure_class: compared && named === 'Error' ? 'test_assertion' : 'runtime_error', sub_class: null };
}

function withoutAdvice(told: readonly string[]): readonly string[] {
  const verdict = told.findIndex((line) => ADVICE.test(line));
  const details = told.findIndex((line) => line.trim() === 'Details:');
  return verdict >= 0 && details > verdict ? [told[verdict] ?? '', ...told.slice(details + 1)] : told;
}

/** What stands before the code frame and the stack, without the common indentation. */
function messageLines(lines: readonly string[]): readonly string[] {
  const told: string[] = [];
  for (const line of lines) {
    if (isFrame(line)) break;
    if (CODE_FRAME.test(line) && told.at(-1)?.trim() === '') break;
    told.push(line);
  }
  const indent = Math.min(...told.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)), 80);
  return told.map((line) => line.slice(indent));
}

/**
 * Where the syntax is broken. Babel and its kin say `SyntaxError: /a/b.js: Unexpected token (1:10)`; Node prints the place alone on a
 * line, then the code, then a caret.
 */
function brokenSyntax(lines: readonly string[]): Frame | null {
  for (const [index, line] of lines.entries()) {
    const found = line.length > 2000 ? null : (BROKEN_SYNTAX.exec(line) ?? BARE_PLACE.exec(line));
    if (found === null) continue;
    const [, file = '', at, column] = found;
    const isPlace = column !== undefined || /^\s*\^+\s*$/.test(lines[index + 2] ?? '');
    if (isPlace)
      return { file, line: Number(at), column: column === undefined ? null : Number(column) + 1, symbol: null };
  }
  return null;
}

function markedLine(lines: readonly string[], testFile: string | null): Frame | null {
  if (testFile === null) return null;
  for (const line of lines) {
    const found = MARKED_CODE.exec(line);
    if (found !== null) return { file: testFile, line: Number(found[1]), column: null, symbol: null };
  }
  return null;
}

/** The class says more than the code, unless it is plain `Error`. */
function codeOf(exception: RegExpExecArray): string | null {
  const [, name = null, code = null] = exception;
  return name === 'Error' ? (code ?? name) : name;
}
