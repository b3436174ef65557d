/** The debug report as a value; its text form is seed 1's, to the letter (`render`, `parse` follow in this file). */

export interface DebugReport {
  readonly failures: readonly ReportedFailure[];
  readonly action: 'route_code' | 'route_test' | 'escalate';
  /** One line. */
  readonly reason: string;
}

export interface ReportedFailure {
  readonly test: string;
  readonly cause: 'code' | 'test' | 'unknown';
  readonly evidence: string;
  readonly spec_citation: string;
  readonly suggested_fix_scope: string;
}
