/** The diagnosis as Markdown: the debug report, then the packets for people. What comes from logs stays inside code. */
import type { FailurePacket } from '../../../failures/packet.ts';
import { fenced, inlineCode } from '../../../pipeline/comment/neutralise.ts';
import { type DebugReport, renderDebugReport } from '../../../pipeline/debug-report.ts';
import { kindOf, placeOf, sourceOf, titleOf } from './place.ts';

/** The first part is seed for other tools: everything before the line `---` is a debug report that `parseDebugReport` reads. */
export function toMarkdown(report: DebugReport, packets: readonly FailurePacket[]): string {
  const parts = packets.map((packet, index) => packetMarkdown(packet, index + 1));
  return `${renderDebugReport(report)}\n---\n\n# Failure packets\n\n${parts.join('\n')}`;
}

function packetMarkdown(packet: FailurePacket, number: number): string {
  const facts: (readonly [string, string | null])[] = [
    ['packet', packet.packet_id],
    ['kind', kindOf(packet)],
    ['at', placeOf(packet)],
    ['test file', packet.test_file],
    ['read from', sourceOf(packet)],
    ['expected', packet.expected],
    ['actual', packet.actual],
    ['reproduce', packet.repro_command],
    ['signs of flakiness', packet.flaky_signals.join(', ') || null],
    ['confidence', packet.confidence.toFixed(2)],
  ];
  const lines = facts.flatMap(([label, value]) => (value === null ? [] : [`- ${label}: ${inlineCode(value)}`]));
  return [
    `## ${number}. ${inlineCode(titleOf(packet))}`,
    '',
    ...lines,
    '',
    fenced(packet.raw_excerpt, 'text'),
    '',
  ].join('\n');
}
