/** From the failing checks of a commit to packets: fetches what GitHub keeps, reads it, and says what was missing. */

import { mergePackets, packetsOf } from '../../failures/normalise.ts';
import type { FailurePacket } from '../../failures/packet.ts';
import { parseInput } from '../../failures/parse/parse.ts';
import type { Check, Evidence, Forge } from '../../ports/forge.ts';
import { redactPacket } from '../redact-packet.ts';
import type { RepoRef } from '../run.ts';

/** One input and what came of it. */
export interface IngestedInput {
  readonly name: string;
  readonly origin: Evidence['origin'];
  readonly lines: number;
  readonly bytes: number;
  readonly packets: number;
  /** What could not be read of it, in words; empty when all could. */
  readonly damage: readonly string[];
}

export interface Ingested {
  readonly packets: readonly FailurePacket[];
  readonly inputs: readonly IngestedInput[];
  /** "the log of `test`: expired (410)": said in the report. */
  readonly missing: readonly string[];
}

/** Reads all evidence of the failing checks. What cannot be had is told in `missing`; only an unreachable GitHub throws. */
export async function ingestChecks(
  forge: Forge,
  repo: RepoRef,
  failing: readonly Check[],
  files: ReadonlySet<string>,
): Promise<Ingested> {
  const inputs: IngestedInput[] = [];
  const missing: string[] = [];
  const found: FailurePacket[] = [];
  for (const evidence of await forge.evidence(repo, failing)) {
    if ('missing' in evidence) {
      missing.push(`${evidence.name}: ${evidence.missing}`);
      continue;
    }
    const result = await parseInput(evidence.name, evidence.bytes());
    const packets = packetsOf(evidence.name, result, { files });
    found.push(...packets);
    inputs.push({
      name: evidence.name,
      origin: evidence.origin,
      lines: result.lines,
      bytes: result.bytes,
      packets: packets.length,
      damage: result.damage.map(({ what, line }) => (line === null ? what : `${what} (line ${line})`)),
    });
  }
  return { packets: mergePackets(found).map(redactPacket), inputs, missing };
}
