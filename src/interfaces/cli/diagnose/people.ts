/** The diagnosis for a person at a terminal: one block a failure, most telling line first. */
import type { FailurePacket } from '../../../failures/packet.ts';
import { countCauses, type DebugReport, type ReportedFailure } from '../../../pipeline/debug-report.ts';
import { type Paint, type Style, wrap } from '../terminal.ts';
import { count, kindOf, placeOf, sourceOf, titleOf } from './place.ts';

const INDENT = '   ';
const LABEL_WIDTH = 11;
const MESSAGE_LINES = 12;
const MAX_FRAMES = 4;

export interface Page {
  readonly paint: Paint;
  readonly columns: number;
}

export function toPeople(report: DebugReport, packets: readonly FailurePacket[], page: Page): string {
  const blocks = packets.map((packet, index) => block(packet, report.failures[index] ?? null, index + 1, page));
  return `${[headline(report, packets, page), ...blocks, ending(report, page)].join('\n\n')}\n`;
}

function headline(report: DebugReport, packets: readonly FailurePacket[], { paint }: Page): string {
  const sources = new Set(packets.map((packet) => packet.source)).size;
  const { code, test, unknown } = countCauses(report.failures);
  const told = `${paint('red', '✗')} ${paint('bold', count(packets.length, 'failure'))} in ${count(sources, 'input')}`;
  return code + test === 0 ? told : `${told}: ${code} in the code, ${test} in tests, ${unknown} unknown`;
}

function block(packet: FailurePacket, judged: ReportedFailure | null, number: number, page: Page): string {
  const { paint } = page;
  const lines = [`${paint('bold', `${number}. ${titleOf(packet)}`)}`, `${INDENT}${paint('dim', kindOf(packet))}`, ''];
  lines.push(messageOf(packet, page));
  if (packet.expected !== null) lines.push(fact('expected', packet.expected, page, 'green'));
  if (packet.actual !== null) lines.push(fact('actual', packet.actual, page, 'red'));
  lines.push('');
  const place = placeOf(packet);
  if (place !== null) lines.push(fact('at', place, page, 'cyan'));
  for (const frame of framesOf(packet, place)) lines.push(fact('', frame, page, 'dim'));
  lines.push(fact('read from', sourceOf(packet), page));
  if (packet.flaky_signals.length > 0) lines.push(fact('flaky', packet.flaky_signals.join(', '), page, 'yellow'));
  if (packet.repro_command !== null) lines.push(fact('reproduce', packet.repro_command, page));
  if (judged !== null && isJudged(judged)) lines.push(...verdict(judged, page));
  return lines.join('\n');
}

/** Without a spec or a re-run every cause is unknown for the same reason, which the ending says once. */
function isJudged(failure: ReportedFailure): boolean {
  return failure.spec_citation !== 'none: no spec was given';
}

function verdict(failure: ReportedFailure, page: Page): string[] {
  const style = failure.cause === 'unknown' ? 'yellow' : 'red';
  return [
    fact('cause', failure.cause, page, style),
    fact('evidence', failure.evidence, page),
    fact('spec', failure.spec_citation, page),
    fact('fix scope', failure.suggested_fix_scope, page),
  ];
}

function messageOf(packet: FailurePacket, { columns }: Page): string {
  const lines = (packet.normalized_message.trim() || packet.raw_excerpt.trim()).split('\n');
  const shown = lines.slice(0, MESSAGE_LINES).join('\n');
  const rest = lines.length > MESSAGE_LINES ? `\n… ${count(lines.length - MESSAGE_LINES, 'more line')}` : '';
  return wrap(`${shown}${rest}`, columns, INDENT);
}

function framesOf(packet: FailurePacket, place: string | null): string[] {
  return packet.stack
    .filter((frame) => frame.line !== null)
    .map((frame) => ({ at: `${frame.file}:${frame.line}`, symbol: frame.symbol }))
    .filter((frame) => frame.at !== place)
    .slice(0, MAX_FRAMES)
    .map((frame) => (frame.symbol === null ? frame.at : `${frame.at} in ${frame.symbol}`));
}

function fact(label: string, value: string, { paint, columns }: Page, style?: Style): string {
  const indent = INDENT + ' '.repeat(LABEL_WIDTH);
  const body = wrap(value, columns, indent).slice(indent.length);
  return `${INDENT}${paint('dim', label.padEnd(LABEL_WIDTH))}${style === undefined ? body : paint(style, body)}`;
}

function ending(report: DebugReport, { paint, columns }: Page): string {
  return `${paint('bold', 'Action')}  ${report.action}\n${wrap(report.reason, columns, '        ')}`;
}
