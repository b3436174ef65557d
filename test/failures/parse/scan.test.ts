/** How an input becomes lines, whatever its dressing and however it is cut. */
import { describe, expect, it } from '@jest/globals';
import { Collector } from '../../../src/failures/parse/collect.ts';
import type { LineFormat, LogLine } from '../../../src/failures/parse/format.ts';
import { parseInput } from '../../../src/failures/parse/parse.ts';
import { LineScanner, MAX_LINE_BYTES, planLineScan } from '../../../src/failures/parse/scan.ts';
import { JEST, MOCHA, parseText, SAMPLES, stamped, VITEST } from './samples.ts';

/** Scans with one format that only notes what it is given. */
function seen(text: string, opens: RegExp, options: Partial<LineFormat> & { blockBytes?: number; back?: number } = {}) {
  const lines: LogLine[] = [];
  const before: (LogLine | undefined)[] = [];
  const format: LineFormat = {
    id: 'spy',
    opens,
    ...(options.marks === undefined ? {} : { marks: options.marks }),
    open: (context) => ({
      active: false,
      line: (line) => {
        lines.push(line);
        before.push(context.previous(options.back ?? 1));
      },
      end: () => undefined,
    }),
  };
  const collector = new Collector();
  const scanner = new LineScanner(planLineScan([format]), collector, options.blockBytes);
  scanner.write(Buffer.from(text));
  scanner.end();
  return { lines, before, scanner, damage: collector.result(0, 0).damage };
}

describe('lines', () => {
  it('carry number and byte offsets of the dressed line', () => {
    const text = '\ufeffone\r\nçtwo\nMARK three\nlast';
    const { lines, scanner } = seen(text, /^MARK/);
    const start = Buffer.byteLength('\ufeffone\r\nçtwo\n');
    expect(lines).toEqual([{ text: 'MARK three', number: 3, start, end: start + 10, mark: null }]);
    expect(scanner).toMatchObject({ lines: 4, bytes: Buffer.byteLength(text) });
  });

  it('are found behind every dressing', () => {
    const dressed = [
      'MARK x',
      '   MARK x',
      '\ufeffMARK x',
      '2026-04-22T16:24:46.8301311Z MARK x',
      '2026-04-22T16:24:46Z MARK x',
      'job\tstep one\t2026-04-22T16:24:46.8301311Z MARK x',
      '2026-04-22T16:24:46.8301311Z \x1b[31mMA\x1b[1mRK\x1b[0m x\r',
      '^[[31mMA^[[1mRK^[[0m x',
      'downloading 10%\rdownloading 100%\rMARK x',
      '\x1b[999D\x1b[KMARK x',
      '##[error]MARK x',
      'test_1  | MARK x',
      'web-api-1  | MARK x',
      '#27 12.345 MARK x',
      '@scope/pkg:test: MARK x',
      'packages/core test: MARK x',
      'travis_fold:start:script\r\x1b[0KMARK x',
    ];
    const { lines } = seen(dressed.join('\n'), /^\s*MARK/);
    expect(lines.map((line) => line.text.trim())).toEqual(dressed.map(() => 'MARK x'));
  });

  it('bear the mark of the runner', () => {
    const text = '##[error]a\n##[group]b\n::error file=a.js,line=1::c\n[command]d\nplain';
    const { lines } = seen(text, /^nothing/, { marks: ['error', 'group', 'command'] });
    expect(lines.map((line) => [line.mark, line.text])).toEqual([
      ['error', 'a'],
      ['group', 'b'],
      ['error', '::error file=a.js,line=1::c'],
      ['command', 'd'],
    ]);
  });

  it('without a timestamp continue the error above them', () => {
    const { lines } = seen(`${stamped('##[error]first')}\n  MARK second\n${stamped('MARK third')}`, /MARK/);
    expect(lines.map((line) => line.mark)).toEqual(['error', null]);
  });

  it('longer than the limit are cut, and that is said', () => {
    const text = `MARK ${'x'.repeat(MAX_LINE_BYTES * 3)}\nMARK next\n`;
    for (const blockBytes of [1000, 100_000, undefined]) {
      const { lines, damage } = seen(text, /^MARK/, blockBytes === undefined ? {} : { blockBytes });
      expect(lines.map((line) => [line.number, line.text.length, line.start])).toEqual([
        [1, MAX_LINE_BYTES, 0],
        [2, 9, Buffer.byteLength(text) - 10],
      ]);
      expect(damage).toHaveLength(1);
    }
  });

  it('can be looked back to, at most 200', () => {
    const text = `${Array.from({ length: 300 }, (_, row) => `row ${row + 1}`).join('\n')}\nMARK\n`;
    expect(seen(text, /^MARK/, { back: 1 }).before[0]).toMatchObject({ number: 300, text: 'row 300' });
    expect(seen(text, /^MARK/, { back: 200, blockBytes: 64 }).before[0]).toMatchObject({
      number: 101,
      text: 'row 101',
    });
    expect(seen(text, /^MARK/, { back: 201 }).before[0]).toBeUndefined();
    expect(seen('MARK', /^MARK/, { back: 1 }).before[0]).toBeUndefined();
  });

  it('that are no UTF-8 are read with replacement characters', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x80, 0x0a]), Buffer.from(JEST)]);
    expect((await parseInput('job.log', [bytes])).findings).toHaveLength(1);
  });
});

describe('a reader that throws', () => {
  it('is damage, and stops no other', () => {
    const broken: LineFormat = {
      id: 'broken',
      opens: /^MARK/,
      open: () => ({
        active: false,
        line: () => {
          throw new Error('a defect');
        },
        end: () => undefined,
      }),
    };
    const collector = new Collector();
    const scanner = new LineScanner(planLineScan([broken]), collector);
    scanner.write(Buffer.from('MARK\n'));
    scanner.end();
    expect(collector.result(1, 5).damage[0]?.what).toContain('a defect');
  });
});

describe('the result', () => {
  it('is the same for every cut into chunks', async () => {
    const bytes = Buffer.from(stamped(JEST + VITEST));
    const whole = await parseInput('job.log', [bytes]);
    expect(whole.findings).toHaveLength(2);
    for (let cut = 1; cut < bytes.length; cut += 7) {
      expect(await parseInput('job.log', [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(await parseInput('job.log', single)).toEqual(whole);
  });

  it('does not depend on how much is read at once', () => {
    const text = stamped(MOCHA.repeat(3));
    const all = [128, 1000, 5000].map((blockBytes) => seen(text, /failing|AssertionError/, { blockBytes, back: 3 }));
    for (const one of all) expect([one.lines, one.before]).toEqual([all[0]?.lines, all[0]?.before]);
  });

  it('is the same with carriage returns and with colours', () => {
    const plain = parseText(JEST).findings[0];
    const crlf = parseText(JEST.replaceAll('\n', '\r\n')).findings[0];
    const coloured = parseText(
      JEST.replaceAll('sum', '\x1b[1ms\x1b[22mum').replaceAll('FAIL', '\x1b[7m FAIL \x1b[27m'),
    );
    for (const other of [crlf, coloured.findings[0]]) {
      expect({ ...other, range: null }).toEqual({ ...plain, range: null });
    }
  });

  it.each(Object.keys(SAMPLES))('finds in a stamped log what is in the plain one: %s', (name) => {
    const plain = parseText(SAMPLES[name] ?? '').findings;
    const dressed = parseText(stamped(SAMPLES[name] ?? '')).findings;
    expect(dressed.map(({ range: _, ...rest }) => rest)).toEqual(plain.map(({ range: _, ...rest }) => rest));
    expect(plain.length).toBeGreaterThan(0);
  });
});
