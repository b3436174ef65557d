/** Findings become packets that look alike on every machine. */
import { describe, expect, it } from '@jest/globals';
import type { Finding } from '../../src/failures/finding.ts';
import { mergePackets, packetsOf } from '../../src/failures/normalise.ts';
import { JEST, MOCHA, NODE_SPEC, parseText, stamped, TSC } from './parse/samples.ts';

const FINDING: Finding = {
  kind: 'test',
  runner: 'jest',
  test: 'cart › total',
  test_file: 'test/cart.test.ts',
  failure_class: 'test_assertion',
  sub_class: null,
  message: 'expected 1 to be 2',
  expected: '2',
  actual: '1',
  location: null,
  stack: [],
  symbol: null,
  excerpt: 'expected 1 to be 2',
  range: { start_line: 3, end_line: 4, start_byte: 20, end_byte: 40 },
  confidence: 0.9,
  flaky_signals: [],
};

const frame = (file: string, line: number) => ({ file, line, column: null, symbol: null });
const packet = (changes: Partial<Finding>, source = 'job.log') => {
  const findings = [{ ...FINDING, ...changes }];
  return packetsOf(source, { findings, damage: [], formats: [], lines: 9, bytes: 90, passed_summary: false })[0];
};

describe('a packet', () => {
  it('is placed at the first frame of the project itself', () => {
    const stack = [
      frame('/home/runner/work/shop/shop/node_modules/chai/index.js', 9),
      frame('node:internal/process', 1),
      frame('/home/runner/work/shop/shop/src/cart.ts', 12),
      frame('/home/runner/work/shop/shop/test/cart.test.ts', 5),
    ];
    expect(packet({ stack })).toMatchObject({ primary_file: 'src/cart.ts', primary_line: 12 });
  });

  it('falls back to the test file', () => {
    expect(packet({})).toMatchObject({ primary_file: 'test/cart.test.ts', primary_line: null });
  });

  it('passes over generated code', () => {
    const stack = [frame('dist/cart.js', 1), frame('src/cart.ts', 2)];
    expect(packet({ stack })?.primary_file).toBe('src/cart.ts');
  });

  it('finds the root from a test file that is named both ways', () => {
    const [first] = packetsOf('job.log', parseText(NODE_SPEC));
    expect(first).toMatchObject({ primary_file: 'test/price.test.mjs', test_file: 'test/price.test.mjs' });
  });

  it('has the same id wherever the repository lay', () => {
    const at = (root: string) => packet({ stack: [frame(`${root}/src/cart.ts`, 12)] })?.packet_id;
    expect(at('/home/runner/work/shop/shop')).toBe(at('D:\\a\\shop\\shop'));
    expect(at('/app')).toMatch(/^fp_[0-9a-f]{16}$/);
  });

  it('has the same id whatever the dressing of the log', () => {
    const ids = (text: string) => packetsOf('job.log', parseText(text)).map((one) => one.packet_id);
    for (const text of [JEST, MOCHA, TSC]) expect(ids(stamped(text))).toEqual(ids(text));
  });

  it('has another id for another test', () => {
    expect(packet({ test: 'cart › other' })?.packet_id).not.toBe(packet({})?.packet_id);
  });

  it('bounds its excerpt', () => {
    expect(Buffer.byteLength(packet({ excerpt: 'é'.repeat(10_000) })?.raw_excerpt ?? '')).toBeLessThanOrEqual(4096);
  });
});

describe('merging packets', () => {
  const log = packet({ location: frame('test/cart.test.ts', 5) });
  const junit = packet({ runner: 'junit-xml', test: 'cart total', expected: null, actual: null }, 'junit.xml');
  const annotation = packet(
    {
      kind: 'diagnostic',
      runner: 'annotations',
      test: null,
      location: frame('test/cart.test.ts', 5),
      expected: null,
      actual: null,
    },
    'annotations.json',
  );
  const all = [log, junit, annotation].filter((one) => one !== undefined);

  it('keeps the richest of one failure told by log, report and annotation', () => {
    expect(mergePackets(all)).toMatchObject([
      { first_failing_test: 'cart › total', primary_line: 5, expected: '2', actual: '1' },
    ]);
  });

  it('does not depend on the order of sources', () => {
    const wanted = mergePackets(all);
    expect(mergePackets([...all].reverse())).toEqual(wanted);
    expect(mergePackets(wanted)).toEqual(wanted);
  });

  it('keeps different failures apart', () => {
    const other = packet({ test: 'cart › other', message: 'something else' }, 'junit.xml');
    expect(mergePackets([...all, ...(other === undefined ? [] : [other])])).toHaveLength(2);
  });
});
