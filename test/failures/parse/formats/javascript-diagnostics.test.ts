/** What the formats of JavaScript compilers, linters and formatters read. */
import { describe, expect, it } from '@jest/globals';
import { ESLINT, PRETTIER, parseText, TSC, TSD } from '../samples.ts';

describe('tsc', () => {
  it('reads plain and pretty diagnostics', () => {
    const { findings } = parseText(TSC);
    expect(findings.map((finding) => [finding.symbol, finding.location?.file, finding.location?.line])).toEqual([
      ['TS2322', 'src/index.ts', 12],
      ['TS2307', 'src/other.ts', 3],
    ]);
    expect(findings[0]).toMatchObject({ kind: 'diagnostic', failure_class: 'compile_error', sub_class: 'type_check' });
    expect(findings[0]?.message).toContain('\nType \'"a"\'');
  });

  it('reads them inside the output of a wrapper', () => {
    const { findings } = parseText("web: [types] src/a.ts(4,26): error TS2307: Cannot find module 'x'.\n");
    expect(findings).toHaveLength(1);
    expect(findings[0]?.location).toMatchObject({ file: 'src/a.ts', line: 4, column: 26 });
  });
});

describe('eslint', () => {
  it('reads errors, not warnings, with the file above them', () => {
    const { findings } = parseText(ESLINT);
    expect(findings.map((finding) => [finding.location?.file, finding.location?.line, finding.symbol])).toEqual([
      ['/home/runner/work/app/app/src/a.js', 2, 'no-unused-vars'],
      ['/home/runner/work/app/app/src/b.js', 7, null],
    ]);
    expect(findings[0]?.sub_class).toBe('lint');
  });
});

describe('tsd', () => {
  it('reads its rows', () => {
    const places = parseText(TSD).findings.map((finding) => [finding.location?.file, finding.location?.line]);
    expect(places).toEqual([
      ['typings/index.test-d.ts', 19],
      ['typings/index.test-d.ts', 24],
    ]);
  });
});

describe('prettier', () => {
  it('reads each file above its verdict', () => {
    const { findings } = parseText(PRETTIER);
    expect(findings.map((finding) => finding.location?.file)).toEqual(['src/a.ts', 'docs/read me.md']);
    expect(findings[0]?.sub_class).toBe('format');
  });
});
