/** Scores folders with a `raw.log` and a `ground_truth.json` that lists the signals a diagnosis needs. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { packetsOf } from '../../src/failures/normalise.ts';
import type { FailurePacket } from '../../src/failures/packet.ts';
import { parseBytes } from '../../src/failures/parse/parse.ts';
import { leadingPacket } from './lead.ts';

const span = z.object({ start_line: z.number(), end_line: z.number() });
const signal = z.object({
  type: z.string(),
  value: z.union([z.string(), z.number()]).optional(),
  file: z.string().optional(),
  line: z.number().nullish(),
  importance: z.string(),
});
const truthSchema = z.object({ required_signals: z.array(signal), evidence_spans: z.array(span) });
type Signal = z.infer<typeof signal>;

const WEIGHTS: Readonly<Record<string, number>> = { critical: 3, important: 2 };

export interface SignalScore {
  readonly case: string;
  /** Weighted share of the required signals that the packets hold, 0..1. */
  readonly recall: number;
  readonly missing: readonly string[];
  /** Whether the leading packet was read from a span that the truth names as evidence. */
  readonly in_span: boolean;
  readonly packets: number;
}

export async function scoreSignals(folder: string, name: string): Promise<SignalScore> {
  const truth = truthSchema.parse(JSON.parse(await readFile(join(folder, name, 'ground_truth.json'), 'utf8')));
  const packets = packetsOf(name, parseBytes('raw.log', await readFile(join(folder, name, 'raw.log'))));
  const text = packets.map(wordsOf).join('\n');
  const missing = truth.required_signals.filter((wanted) => !holds(text, wanted));
  const total = weigh(truth.required_signals);
  const lead = leadingPacket(packets);
  return {
    case: name,
    recall: total === 0 ? 1 : 1 - weigh(missing) / total,
    missing: missing.map(
      (wanted) => `${wanted.importance} ${wanted.type}: ${wanted.value ?? `${wanted.file}:${wanted.line}`}`,
    ),
    in_span: lead !== undefined && truth.evidence_spans.some((part) => overlaps(part, lead)),
    packets: packets.length,
  };
}

function weigh(signals: readonly Signal[]): number {
  return signals.reduce((sum, wanted) => sum + (WEIGHTS[wanted.importance] ?? 1), 0);
}

function wordsOf(packet: FailurePacket): string {
  const frames = packet.stack.map((frame) => `${frame.file}:${frame.line}`);
  const place = `${packet.primary_file}:${packet.primary_line}`;
  return fold([packet.first_failing_test, place, ...frames, packet.normalized_message, packet.raw_excerpt].join('\n'));
}

function holds(text: string, wanted: Signal): boolean {
  const value = wanted.value === undefined ? null : fold(String(wanted.value));
  if (wanted.type === 'exit_code')
    return new RegExp(`(?:exit|exited|code|status)[^\\n\\d]{0,20}${value}\\b`, 'i').test(text);
  if (value !== null) return text.includes(value);
  const file = (wanted.file ?? '').replace(/^.*\//, '');
  return text.includes(file) && (wanted.line == null || new RegExp(`\\b${wanted.line}\\b`).test(text));
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function overlaps(part: z.infer<typeof span>, packet: FailurePacket): boolean {
  return packet.range.start_line <= part.end_line && packet.range.end_line >= part.start_line;
}
