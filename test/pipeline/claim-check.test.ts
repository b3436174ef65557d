import { describe, expect, it } from '@jest/globals';
import type { Claim, Contradiction, EvidenceCitation } from '../../src/pipeline/claim.ts';
import { checkClaim, looksLikeTestFile } from '../../src/pipeline/claim-check.ts';
import type { Clause } from '../../src/pipeline/clauses/clause.ts';
import { clausesOf } from '../../src/pipeline/clauses/clauses.ts';
import type { EvidenceText } from '../../src/ports/agent.ts';

const OUTPUT: EvidenceText = {
  evidence_id: 'ev_0000000000000001',
  kind: 'output',
  label: 'node --test',
  text: 'é😀 fails\n  actual: 2\n  expected: 3\n',
  first_line: 1,
  attempt: 1,
  exit_code: 1,
};
const TEST: EvidenceText = {
  evidence_id: 'ev_0000000000000002',
  kind: 'source',
  label: 'test/total.test.js',
  text: "test('x', () => {\n  equal(total([1, 2]), 4);\n});\n",
  first_line: 1,
  attempt: null,
  exit_code: null,
};
const CODE: EvidenceText = {
  evidence_id: 'ev_0000000000000003',
  kind: 'source',
  label: 'src/total.js',
  text: '// total([1, 2]) is 4\n',
  first_line: 1,
  attempt: null,
  exit_code: null,
};
const EVIDENCE = new Map([OUTPUT, TEST, CODE].map((each) => [each.evidence_id, each]));
const CLAUSES = clausesOf([
  { name: 'SPEC.md', text: '- `total([1, 2])` → `3`\n- `total([9])` → `9`\n- Prices are in cents.\n' },
]);

function cite(source: EvidenceText, quote: string): EvidenceCitation {
  const start = Buffer.byteLength(source.text.slice(0, source.text.indexOf(quote)));
  return { evidence_id: source.evidence_id, start_byte: start, end_byte: start + Buffer.byteLength(quote), quote };
}

const observed = cite(OUTPUT, '  actual: 2');
const asserted = cite(TEST, '  equal(total([1, 2]), 4);');
const clause = { clause_id: 'C1', quote: '`total([1, 2])` → `3`' };
const seen: Contradiction = {
  subject: 'total([1, 2])',
  citation: 0,
  side: 'observed',
  cited_value: '2',
  clause_value: '3',
};
const demanded: Contradiction = {
  subject: 'total([1, 2])',
  citation: 1,
  side: 'asserted',
  cited_value: '4',
  clause_value: '3',
};

function claim(change: Partial<Claim> = {}): Claim {
  return {
    packet_id: 'fp_1',
    test: 'x',
    cause: 'code',
    evidence: [observed, asserted],
    clause,
    contradiction: seen,
    missing: [],
    finding: '',
    suggested_fix_scope: '',
    ...change,
  };
}

function check(change: Partial<Claim>, clauses: readonly Clause[] = CLAUSES) {
  return checkClaim(claim(change), EVIDENCE, clauses);
}

describe('A claim that holds is kept', () => {
  it('code: what the program did contradicts the clause', () =>
    expect(check({})).toMatchObject({ cause: 'code', refusals: [] }));
  it('test: what the test demands contradicts the clause', () =>
    expect(check({ cause: 'test', contradiction: demanded })).toMatchObject({ cause: 'test', refusals: [] }));
  it('unknown: nothing need be shown', () =>
    expect(check({ cause: 'unknown', evidence: [], clause: null, contradiction: null })).toMatchObject({
      cause: 'unknown',
      refusals: [],
    }));
  it('another spelling of the call', () =>
    expect(check({ contradiction: { ...seen, subject: 'total( [1,2] )' } })).toMatchObject({ cause: 'code' }));
});

