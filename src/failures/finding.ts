/** What a parser says about one failure, before it is normalised into a packet. Pure data. */

/** Seed 2's six classes. */
export const FAILURE_CLASSES = [
  'compile_error',
  'test_assertion',
  'runtime_error',
  'tool_contract_error',
  'schema_error',
  'unknown',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Finer than the class; null when the class says it all. */
export const SUB_CLASSES = [
  'timeout',
  'out_of_memory',
  'killed',
  'crash',
  'lost_runner',
  'setup_failed',
  'lint',
  'format',
  'type_check',
  'syntax',
  'snapshot',
  'no_tests_run',
  'disk_full',
  'network',
  'missing_tool',
  'missing_module',
  'policy_gate',
  'cancelled',
  'collection',
] as const;
export type SubClass = (typeof SUB_CLASSES)[number];

/** One frame of a stack trace, as printed (paths are normalised later, by `packet`). Lines and columns count from 1. */
export interface Frame {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly symbol: string | null;
}

/** Where in the source (a log, an XML file) the finding was read. Lines count from 1; bytes from 0, end exclusive. */
export interface LogRange {
  readonly start_line: number;
  readonly end_line: number;
  readonly start_byte: number;
  readonly end_byte: number;
}

/** What the thing that failed was: a test's final outcome, a build diagnostic, or the job itself. */
export type FindingKind = 'test' | 'diagnostic' | 'job';

export interface Finding {
  readonly kind: FindingKind;
  /** Id of the format that read it: `jest`, `pytest`, `junit-xml`, `tsc`, … */
  readonly runner: string;
  /** The test's full name in the runner's own notation; null for diagnostics and jobs. */
  readonly test: string | null;
  /** The test file or suite when it is printed apart from the frames. */
  readonly test_file: string | null;
  readonly failure_class: FailureClass;
  readonly sub_class: SubClass | null;
  /** The runner's message, undressed (no timestamps, no ANSI), at most a few KiB. */
  readonly message: string;
  /** As the runner prints them, unquoted, or null. Which side is which follows the runner's own words. */
  readonly expected: string | null;
  readonly actual: string | null;
  /** The location the runner itself gives (assertion or diagnostic), if any. */
  readonly location: Frame | null;
  /** Innermost frame first. */
  readonly stack: readonly Frame[];
  /** Error code or symbol of the diagnostic (TS2307, E0308), the function, or the exception class. */
  readonly symbol: string | null;
  /** Undressed lines that show the failure, bounded by the parser. */
  readonly excerpt: string;
  readonly range: LogRange;
  /** 0..1: how sure the parser is that this is one real failure, read right. */
  readonly confidence: number;
  /** Signs of flakiness seen in the output: `retried`, `passed_on_retry`, `differs_between_attempts`. */
  readonly flaky_signals: readonly string[];
}

/** A part of an input that could not be read: what, where. Never a reason to say "no failures". */
export interface Damage {
  readonly what: string;
  readonly line: number | null;
  readonly byte: number | null;
}

/** What one input (a log, a report file) yielded. */
export interface ParseResult {
  /** In document order; a failure that is printed several times appears once. */
  readonly findings: readonly Finding[];
  readonly damage: readonly Damage[];
  /** Ids of the formats that recognised something, sorted. */
  readonly formats: readonly string[];
  readonly lines: number;
  readonly bytes: number;
  /** True when a runner's own summary says that everything passed and nothing contradicts it. */
  readonly passed_summary: boolean;
}
