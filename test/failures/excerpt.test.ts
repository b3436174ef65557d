/** Excerpts keep to their budget and to whole characters. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { truncateBytes } from '../../src/failures/excerpt.ts';

const size = (text: string) => Buffer.byteLength(text, 'utf8');

describe('truncation', () => {
  it('leaves what fits', () => {
    expect(truncateBytes('höhe', 5)).toBe('höhe');
  });

  it('says how many bytes it dropped', () => {
    const cut = truncateBytes('a'.repeat(200), 100);
    const [kept, dropped] = [cut.indexOf('…'), Number(/\[(\d+) bytes dropped\]$/.exec(cut)?.[1])];
    expect(kept + dropped).toBe(200);
  });

  it('never exceeds the budget nor breaks a character', () => {
    const property = fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.integer({ min: 40, max: 400 }),
      (text, budget) => {
        const cut = truncateBytes(text, budget);
        expect(size(cut)).toBeLessThanOrEqual(budget);
        expect(Buffer.from(cut, 'utf8').toString('utf8')).toBe(cut);
        expect(truncateBytes(cut, budget)).toBe(cut);
      },
    );
    fc.assert(property, { seed: 3, numRuns: 500 });
  });
});
