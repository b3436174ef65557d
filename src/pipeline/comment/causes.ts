/** Splits what a comment tells by root cause: a default branch keeps one issue for each. */
import { shortId } from '../../record/canonical.ts';
import { routeFailures } from '../router.ts';
import type { CommentInput } from './comment.ts';

export interface Cause {
  /** The same cause on another day has the same fingerprint: no line, no SHA, no time. */
  readonly fingerprint: string;
  readonly input: CommentInput;
}

/** The input once for each cause, with that cause's failures only, in the order of the first failure. */
export function byCause(input: CommentInput): Cause[] {
  const groups = new Map<string, number[]>();
  for (const [index, packet] of input.packets.entries()) {
    const place = packet.primary_file ?? packet.first_failing_test;
    const fingerprint = shortId('cause', [packet.failure_class, place, packet.primary_symbol]);
    groups.set(fingerprint, [...(groups.get(fingerprint) ?? []), index]);
  }
  return [...groups].map(([fingerprint, indexes]) => ({ fingerprint, input: only(input, new Set(indexes)) }));
}

function only(input: CommentInput, indexes: ReadonlySet<number>): CommentInput {
  const isMeant = (_: unknown, index: number) => indexes.has(index);
  const failures = input.report.failures.filter(isMeant);
  return {
    ...input,
    report: { failures, ...routeFailures(failures) },
    claims: input.claims.filter(isMeant),
    packets: input.packets.filter(isMeant),
  };
}