describe('A claim that does not hold becomes unknown, with the reason', () => {
  const lies: readonly (readonly [string, Partial<Claim>, RegExp])[] = [
    [
      'evidence that was never shown',
      { evidence: [{ ...observed, evidence_id: 'ev_ffffffffffffffff' }, asserted] },
      /no such evidence/,
    ],
    [
      'a quote from other evidence',
      { evidence: [{ ...observed, evidence_id: TEST.evidence_id }, asserted] },
      /does not stand/,
    ],
    [
      'a range that begins a byte late',
      { evidence: [{ ...observed, start_byte: observed.start_byte + 1 }, asserted] },
      /does not stand/,
    ],
    [
      'a range that ends a byte early',
      { evidence: [{ ...observed, end_byte: observed.end_byte - 1 }, asserted] },
      /does not stand/,
    ],
    ['a range outside the evidence', { evidence: [{ ...observed, end_byte: 10_000 }, asserted] }, /outside/],
    ['an empty range', { evidence: [{ ...observed, end_byte: observed.start_byte }, asserted] }, /outside/],
    [
      'a quote that cuts a character in two',
      { evidence: [{ evidence_id: OUTPUT.evidence_id, start_byte: 1, end_byte: 4, quote: '\ufffd\ufffd' }, asserted] },
      /does not stand/,
    ],
    [
      'a quote that is not word for word',
      { evidence: [{ ...observed, quote: '  actual: 5' }, asserted] },
      /does not stand/,
    ],
    ['no clause', { clause: null }, /must cite a clause/],
    ['a clause that does not exist', { clause: { ...clause, clause_id: 'C99' } }, /does not exist/],
    ['a clause quoted wrongly', { clause: { ...clause, quote: '`total([1, 2])` → `2`' } }, /does not stand in clause/],
    [
      'a clause about another call',
      { clause: { clause_id: 'C2', quote: '`total([9])` → `9`' }, contradiction: { ...seen, clause_value: '9' } },
      /gives no value/,
    ],
    ['a clause without a value', { clause: { clause_id: 'C3', quote: 'Prices are in cents.' } }, /gives no value/],
    ['a clause that says the opposite', { contradiction: { ...seen, clause_value: '4' } }, /says 3, not 4/],
    [
      'a quote of the clause without its value',
      { clause: { ...clause, quote: '`total([1, 2])`' } },
      /not part of the clause's quote/,
    ],
    ['no contradiction', { contradiction: null }, /must show a contradiction/],
    ['a contradiction in a citation that is missing', { contradiction: { ...seen, citation: 7 } }, /no citation 7/],
    [
      'a value that is not in the quote',
      { contradiction: { ...seen, cited_value: '7' } },
      /not part of the quoted evidence/,
    ],
    ['code argued from the assertion', { contradiction: demanded }, /what the program did/],
    [
      'code argued from a comment in the source',
      { evidence: [cite(CODE, '// total([1, 2]) is 4'), asserted], contradiction: { ...seen, cited_value: '4' } },
      /captured output/,
    ],
    ['test argued from what the program did', { cause: 'test' }, /is no argument/],
    [
      'test argued from output under another name',
      { cause: 'test', contradiction: { ...seen, side: 'asserted' } },
      /source of a test file/,
    ],
    [
      'test argued from the implementation',
      {
        cause: 'test',
        evidence: [cite(CODE, '// total([1, 2]) is 4'), asserted],
        contradiction: { ...demanded, citation: 0 },
      },
      /source of a test file/,
    ],
    [
      'code where the program did what the clause says',
      { evidence: [cite(OUTPUT, '  expected: 3'), asserted], contradiction: { ...seen, cited_value: '3' } },
      /no contradiction/,
    ],
    [
      'a value that may mean the same',
      { evidence: [cite(OUTPUT, '  expected: 3'), asserted], contradiction: { ...seen, cited_value: 'expected' } },
      /cannot be read/,
    ],
    ['no source of the test', { evidence: [observed] }, /no source of the test/],
    [
      'a test source that does not hold the call',
      { evidence: [observed, cite(TEST, "test('x', () => {")] },
      /does not name total/,
    ],
    [
      'arguments that do not stand in the test',
      { evidence: [observed, cite(TEST, 'equal(total([1, 2')] },
      /does not hold the argument/,
    ],
    ['a subject that is no call', { contradiction: { ...seen, subject: 'total' } }, /no call/],
  ];

  it.each(lies)('%s', (_name, change, reason) => {
    const checked = check(change);
    expect(checked.cause).toBe('unknown');
    expect(checked.refusals.join('\n')).toMatch(reason);
    expect(checked.contradiction).toBeNull();
  });

  it('keeps the citations that hold, and drops the others', () => {
    expect(check({ evidence: [{ ...observed, quote: 'lie' }, asserted] }).evidence).toEqual([asserted]);
  });

  it('a second clause that says otherwise about the same call', () => {
    const rivals = clausesOf([{ name: 'SPEC.md', text: '- `total([1, 2])` → `3`\n- `total([1, 2])` → `2`\n' }]);
    expect(check({}, rivals).refusals.join()).toMatch(/C2 says otherwise/);
  });
});

describe('Test files are told by their names', () => {
  it.each([
    'test/a.js',
    'src/a.test.ts',
    'a.spec.tsx',
    'src/__tests__/a.js',
    'tests/test_a.py',
    'pkg/test_a.py',
    'pkg/a_test.py',
    'a-test.mjs',
  ])('%s', (path) => expect(looksLikeTestFile(path)).toBe(true));
  it.each(['src/a.ts', 'src/testing.ts', 'latest.js', 'contest.py', 'src/attest/a.py'])('not %s', (path) =>
    expect(looksLikeTestFile(path)).toBe(false),
  );
});
