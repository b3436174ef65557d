import { describe, expect, it } from '@jest/globals';
import type { FailurePacket } from '../../../src/failures/packet.ts';
import type { CheckedClaim } from '../../../src/pipeline/claim-check.ts';
import { byCause } from '../../../src/pipeline/comment/causes.ts';
import type { CommentInput } from '../../../src/pipeline/comment/comment.ts';

function input(
  ...failures: readonly (readonly [file: string, test: string, cause: 'code' | 'unknown'])[]
): CommentInput {
  return {
    links: { web_url: 'https://github.com', owner: 'acme', name: 'shop', sha: 'a'.repeat(40) },
    run_id: 'run_1',
    report: {
      failures: failures.map(([, test, cause]) => ({
        test,
        cause,
        evidence: '',
        spec_citation: '',
        suggested_fix_scope: '',
      })),
      action: 'escalate',
      reason: 'a mixture',
    },
    claims: failures.map(([, test, cause]) => ({ test, cause }) as CheckedClaim),
    packets: failures.map(
      ([primary_file, test], index) =>
        ({
          packet_id: `fp_${index}`,
          failure_class: 'test_assertion',
          primary_file,
          primary_line: 10 + index,
          primary_symbol: null,
          first_failing_test: test,
        }) as FailurePacket,
    ),
    evidence: [],
    clauses: [],
    checks: [],
    missing: [],
    damage: [],
    suites: [],
    notes: [],
  };
}

describe('the causes of a failing branch', () => {
  const split = byCause(input(['a.js', 'adds', 'code'], ['b.js', 'ships', 'unknown'], ['a.js', 'sums', 'code']));

  it('are told apart, each with its own failures and its own verdict', () => {
    expect(split.map((cause) => cause.input.packets.map((packet) => packet.first_failing_test))).toEqual([
      ['adds', 'sums'],
      ['ships'],
    ]);
    expect(split.map((cause) => cause.input.report.action)).toEqual(['route_code', 'escalate']);
    expect(split.map((cause) => cause.input.claims.length)).toEqual([2, 1]);
  });

  it('are found again although lines and order have changed', () => {
    const later = byCause(input(['b.js', 'ships', 'unknown'], ['a.js', 'adds', 'code']));
    expect(later.map((cause) => cause.fingerprint).sort()).toEqual(split.map((cause) => cause.fingerprint).sort());
  });
});
