/** What a debugger says about a failure, in a form that the orchestrator can check before it believes it. */
import { z } from 'zod';

/** A quote from captured evidence. Bytes count from 0 in the UTF-8 of the evidence's text, end exclusive. */
export const evidenceCitationSchema = z.strictObject({
  evidence_id: z.string().regex(/^ev_[0-9a-f]{16}$/),
  start_byte: z.int().min(0),
  end_byte: z.int().min(1),
  quote: z.string().min(1).max(4000),
});
export type EvidenceCitation = z.infer<typeof evidenceCitationSchema>;

/** A quote from a numbered clause of `validate.md`. */
export const clauseCitationSchema = z.strictObject({
  clause_id: z.string().regex(/^C[1-9][0-9]*$/),
  quote: z.string().min(1).max(4000),
});
export type ClauseCitation = z.infer<typeof clauseCitationSchema>;

/**
 * Two values that cannot both hold, each found in what it is cited from: `cited_value` is part of the quote of
 * `citations[citation]`, `clause_value` part of the clause's quote. `subject` is the call both speak of; it stands in the
 * clause's quote and in the test's source evidence.
 */
export const contradictionSchema = z.strictObject({
  subject: z.string().min(1).max(2000),
  /** Index into `evidence` of the citation that holds `cited_value`. */
  citation: z.int().min(0),
  /** `observed`: what the program did (captured output). `asserted`: what the test demands (source). */
  side: z.enum(['observed', 'asserted']),
  cited_value: z.string().max(2000),
  clause_value: z.string().max(2000),
});
export type Contradiction = z.infer<typeof contradictionSchema>;

export const claimSchema = z.strictObject({
  packet_id: z.string(),
  test: z.string(),
  cause: z.enum(['code', 'test', 'unknown']),
  evidence: z.array(evidenceCitationSchema).max(20),
  clause: clauseCitationSchema.nullable(),
  /** Required for `code` (side `observed`) and `test` (side `asserted`). */
  contradiction: contradictionSchema.nullable(),
  /** For `unknown`: what was missing to decide, one sentence each. */
  missing: z.array(z.string().max(500)).max(10),
  /** One line for people: what was seen. */
  finding: z.string().max(1000),
  suggested_fix_scope: z.string().max(300),
});
export type Claim = z.infer<typeof claimSchema>;

/** An answer as it comes: each claim is read by `claimSchema` on its own. */
export const debugAnswerSchema = z.strictObject({ claims: z.array(z.unknown()).max(1000) });

export interface DebugAnswer {
  readonly claims: readonly Claim[];
}
