/** What a person does next about one failure, in one sentence. */
import type { FailurePacket } from '../../failures/packet.ts';
import type { CheckedClaim } from '../claim-check.ts';
import type { Clause } from '../clauses/clause.ts';
import { inlineCode, neutraliseLine, shorten } from './neutralise.ts';

export interface Advice {
  readonly test: string;
  /** Markdown, neutralised. */
  readonly next: string;
  readonly clause_id: string | null;
}

/** Advice from a checked claim; `packet` is the failure it is about. */
export function adviceFor(
  checked: CheckedClaim,
  packet: FailurePacket | undefined,
  clauses: readonly Clause[],
): Advice {
  const { cause, test } = checked;
  const clause = clauses.find((one) => one.clause_id === checked.clause?.clause_id) ?? null;
  return {
    test,
    next: nextStep(checked, packet),
    clause_id: cause === 'unknown' ? null : (clause?.clause_id ?? null),
  };
}

function nextStep(claim: CheckedClaim, packet: FailurePacket | undefined): string {
  const { cause, contradiction } = claim;
  const clause = claim.clause?.clause_id ?? '';
  if (cause === 'code' && contradiction) {
    const [call, value, got] = codes(contradiction.subject, contradiction.clause_value, contradiction.cited_value);
    return `Change the code so that ${call} gives ${value}, as ${clause} says; it gives ${got}. The test is right: leave it as it is.`;
  }
  if (cause === 'test' && contradiction) {
    const [call, value, asserted] = codes(contradiction.subject, contradiction.clause_value, contradiction.cited_value);
    return `Change the test: it demands ${asserted} for ${call}, and ${clause} says ${value}. The code is right: leave it as it is.`;
  }
  return decide(claim, packet);
}

/** What is known, and what is not: the person who decides should not have to search for either. */
function decide({ finding, missing }: CheckedClaim, packet: FailurePacket | undefined): string {
  const about = packet?.first_failing_test ? inlineCode(shorten(packet.first_failing_test, 200)) : 'this failure';
  const unsettled = sentence(missing[0] ?? 'the evidence does not settle it');
  if (packet === undefined || packet.failure_class === 'test_assertion') {
    const known = finding === '' ? '' : ` Known: ${sentence(finding)}.`;
    return `Decide what ${about} should demand, and say it in the spec with an example.${known} Missing: ${unsettled}.`;
  }
  return `Look at ${about}: ${unsettled}.`;
}

function sentence(text: string): string {
  return neutraliseLine(shorten(text, 400)).replace(/\.$/, '');
}

function codes(...texts: string[]): string[] {
  return texts.map((text) => inlineCode(shorten(text, 300)));
}
