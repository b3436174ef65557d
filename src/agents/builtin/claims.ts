/** Builds claims and their citations, cut to what the claim's schema allows. */
import type { FailurePacket } from '../../failures/packet.ts';
import type { Claim, ClauseCitation, EvidenceCitation } from '../../pipeline/claim.ts';
import type { Clause } from '../../pipeline/clauses/clause.ts';
import type { EvidenceText } from '../../ports/agent.ts';

const MAX_QUOTE = 4000;

/** A claim that nothing is decided, with what was missing and whatever evidence there is. */
export function unknownClaim(
  packet: FailurePacket,
  missing: readonly string[],
  shown: {
    readonly evidence?: readonly EvidenceCitation[];
    readonly clause?: Clause | null;
    readonly finding?: string;
  } = {},
): Claim {
  return {
    packet_id: packet.packet_id,
    test: nameOf(packet),
    cause: 'unknown',
    evidence: [...(shown.evidence ?? [])].slice(0, 20),
    clause: shown.clause ? clauseCitation(shown.clause) : null,
    contradiction: null,
    missing: missing.slice(0, 10).map((reason) => cut(reason, 500)),
    finding: cut(shown.finding ?? packet.normalized_message, 1000),
    suggested_fix_scope: 'operator: decide by the spec, then route',
  };
}

export function nameOf(packet: FailurePacket): string {
  return packet.first_failing_test ?? packet.primary_file ?? packet.runner;
}

export function clauseCitation(clause: Clause): ClauseCitation {
  return { clause_id: clause.clause_id, quote: cut(clause.text, MAX_QUOTE) };
}

/** Cites whole lines of the evidence that hold the piece; null when they are longer than a quote may be. */
export function citation(evidence: EvidenceText, start: number, end: number): EvidenceCitation | null {
  const { text } = evidence;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const stop = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end);
  const [first, last] = stop - from <= MAX_QUOTE ? [from, stop] : [start, end];
  if (last - first > MAX_QUOTE || last <= first) return null;
  const before = Buffer.byteLength(text.slice(0, first), 'utf8');
  const quote = text.slice(first, last);
  return {
    evidence_id: evidence.evidence_id,
    start_byte: before,
    end_byte: before + Buffer.byteLength(quote, 'utf8'),
    quote,
  };
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
