/** The failure packet of seed 2: one failure, normalised so that equal failures look equal on every machine. */
import type { FailureClass, Frame, LogRange, SubClass } from './finding.ts';

export interface FailurePacket {
  /** `fp_` and the first 16 hex digits of the SHA-256 of the packet's identifying fields as canonical JSON. */
  readonly packet_id: string;
  readonly failure_class: FailureClass;
  readonly sub_class: SubClass | null;
  /** First frame in the project's own code; workspace-relative, forward slashes. */
  readonly primary_file: string | null;
  readonly primary_line: number | null;
  readonly primary_symbol: string | null;
  /** Message with volatile parts (times, addresses, pids, temporary paths, UUIDs) masked and white space folded. */
  readonly normalized_message: string;
  readonly repro_command: string | null;
  readonly first_failing_test: string | null;
  readonly test_file: string | null;
  readonly confidence: number;
  readonly raw_excerpt: string;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly runner: string;
  readonly stack: readonly Frame[];
  readonly flaky_signals: readonly string[];
  /** Name of the input it was read from, and where in it. */
  readonly source: string;
  readonly range: LogRange;
}
