/** The fast path may let harmless lines through, but never passes over a line that a format would open on. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requiredLiterals } from '../../../src/failures/parse/literals.ts';
import { LINE_FORMATS } from '../../../src/failures/parse/registry.ts';
import { planLineScan } from '../../../src/failures/parse/scan.ts';
import { undress } from '../../../src/failures/parse/undress.ts';
import { SAMPLES, stamped } from './samples.ts';

function literalsOf(pattern: RegExp): string[] | null {
  return requiredLiterals(pattern)?.map(({ text, anchored }) => (anchored ? `^${text}` : text)) ?? null;
}

describe('required literals', () => {
  it.each<[RegExp, string[] | null]>([
    [/error TS\d+/, ['error TS']],
    [/^FAIL \S|^ {0,4}● /, ['^FAIL ', '^● ']],
    [/^\s*(?:not )?ok \d/, ['^ok ', '^not ok ']],
    [/(?:^|\s)FAILED\b/, ['FAILED']],
    [/a?bc+d*ef/, ['bc']],
    [/[ab]xy/, ['axy', 'bxy']],
    [/={60,}$/, ['============']],
    [/x(?=yz)foo/, ['xfoo']],
    [/\u2718 done/, ['✘ done']],
    [/.*/, null],
    [/foo|\d+/, null],
  ])('of %s', (pattern, wanted) => {
    expect(literalsOf(pattern)).toEqual(wanted);
  });

  it.each(LINE_FORMATS.map((format) => [format.id, format] as const))('exist for %s', (_, format) => {
    expect(requiredLiterals(format.opens)).not.toBeNull();
  });
});

describe('the prefilter', () => {
  const { prefilter } = planLineScan(LINE_FORMATS);
  const isCandidate = (line: string) => {
    const bytes = Buffer.from(line);
    const skip = { at: 0, lines: 0, owners: [] };
    prefilter?.skip(bytes, 0, bytes.length, skip);
    return skip.at < bytes.length;
  };
  const opens = (line: string) => LINE_FORMATS.some((format) => format.opens.test(undress(line).text));
  const lines = Object.values(SAMPLES).flatMap((text) => [...text.split('\n'), ...stamped(text).split('\n')]);

  it('lets through each line of the samples that a format opens on', () => {
    const lost = lines.filter((line) => opens(line) && !isCandidate(line));
    expect(lost).toEqual([]);
  });

  it('does so with colours and prefixes anywhere', () => {
    const dressing = fc.constantFrom('\x1b[1m', '\x1b[0;31m', '^[[0m', '\x1b[K', '');
    const prefix = fc.constantFrom('', 'web-1  | ', '#12 3.456 ', 'pkg:test: ', '##[error]', '  ', '\ufeff', 'x\r');
    const property = fc.property(fc.constantFrom(...lines), fc.nat(), dressing, prefix, (line, at, colour, before) => {
      const cut = line.length === 0 ? 0 : at % line.length;
      const dressed = before + line.slice(0, cut) + colour + line.slice(cut);
      return !opens(dressed) || isCandidate(dressed);
    });
    fc.assert(property, { seed: 7, numRuns: 3000 });
  });
});
