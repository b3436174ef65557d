import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DebugReport, parseDebugReport, renderDebugReport } from '../../src/pipeline/debug-report.ts';
import { routeFailures } from '../../src/pipeline/router.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 80 });
const failure = fc.record({
  test: anyText,
  cause: fc.constantFrom('code' as const, 'test' as const, 'unknown' as const),
  evidence: anyText,
  spec_citation: anyText,
  suggested_fix_scope: anyText,
});
const report: fc.Arbitrary<DebugReport> = fc.record({
  failures: fc.array(failure, { maxLength: 6 }),
  action: fc.constantFrom('route_code' as const, 'route_test' as const, 'escalate' as const),
  reason: anyText,
});

describe('the debug report', () => {
  it('is written in the format of the debug state', () => {
    const text = renderDebugReport({
      failures: [
        {
          test: 'cart › totals',
          cause: 'code',
          evidence: '`total([1, 2])` gave 4',
          spec_citation: 'validate.md C2',
          suggested_fix_scope: 'impl',
        },
      ],
      action: 'route_code',
      reason: 'the failure contradicts the spec in the code',
    });
    expect(text).toBe(
      [
        '# Debug report',
        '',
        '## Summary',
        '- failures investigated: 1',
        '- classified: 1 code / 0 test / 0 unknown',
        '',
        '## Failures',
        '',
        '### cart › totals',
        '- cause: code',
        '- evidence: `total([1, 2])` gave 4',
        '- spec citation: validate.md C2',
        '- suggested fix scope: impl',
        '',
        '## Action',
        'route_code',
        '',
        '## Reason',
        'the failure contradicts the spec in the code',
        '',
      ].join('\n'),
    );
  });

  it('comes back from its text unchanged, whatever the fields hold', () => {
    fc.assert(
      fc.property(report, (value) => {
        expect(parseDebugReport(renderDebugReport(value))).toEqual(value);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('refuses a text that is cut anywhere, and names the line', () => {
    const text = renderDebugReport({ failures: [], action: 'escalate', reason: 'nothing to route' });
    const lines = text.split('\n');
    for (let kept = 0; kept < lines.length; kept += 1) {
      expect(() => parseDebugReport(lines.slice(0, kept).join('\n'))).toThrow(/Debug report, line \d+:/);
    }
  });

  it('refuses a summary that counts wrong', () => {
    const text = renderDebugReport({ failures: [], action: 'escalate', reason: 'x' }).replace('0 code', '1 code');
    expect(() => parseDebugReport(text)).toThrow('the summary does not count its failures');
  });
});

describe('routing', () => {
  const of = (...causes: ('code' | 'test' | 'unknown')[]) =>
    routeFailures(
      causes.map((cause) => ({ test: 't', cause, evidence: '', spec_citation: '', suggested_fix_scope: '' })),
    ).action;

  it.each([
    [['code'], 'route_code'],
    [['code', 'code'], 'route_code'],
    [['test', 'test'], 'route_test'],
    [['code', 'test'], 'escalate'],
    [['code', 'unknown'], 'escalate'],
    [['unknown'], 'escalate'],
    [[], 'escalate'],
  ] as const)('sends %j to %s', (causes, action) => {
    expect(of(...causes)).toBe(action);
  });
});
