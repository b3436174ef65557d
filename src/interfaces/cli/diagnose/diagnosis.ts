/** Reads all inputs and puts what they say together. */

import type { Damage, ParseResult } from '../../../failures/finding.ts';
import { mergePackets, packetsOf } from '../../../failures/normalise.ts';
import type { FailurePacket } from '../../../failures/packet.ts';
import { parseInput } from '../../../failures/parse/parse.ts';
import type { PathOptions } from '../../../failures/path.ts';
import { redactPacket } from '../../../pipeline/redact-packet.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { problemOf } from '../file-problem.ts';
import { type Bytes, type Input, type ReadableInput, type UnreadInput, unread } from './input.ts';
import type { Progress } from './progress.ts';
import { isReport } from './relevance.ts';
import { sniff, toUtf8 } from './sniff.ts';
import { zipStreamInputs } from './zip.ts';

export interface ReadInput extends Omit<ParseResult, 'findings'> {
  readonly kind: 'read';
  readonly name: string;
  /** How many failures were read from it, before those told twice were merged. */
  readonly failures: number;
}

export interface Diagnosis {
  /** Redacted, merged over all inputs. */
  readonly packets: readonly FailurePacket[];
  readonly inputs: readonly (ReadInput | UnreadInput)[];
}

/** Largest input that is read, in bytes. */
const MAX_INPUT_BYTES = 8 * 1024 ** 3;

/** Reads every input. What cannot be read is part of the result, never an exception. */
export async function diagnoseInputs(
  inputs: AsyncIterable<Input>,
  paths: PathOptions,
  progress: Progress,
): Promise<Diagnosis> {
  const read: (ReadInput | UnreadInput)[] = [];
  const packets: FailurePacket[] = [];
  for await (const input of inputs) {
    for await (const outcome of readInput(input, progress)) {
      if (outcome.kind !== 'parsed') {
        read.push(outcome);
        continue;
      }
      const { findings, ...facts } = outcome.result;
      const found = packetsOf(outcome.name, outcome.result, paths);
      packets.push(...found.map(redactPacket));
      read.push({ kind: 'read', name: outcome.name, failures: found.length, ...facts });
    }
  }
  return { packets: mergePackets(packets), inputs: read };
}

/**
 * 1 when something failed. 2 when nothing did as far as could be read, but something that was named, or that is a report,
 * could not be read: a broken report is never "nothing failed".
 */
export function exitCodeOf({ packets, inputs }: Diagnosis): ExitCode {
  if (packets.length > 0) return EXIT.failures;
  const read = inputs.filter((input) => input.kind === 'read');
  if (read.length === 0 || inputs.some((input) => input.kind === 'unreadable')) return EXIT.unusable;
  return read.some((input) => input.damage.length > 0 && !input.passed_summary) ? EXIT.unusable : EXIT.ok;
}

/** All damage of all inputs, with the input's name. */
export function damageOf({ inputs }: Diagnosis): (Damage & { readonly input: string })[] {
  return inputs.flatMap((input) =>
    input.kind === 'read' ? input.damage.map((damage) => ({ input: input.name, ...damage })) : [],
  );
}

interface Parsed {
  readonly kind: 'parsed';
  readonly name: string;
  readonly result: ParseResult;
}

async function* readInput(input: Input, progress: Progress): AsyncGenerator<Parsed | UnreadInput> {
  if (input.kind !== 'readable') {
    yield input;
    return;
  }
  progress.begin(input.name);
  try {
    const { content, bytes } = await sniff(await input.open());
    if (content === 'zip' && input.named) {
      for await (const inner of zipStreamInputs(bytes, input.name)) yield* readInput(inner, progress);
    } else if (content === 'text' || content === 'utf-16le' || content === 'utf-16be') {
      yield await parse(input, content === 'text' ? bytes : toUtf8(bytes, content), progress);
    } else {
      await bytes.return(undefined);
      yield unparsed(input, REASONS[content]);
    }
  } catch (error) {
    yield unread('unreadable', input.name, problemOf(error));
  } finally {
    progress.end();
  }
}

const REASONS = {
  empty: 'is empty',
  binary: 'is a binary file, not the output of a CI run',
  gzip: 'is compressed with gzip; unpack it first (gunzip)',
  zip: 'is a zip inside a zip; unpack it first',
} as const;

async function parse(input: ReadableInput, bytes: Bytes, progress: Progress): Promise<Parsed | UnreadInput> {
  const watched = new WatchedBytes(bytes, progress);
  const result = await parseInput(input.name, watched);
  if (watched.tooLarge) {
    return unread('unreadable', input.name, `is larger than ${MAX_INPUT_BYTES / 1024 ** 3} GiB`);
  }
  if (watched.blank) return unparsed(input, 'holds nothing but white space');
  return { kind: 'parsed', name: input.name, result };
}

/** An empty log beside others says nothing; an empty report, or one that was named, is a problem. */
function unparsed(input: ReadableInput, reason: string): UnreadInput {
  return unread(input.named || isReport(input.name) ? 'unreadable' : 'skipped', input.name, reason);
}

/** Passes bytes on, counts them, stops at the limit, and notices whether there was anything but white space. */
class WatchedBytes {
  blank = true;
  tooLarge = false;
  private readonly bytes: Bytes;
  private readonly progress: Progress;

  constructor(bytes: Bytes, progress: Progress) {
    this.bytes = bytes;
    this.progress = progress;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let total = 0;
    for await (const chunk of this.bytes) {
      total += chunk.length;
      if (total > MAX_INPUT_BYTES) {
        this.tooLarge = true;
        return;
      }
      if (this.blank) this.blank = chunk.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
      this.progress.advance(chunk.length);
      yield chunk;
    }
  }
}
