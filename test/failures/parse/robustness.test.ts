/** Whatever the bytes, the parsers end, do not throw, and say the same each time. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packetsOf } from '../../../src/failures/normalise.ts';
import { parseBytes } from '../../../src/failures/parse/parse.ts';
import { parseText, SAMPLES, stamped } from './samples.ts';

const RUNS = { seed: 11, numRuns: 150 };
const sample = fc.constantFrom(...Object.values(SAMPLES), ...Object.values(SAMPLES).map(stamped));

describe('the parsers', () => {
  it('read arbitrary bytes', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
      const result = parseBytes('job.log', bytes);
      expect(result.bytes).toBe(bytes.length);
      packetsOf('job.log', result);
    });
    fc.assert(property, RUNS);
  });

  it('read truncated samples', () => {
    const property = fc.property(sample, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
      packetsOf('job.log', parseText(text.slice(0, Math.floor(text.length * share))));
    });
    fc.assert(property, RUNS);
  });

  it('read samples with lines lost, doubled, swapped or broken', () => {
    const edit = fc.record({
      at: fc.nat(),
      with: fc.oneof(fc.constantFrom('', 'FAIL x', '  ● a › b', '---', '...'), fc.string()),
    });
    const property = fc.property(sample, fc.array(edit, { maxLength: 8 }), (text, edits) => {
      const lines = text.split('\n');
      for (const { at, with: line } of edits) lines[at % lines.length] = line;
      const result = parseText(lines.join('\n'));
      expect(parseText(lines.join('\n'))).toEqual(result);
      for (const finding of result.findings) {
        expect(finding.range.start_byte).toBeLessThanOrEqual(finding.range.end_byte);
        expect(finding.range.end_byte).toBeLessThanOrEqual(result.bytes);
      }
    });
    fc.assert(property, RUNS);
  });

  it('read several samples one after the other as the sum of them', () => {
    const names = ['JEST', 'VITEST', 'MOCHA', 'NODE_SPEC', 'TSC', 'ESLINT', 'PRETTIER'];
    const all = parseText(names.map((name) => SAMPLES[name]).join('\n'));
    const each = names.map((name) => parseText(SAMPLES[name] ?? '').findings.length);
    expect(all.findings.length).toBe(each.reduce((sum, count) => sum + count, 0));
  });

  it.each([
    ['one endless line', 'x'.repeat(2_000_000)],
    ['endless white space', `FAIL a.js\n${' '.repeat(500_000)}`],
    ['endless frames', `FAIL a.js\n  ● a › b\n\n    Error: x\n${'      at f (a.js:1:1)\n'.repeat(50_000)}`],
    ['endless bullets', `FAIL a.js\n${'  ● a › b\n\n    Error: x\n\n'.repeat(12_000)}`],
    ['endless points', Array.from({ length: 12_000 }, (_, row) => `not ok ${row} - t${row}`).join('\n')],
    ['endless brackets', `FAIL a.js\n  ● a › b\n\n    ${'('.repeat(60_000)}\n`],
    [
      'endless nesting',
      Array.from({ length: 2000 }, (_, row) => `${' '.repeat(row % 80)}# Subtest: ${row}`).join('\n'),
    ],
  ])('end on %s', (_, text) => {
    const result = parseText(text);
    expect(result.findings.length).toBeLessThanOrEqual(10_000);
  });
});
