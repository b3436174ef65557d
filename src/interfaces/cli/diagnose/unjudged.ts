/** The report of failures that were read but not investigated: no repository was given to run them in. */
import type { FailurePacket } from '../../../failures/packet.ts';
import type { DebugReport, ReportedFailure } from '../../../pipeline/debug-report.ts';
import { firstLine, placeOf, sourceOf, titleOf } from './place.ts';

/** Every cause is `unknown`: a log alone cannot say whether code or test is wrong. */
export function unjudgedReport(packets: readonly FailurePacket[]): DebugReport {
  return {
    failures: packets.map(reported),
    action: 'escalate',
    reason: 'a log alone does not say whether code or test is wrong; --repo and --spec let the failures be judged',
  };
}

function reported(packet: FailurePacket): ReportedFailure {
  const values = packet.expected === null && packet.actual === null ? '' : valuesOf(packet);
  return {
    test: titleOf(packet),
    cause: 'unknown',
    evidence: `${firstLine(packet.normalized_message)}${values} [${sourceOf(packet)}]`,
    spec_citation: 'none: no spec was given',
    suggested_fix_scope: placeOf(packet) ?? 'a person decides',
  };
}

function valuesOf({ expected, actual }: FailurePacket): string {
  return ` — expected ${expected ?? 'unknown'}, actual ${actual ?? 'unknown'}`;
}
