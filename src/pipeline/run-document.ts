/** run.md: what failed, as CI told it and as it was seen here. */
import type { FailurePacket } from '../failures/packet.ts';
import { fenced, inlineCode, neutraliseLine, shorten } from './comment/neutralise.ts';

export interface RunDocument {
  readonly checks: readonly { readonly name: string; readonly url: string | null }[];
  readonly inputs: readonly { readonly name: string; readonly lines: number; readonly packets: number }[];
  readonly missing: readonly string[];
  readonly suites: readonly RunSuite[];
  readonly packets: readonly FailurePacket[];
  readonly only_here: number;
}

export interface RunSuite {
  readonly suite: string;
  readonly command: string;
  readonly because: string;
  readonly exit_code: number | null;
  readonly ended_by: string;
}

const EXCERPT_LIMIT = 4000;

export function renderRun(document: RunDocument): string {
  const lines = ['# Run', '', '## Failing checks', ''];
  lines.push(...bullets(document.checks.map((check) => inlineCode(check.name))));
  lines.push('', '## Inputs', '');
  lines.push(
    ...bullets(
      document.inputs.map((input) => `${inlineCode(input.name)}: ${input.lines} lines, ${input.packets} failures`),
    ),
  );
  for (const missing of document.missing) lines.push(`- missing: ${neutraliseLine(missing)}`);
  lines.push('', '## Suites run here', '');
  lines.push(...bullets(document.suites.map(suiteLine)));
  if (document.only_here > 0) lines.push(`- ${document.only_here} failing only here, not in CI`);
  lines.push('', '## Failures', '');
  for (const packet of document.packets) lines.push(...failureLines(packet));
  return `${lines.join('\n').trimEnd()}\n`;
}

function bullets(items: readonly string[]): string[] {
  return items.length === 0 ? ['- none'] : items.map((item) => `- ${item}`);
}

/** One line on a suite that ran here: its command, how it ended, where the command comes from. */
export function suiteLine(suite: RunSuite): string {
  const ended =
    suite.ended_by === 'exit' ? `ended with ${suite.exit_code}` : `was ended by its ${suite.ended_by} limit`;
  return `${inlineCode(suite.command)} ${ended} (${neutraliseLine(suite.because)})`;
}

function failureLines(packet: FailurePacket): string[] {
  const lines = [`### ${neutraliseLine(packet.first_failing_test ?? packet.normalized_message)}`];
  lines.push(
    `- packet: ${packet.packet_id}`,
    `- class: ${packet.failure_class}${packet.sub_class ? ` (${packet.sub_class})` : ''}`,
  );
  if (packet.primary_file) lines.push(`- place: ${inlineCode(placeOf(packet))}`);
  if (packet.expected !== null) lines.push(`- expected: ${inlineCode(shorten(packet.expected, 500))}`);
  if (packet.actual !== null) lines.push(`- actual: ${inlineCode(shorten(packet.actual, 500))}`);
  lines.push('', fenced(shorten(packet.raw_excerpt, EXCERPT_LIMIT)), '');
  return lines;
}

/** `src/cart.js:12`, or the file alone. */
export function placeOf(packet: Pick<FailurePacket, 'primary_file' | 'primary_line'>): string {
  return packet.primary_line === null ? `${packet.primary_file}` : `${packet.primary_file}:${packet.primary_line}`;
}
