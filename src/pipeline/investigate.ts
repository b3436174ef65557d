/** One investigation: the debugger's answer, claim by claim checked against what it was shown, made into a report. */

import { InquestError } from '../errors.ts';
import type { FailurePacket } from '../failures/packet.ts';
import type { DebugAgent, DebugToolbox, EvidenceText } from '../ports/agent.ts';
import type { NewEvent } from '../record/event.ts';
import { type Claim, claimSchema, debugAnswerSchema } from './claim.ts';
import { type CheckedClaim, checkClaim } from './claim-check.ts';
import type { Clause } from './clauses/clause.ts';
import type { DebugReport, ReportedFailure } from './debug-report.ts';
import { routeFailures } from './router.ts';

export interface InvestigationTask {
  readonly failures: readonly FailurePacket[];
  /** At most this many failures are judged; the rest is reported as `unknown`, with that reason. */
  readonly limit: number;
  /** How often each failing test is run alone. */
  readonly attempts: number;
  readonly clauses: readonly Clause[];
  /** Which files are tests: an assertion is cited from one of them. */
  readonly isTestFile: (path: string) => boolean;
  readonly debugger: DebugAgent;
  readonly toolbox: DebugToolbox;
  readonly record: (type: NewEvent['type'], payload: NewEvent['payload']) => void;
  readonly signal: AbortSignal;
}

export interface Investigation {
  readonly report: DebugReport;
  /** One for each failure, in the order of the report. */
  readonly claims: readonly CheckedClaim[];
  /** Only what a claim cites. */
  readonly evidence: readonly EvidenceText[];
  readonly clauses: readonly Clause[];
}

/** Runs the debugger and believes nothing of it unchecked. Throws what the debugger throws, and `CANCELLED`. */
export async function investigate(task: InvestigationTask): Promise<Investigation> {
  const judged = task.failures.slice(0, task.limit);
  const { tools, shown } = task.toolbox;
  task.record('agent_called', { agent: task.debugger.kind, state: 'debug', failures: judged.length });
  const answer = await task.debugger.act(
    { state: 'debug', failures: judged, attempts: task.attempts, isTestFile: task.isTestFile },
    tools,
    task.signal,
  );
  if (task.signal.aborted) throw new InquestError('CANCELLED', 'The investigation was called off.');
  const claims = claimsOf(answer);
  const checked = task.failures.map((packet, index) => {
    const claim = claims.get(packet.packet_id) ?? noClaim(packet, index < task.limit ? SILENT : OVER_LIMIT);
    return checkClaim(claim, shown, task.clauses, task.isTestFile);
  });
  for (const one of checked) {
    const { packet_id, cause, refusals } = one;
    task.record('claim_checked', { packet_id, cause, refusals: [...refusals] });
  }
  const failures = checked.map((one) => reportedFailure(one, task.clauses));
  const cited = new Set(checked.flatMap((one) => one.evidence.map((citation) => citation.evidence_id)));
  return {
    report: { failures, ...routeFailures(failures) },
    claims: checked,
    evidence: [...shown.values()].filter((evidence) => cited.has(evidence.evidence_id)),
    clauses: task.clauses,
  };
}

const SILENT = 'the debugger said nothing about this failure that could be read';
const OVER_LIMIT = 'not investigated: over the limit of failures for one run';

/** The claims of an answer by packet, read one by one: a malformed one costs its own verdict and no other. */
function claimsOf(answer: unknown): ReadonlyMap<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const one of debugAnswerSchema.parse(answer).claims) {
    const read = claimSchema.safeParse(one);
    if (read.success && !claims.has(read.data.packet_id)) claims.set(read.data.packet_id, read.data);
  }
  return claims;
}

function noClaim(packet: FailurePacket, missing: string): Claim {
  return {
    packet_id: packet.packet_id,
    test: packet.first_failing_test ?? packet.normalized_message.slice(0, 200),
    cause: 'unknown',
    evidence: [],
    clause: null,
    contradiction: null,
    missing: [missing],
    finding: packet.normalized_message.slice(0, 300),
    suggested_fix_scope: 'a person',
  };
}

function reportedFailure(checked: CheckedClaim, clauses: readonly Clause[]): ReportedFailure {
  const { cause, refusals } = checked;
  const missing = [...checked.missing, ...refusals.map((refusal) => `claim refused: ${refusal}`)];
  return {
    test: checked.test,
    cause,
    evidence: evidenceLine(checked, cause === 'unknown' ? missing : []),
    spec_citation: citationLine(checked, clauses),
    suggested_fix_scope: cause === 'unknown' ? 'a person decides' : checked.suggested_fix_scope,
  };
}

function evidenceLine(claim: Claim, missing: readonly string[]): string {
  const ranges = claim.evidence.map(
    ({ evidence_id, start_byte, end_byte }) => `${evidence_id} bytes ${start_byte}-${end_byte}`,
  );
  const cited = [...new Set(ranges)];
  const parts = [claim.finding];
  if (missing.length > 0) parts.push(`missing: ${missing.join('; ')}`);
  if (cited.length > 0) parts.push(`[${cited.join(', ')}]`);
  return parts.join(' — ');
}

function citationLine(claim: Claim, clauses: readonly Clause[]): string {
  const clause = clauses.find((one) => one.clause_id === claim.clause?.clause_id);
  if (claim.clause === null || clause === undefined) return 'none: no clause settles it';
  return `validate.md ${clause.clause_id} (${clause.source}:${clause.line}): ${claim.clause.quote}`;
}
