/** From an exception's name and its message to the failure class of the product. A table: the first row that fits decides. */
import type { FailureClass, SubClass } from '../../../finding.ts';

export interface Verdict {
  readonly failure_class: FailureClass;
  readonly sub_class: SubClass | null;
}

interface Rule extends Verdict {
  /** Tested against the last component of the exception's name. */
  readonly name?: RegExp;
  /** Tested against the first lines of the message. */
  readonly message?: RegExp;
}

const RULES: readonly Rule[] = [
  { name: /^(?:SyntaxError|IndentationError|TabError)$/, failure_class: 'compile_error', sub_class: 'syntax' },
  {
    message: /^(?:SyntaxError|IndentationError|TabError): /,
    failure_class: 'compile_error',
    sub_class: 'syntax',
  },
  {
    name: /^(?:ModuleNotFoundError|NoClassDefFoundError|ClassNotFoundException)$/,
    failure_class: 'runtime_error',
    sub_class: 'missing_module',
  },
  {
    message: /\b(?:No module named|Cannot find module|Cannot find package|Failed to import test module)\b/,
    failure_class: 'runtime_error',
    sub_class: 'missing_module',
  },
  {
    name: /^(?:OutOfMemoryError|MemoryError)$/,
    failure_class: 'runtime_error',
    sub_class: 'out_of_memory',
  },
  {
    message: /\b(?:OutOfMemoryError|out of memory|heap limit)\b/i,
    failure_class: 'runtime_error',
    sub_class: 'out_of_memory',
  },
  {
    name: /(?:Timeout|TimedOut|TimeLimit)(?:Error|Exception|Expired)?$/,
    failure_class: 'runtime_error',
    sub_class: 'timeout',
  },
  {
    message:
      /\b(?:Timeout >|[Tt]est timeout of \d|[Ee]xceeded timeout of|test timed out after|terminated or timed out|[Tt]imeout of \d+ ?ms exceeded)/,
    failure_class: 'runtime_error',
    sub_class: 'timeout',
  },
  {
    message: /^(?:Segmentation fault|SIG[A-Z]{3,4}\b|.*\bcrashed while running\b)/,
    failure_class: 'runtime_error',
    sub_class: 'crash',
  },
  {
    name: /^(?:ValidationError|SchemaError|SchemaValidationError|ZodError|JsonSchemaException|SchemaException)$/,
    failure_class: 'schema_error',
    sub_class: null,
  },
  { name: /Snapshot/, failure_class: 'test_assertion', sub_class: 'snapshot' },
  {
    name: /(?:Assert(?:ion)?(?:Error|Exception|Failure|FailedError|ionFailedError)|ComparisonFailure|ComparisonCompactor|DocTestFailure|ExpectationNotMetError|ConditionNotSatisfiedError|MultipleFailuresError|AssertionFailedError|AssertionFailed|ExpectationFailedException|XunitException)$/,
    failure_class: 'test_assertion',
    sub_class: null,
  },
  { name: /^(?:Failed|Failure)$/, failure_class: 'test_assertion', sub_class: null },
  { name: /(?:Error|Exception|Warning|Exit|Interrupt|Fault|Panic)$/, failure_class: 'runtime_error', sub_class: null },
];

/** The class of an exception; `fallback` when neither its name nor its message says. */
export function classify(exception: string | null, message: string, fallback: Verdict): Verdict {
  const name = (exception ?? '').split(/[.:\\$]+/).pop() ?? '';
  const head = message.slice(0, 600);
  for (const rule of RULES) {
    if (rule.name?.test(name) || rule.message?.test(head)) {
      return { failure_class: rule.failure_class, sub_class: rule.sub_class };
    }
  }
  return fallback;
}

export const ASSERTION: Verdict = { failure_class: 'test_assertion', sub_class: null };
export const RUNTIME: Verdict = { failure_class: 'runtime_error', sub_class: null };
