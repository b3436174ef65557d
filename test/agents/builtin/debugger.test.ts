import { describe, expect, it } from '@jest/globals';
import { CASES as ALL, type LabelledCase } from './cases.ts';
import { type Judged, judgeProject } from './stand-in.ts';

/** Verdicts that are missed (`unknown` where a person would decide) may be at most this share. Wrong ones: none. */
const MAX_MISSED = 0.05;
const AT_ONCE = 3;

/** Each case starts real processes: a spread of them is run by default, every one with `INQUEST_ALL_CASES=1`. */
const CASES = process.env.INQUEST_ALL_CASES
  ? ALL
  : ALL.filter((each, index) => index % 4 === 1 || each.project.everyAttempt);

async function judgeAll(cases: readonly LabelledCase[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (let at = 0; at < cases.length; at += AT_ONCE) {
    judged.push(...(await Promise.all(cases.slice(at, at + AT_ONCE).map((each) => judgeProject(each.project)))));
  }
  return judged;
}

describe('The builtin debugger is never wrong', () => {
  let judged: readonly Judged[] = [];

  it('judges every labelled case, one claim each', async () => {
    judged = await judgeAll(CASES);
    expect(CASES.filter((_, index) => judged[index]?.claims.length !== 1).map((each) => each.name)).toEqual([]);
  }, 300_000);

  it('gives no verdict that differs from the label', () => {
    const wrong = CASES.flatMap((each, index) => {
      const cause = judged[index]?.claims[0]?.cause;
      return cause === each.label || cause === 'unknown' ? [] : [`${each.name}: ${cause}`];
    });
    expect(wrong).toEqual([]);
  });

  it('misses few', () => {
    const missed = CASES.filter((each, index) => judged[index]?.claims[0]?.cause !== each.label).map(
      (each) => each.name,
    );
    expect({ missed, few: missed.length <= CASES.length * MAX_MISSED }).toEqual({ missed, few: true });
  });

  it('makes no claim that the check refuses', () => {
    const refused = judged.flatMap(({ checked }) =>
      checked.flatMap(({ test, refusals }) => refusals.map((reason) => `${test}: ${reason}`)),
    );
    expect(refused).toEqual([]);
  });

  it('says what was missing for every unknown', () => {
    const silent = CASES.flatMap((each, index) => {
      const claim = judged[index]?.claims[0];
      if (claim?.cause !== 'unknown') return [];
      const fits = claim.missing.some((reason) => each.missing?.test(reason) ?? reason !== '');
      return fits ? [] : [`${each.name}: ${claim.missing.join('; ')}`];
    });
    expect(silent).toEqual([]);
  });
});

describe('Which files are tests, the configuration says', () => {
  const total = (body: string) => `export function total(xs) {\n  return ${body};\n}\n`;
  const check = (demand: number) =>
    `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { total } from '../src/unit.js';\ntest('adds', () => {\n  assert.equal(total([1, 2]), ${demand});\n});\n`;
  const judged = (code: string, demand: number) =>
    judgeProject({
      runner: 'node-spec',
      files: { 'package.json': '{"type":"module"}', 'src/unit.js': code, 'checks/adds.js': check(demand) },
      spec: '- `total([1, 2])` → `3`\n',
      tests: { file: 'checks/adds.js', globs: ['checks/**'] },
    });

  it('a wrong test in a folder of its own name is blamed', async () => {
    const { checked } = await judged(total('xs.reduce((sum, x) => sum + x, 0)'), 2);
    expect(checked).toMatchObject([{ cause: 'test', refusals: [] }]);
  }, 60_000);

  it('and so is wrong code', async () => {
    const { checked } = await judged(total('xs.length'), 3);
    expect(checked).toMatchObject([{ cause: 'code', refusals: [] }]);
  }, 60_000);

  it('a test file there defines nothing of the program', async () => {
    const code = 'export function total(xs) { return xs.length; }\n';
    const { checked } = await judgeProject({
      runner: 'node-spec',
      files: {
        'package.json': '{"type":"module"}',
        'src/unit.js': code,
        'checks/adds.js': check(3),
        'checks/model.js': code,
      },
      spec: '- `total([1, 2])` → `3`\n',
      tests: { file: 'checks/adds.js', globs: ['checks/**'] },
    });
    expect(checked).toMatchObject([{ cause: 'code', refusals: [] }]);
  }, 60_000);
});
