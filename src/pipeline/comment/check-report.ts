/** What the `Inquest` check run shows: the verdict as its title, the report as its summary, annotations on failing lines. */
import type { FailurePacket } from '../../failures/packet.ts';
import type { Annotation, CheckReport } from '../../ports/forge.ts';
import type { DebugReport } from '../debug-report.ts';
import { shorten } from './neutralise.ts';
import { countsOf, verdictOf } from './verdict.ts';

/** GitHub's limits: 65,535 characters of summary, 64 KB of an annotation's message, 255 of its title. */
const LIMITS = { summary: 65_000, message: 4000, title: 200, annotations: 200 } as const;

export interface CheckReportInput {
  readonly run_id: string;
  readonly head_sha: string;
  readonly report: DebugReport;
  readonly packets: readonly FailurePacket[];
  /** The comment's text, used as the summary. */
  readonly body: string;
}

/** Always neutral: Inquest explains a failure, it does not add one. */
export function checkReport(input: CheckReportInput): CheckReport {
  return {
    external_id: input.run_id,
    head_sha: input.head_sha,
    status: 'completed',
    conclusion: 'neutral',
    title: `${capitalised(verdictOf(input.report))} (${countsOf(input.report)})`,
    summary: shorten(input.body, LIMITS.summary),
    annotations: input.packets
      .flatMap((packet, index) => annotationOf(packet, input.report.failures[index]?.cause))
      .slice(0, LIMITS.annotations),
  };
}

function annotationOf(packet: FailurePacket, cause: string | undefined): Annotation[] {
  if (packet.primary_file === null || packet.primary_line === null) return [];
  return [
    {
      path: packet.primary_file,
      start_line: packet.primary_line,
      end_line: packet.primary_line,
      level: 'warning',
      title: shorten(`${cause ?? 'unknown'}: ${packet.first_failing_test ?? packet.failure_class}`, LIMITS.title),
      message: shorten(packet.normalized_message || packet.failure_class, LIMITS.message),
    },
  ];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
