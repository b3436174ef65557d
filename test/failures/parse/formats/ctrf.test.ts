import { describe, expect, it } from '@jest/globals';
import { only, read } from './read.ts';

function report(...tests: readonly object[]): string {
  return JSON.stringify({ results: { tool: { name: 'vitest' }, summary: { tests: tests.length }, tests } });
}

describe('a CTRF report', () => {
  it('gives each failed test with what its trace says', () => {
    const text = report(
      { name: 'ok', status: 'passed', duration: 1 },
      {
        name: 'adds up',
        status: 'failed',
        duration: 1,
        suite: ['cart', 'total'],
        filePath: 'test/cart.test.ts',
        line: 3,
        retries: 1,
        message: 'AssertionError: expected 4 to equal 3',
        trace: 'AssertionError: expected 4 to equal 3\n    at /w/shop/test/cart.test.ts:7:11',
      },
    );
    expect(only(text, 'ctrf.json')).toMatchObject({
      runner: 'ctrf',
      test: 'cart > total > adds up',
      test_file: 'test/cart.test.ts',
      failure_class: 'test_assertion',
      expected: '3',
      actual: '4',
      location: { line: 7 },
      flaky_signals: ['retried'],
    });
  });

  it('falls back on the line it declares', () => {
    const text = report({ name: 'a', status: 'failed', filePath: 'a.ts', line: 3, message: 'boom' });
    expect(only(text, 'ctrf.json').location).toMatchObject({ file: 'a.ts', line: 3 });
  });

  it('that is cut is damage, not a pass', () => {
    const cut = read(report({ name: 'a', status: 'failed' }).slice(0, -4), 'ctrf.json');
    expect(cut.damage).toHaveLength(1);
    expect(cut.passed_summary).toBe(false);
  });

  it('with a broken test keeps the others', () => {
    const result = read(report({ status: 'failed' }, { name: 'b', status: 'failed', message: 'x' }), 'ctrf.json');
    expect(result.findings).toMatchObject([{ test: 'b' }]);
    expect(result.damage).toHaveLength(1);
  });

  it('says that everything passed', () => {
    expect(read(report({ name: 'a', status: 'passed' }), 'ctrf.json').passed_summary).toBe(true);
  });
});
