import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { marked } from 'marked';
import type { FailurePacket } from '../../../src/failures/packet.ts';
import type { CheckedClaim } from '../../../src/pipeline/claim-check.ts';
import {
  COMMENT_LIMIT,
  type CommentInput,
  REPORT_MARKER,
  renderComment,
} from '../../../src/pipeline/comment/comment.ts';
import { type DebugReport, parseDebugReport } from '../../../src/pipeline/debug-report.ts';
import { routeFailures } from '../../../src/pipeline/router.ts';
import type { EvidenceText } from '../../../src/ports/agent.ts';

const EVIDENCE = 'ev_0123456789abcdef';

function input(
  tests: readonly string[],
  cause: 'code' | 'test' | 'unknown' = 'code',
  quote = 'actual: 8',
): CommentInput {
  const failures = tests.map((test) => ({
    test,
    cause,
    evidence: `${test} gave 8`,
    spec_citation: 'validate.md C1',
    suggested_fix_scope: 'impl',
  }));
  const claims = tests.map(
    (test, index): CheckedClaim => ({
      packet_id: `fp_${index}`,
      test,
      cause,
      evidence: [{ evidence_id: EVIDENCE, start_byte: 0, end_byte: quote.length, quote }],
      clause: { clause_id: 'C1', quote: 'returns 7' },
      contradiction:
        cause === 'unknown'
          ? null
          : { subject: 'cost(3)', citation: 0, side: 'observed', cited_value: '8', clause_value: '7' },
      missing: cause === 'unknown' ? ['no clause speaks of it'] : [],
      finding: 'cost(3) gave 8',
      suggested_fix_scope: 'impl',
      refusals: [],
    }),
  );
  const packets = tests.map(
    (test, index) =>
      ({
        packet_id: `fp_${index}`,
        first_failing_test: test,
        failure_class: 'test_assertion',
        primary_file: 'test/a b.js',
        primary_line: 6,
        normalized_message: test,
      }) as FailurePacket,
  );
  const evidence: EvidenceText = {
    evidence_id: EVIDENCE,
    kind: 'output',
    label: 'node --test',
    text: quote,
    first_line: 1,
    attempt: 1,
    exit_code: 1,
  };
  return {
    links: { web_url: 'https://github.com', owner: 'acme', name: 'shop', sha: 'a'.repeat(40) },
    run_id: 'run_1',
    report: { failures, ...routeFailures(failures) },
    claims,
    evidence: [evidence],
    clauses: [
      { clause_id: 'C1', text: '`cost(3)` returns `7`', source: 'docs/spec.md', line: 3, section: null, examples: [] },
    ],
    packets,
    checks: [{ name: 'test', url: null }],
    missing: [],
    damage: [],
    suites: [],
    notes: [],
  };
}

/** The report as it stands in the comment, between its first and its last heading. */
function reportIn(body: string): DebugReport {
  const from = body.indexOf('# Debug report');
  const reason = body.indexOf('## Reason\n', from) + '## Reason\n'.length;
  return parseDebugReport(`${body.slice(from, body.indexOf('\n', reason))}\n`);
}

describe('the comment', () => {
  it('carries the marker, the report in its exact format, and what to do', () => {
    const body = renderComment(input(['costs seven']));
    expect(body.startsWith(REPORT_MARKER)).toBe(true);
    expect(reportIn(body)).toMatchObject({ action: 'route_code', failures: [{ test: 'costs seven', cause: 'code' }] });
    expect(body).toContain('Change the code so that `cost(3)` gives `7`');
    expect(body).toContain(`https://github.com/acme/shop/blob/${'a'.repeat(40)}/test/a%20b.js#L6`);
    expect(body).toContain(`https://github.com/acme/shop/blob/${'a'.repeat(40)}/docs/spec.md#L3`);
    expect(body).toContain('```\nactual: 8\n```');
  });

  it('tells a wrong test to be changed, and an unknown to be decided', () => {
    expect(renderComment(input(['t'], 'test'))).toContain('Change the test');
    expect(renderComment(input(['t'], 'unknown'))).toContain('no clause speaks of it');
  });

  it('says so when there was nothing to read', () => {
    const empty = { ...input([]), missing: ['log of `test`: expired'] };
    const body = renderComment(empty);
    expect(body).toContain('log of `test`: expired');
    expect(reportIn(body).failures).toEqual([]);
  });

  it('fits in what GitHub takes, and its report still parses, however much failed', () => {
    for (const count of [1, 51, 400, 5000]) {
      const tests = Array.from({ length: count }, (_, index) => `test ${index} ${'x'.repeat(500)}`);
      const body = renderComment(input(tests, 'unknown', '`'.repeat(3000)));
      expect(body.length).toBeLessThanOrEqual(COMMENT_LIMIT);
      expect(reportIn(body).failures.length).toBeGreaterThan(0);
    }
  });

  it('mentions nobody and opens no tag, whatever the tests are called', () => {
    const word = fc.constantFrom(
      '@octocat',
      '<img src=x>',
      '#12',
      '](http://evil)',
      '`',
      '```',
      '\n',
      '<!--',
      '-->',
      'a',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const body = renderComment(input([words.join('')], 'unknown', words.join('')));
        const html = marked.parse(body, { async: false }).replace(/<code[^>]*>[\s\S]*?<\/code>/g, '');
        expect(html).not.toMatch(/@octocat|<img|#12|evil"/);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
