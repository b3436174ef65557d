/** The debugger without a model: re-runs each failing test, reads its assertion from the tree, and lets two of three values decide. */
import type { FailurePacket } from '../../failures/packet.ts';
import type { Claim } from '../../pipeline/claim.ts';
import type { Clause } from '../../pipeline/clauses/clause.ts';
import { parseValidate } from '../../pipeline/clauses/validate-document.ts';
import type { DebugAgent, DebugTools } from '../../ports/agent.ts';
import { unknownClaim } from './claims.ts';
import { investigate } from './investigation.ts';
import { preparation } from './surroundings.ts';

/** Tests that are investigated in one visit; the rest is reported as not investigated. */
export const MAX_INVESTIGATED = 50;

/** Makes the `builtin` debugger. It works through its tools only, and the same answers of the tools give the same claims. */
export function createBuiltinDebugger(): DebugAgent {
  return {
    kind: 'builtin',
    async act(task, tools, signal) {
      const spec = await readSpec(tools);
      const prepared = await preparation(tools);
      const { attempts, isTestFile } = task;
      const claims: Claim[] = [];
      let investigated = 0;
      for (const packets of byTest(task.failures)) {
        signal.throwIfAborted();
        const [packet] = packets;
        if (!packet) continue;
        const claim = await claimFor(packet, { ...spec, prepared, tools, attempts, isTestFile }, investigated);
        if (packet.first_failing_test !== null) investigated++;
        claims.push(...packets.map(({ packet_id }) => ({ ...claim, packet_id })));
      }
      return { claims: claims.slice(0, 1000) };
    },
  };
}

interface Spec {
  readonly clauses: readonly Clause[];
  /** Why there is no spec to judge by; null when there is one. */
  readonly absent: string | null;
}

async function readSpec(tools: DebugTools): Promise<Spec> {
  const document = await tools.readArtifact('validate.md');
  if (!document.ok) return { clauses: [], absent: `validate.md cannot be read: ${document.refused}` };
  const clauses = parseValidate(document.value);
  return { clauses, absent: clauses.length === 0 ? 'the spec has no clause' : null };
}

async function claimFor(
  packet: FailurePacket,
  ground: Parameters<typeof investigate>[1],
  investigated: number,
): Promise<Claim> {
  if (packet.first_failing_test === null)
    return unknownClaim(packet, ['this failure is no test that can be run alone']);
  if (investigated >= MAX_INVESTIGATED)
    return unknownClaim(packet, [`not investigated: more than ${MAX_INVESTIGATED} tests failed`]);
  return investigate(packet, ground);
}

/** Packets of one test are one failure, whichever input they were read from. */
function byTest(packets: readonly FailurePacket[]): FailurePacket[][] {
  const groups = new Map<string, FailurePacket[]>();
  for (const packet of packets) {
    const key =
      packet.first_failing_test === null ? packet.packet_id : `${packet.test_file ?? ''}\n${packet.first_failing_test}`;
    groups.set(key, [...(groups.get(key) ?? []), packet]);
  }
  return [...groups.values()];
}
