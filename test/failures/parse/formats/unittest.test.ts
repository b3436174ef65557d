import { describe, expect, it } from '@jest/globals';
import { failures, only, read } from './read.ts';

const DOUBLE = '='.repeat(70);
const SINGLE = '-'.repeat(70);

function block(title: string, body: string): string {
  return `${DOUBLE}\n${title}\n${SINGLE}\n${body}\n\n`;
}

function run(blocks: string, last: string): string {
  return `F.\n${blocks}${SINGLE}\nRan 2 tests in 0.001s\n\n${last}\n`;
}

describe('a failing test', () => {
  const body = `Traceback (most recent call last):
  File "/w/proj/tests/test_cart.py", line 9, in test_total
    self.assertEqual(total([1, 2]), 3)
AssertionError: 4 != 3`;

  it('gives the name as printed, the place and the values', () => {
    const found = only(
      run(block('FAIL: test_total (tests.test_cart.CartTest.test_total)', body), 'FAILED (failures=1)'),
    );
    expect(found).toMatchObject({
      runner: 'unittest',
      test: 'test_total (tests.test_cart.CartTest.test_total)',
      failure_class: 'test_assertion',
      location: { file: '/w/proj/tests/test_cart.py', line: 9 },
      expected: '3',
      actual: '4',
    });
  });

  it('takes the first argument as expected where the source names it so', () => {
    const named = body.replace('total([1, 2]), 3', 'expected_total, total([1, 2])').replace('4 != 3', '3 != 4');
    const found = only(run(block('FAIL: test_total (t.T)', named), 'FAILED (failures=1)'));
    expect(found).toMatchObject({ expected: '3', actual: '4' });
  });

  it('keeps operators inside of strings', () => {
    const tricky = body.replace('4 != 3', "'a != b' != 'c'");
    expect(only(run(block('FAIL: t (m.T)', tricky), 'FAILED (failures=1)'))).toMatchObject({
      actual: 'a != b',
      expected: 'c',
    });
  });

  it('counts each sub-test', () => {
    const blocks = block('FAIL: test_even (m.T) (i=1)', body) + block('FAIL: test_even (m.T) (i=3)', body);
    expect(failures(run(blocks, 'FAILED (failures=2)')).map((one) => one.test)).toEqual([
      'test_even (m.T) (i=1)',
      'test_even (m.T) (i=3)',
    ]);
  });

  it('reads windows paths', () => {
    const windows = body.replace('/w/proj/tests/test_cart.py', 'D:\\a\\proj\\tests\\test_cart.py');
    expect(only(run(block('FAIL: t (m.T)', windows), 'FAILED (failures=1)')).location).toMatchObject({
      file: 'D:\\a\\proj\\tests\\test_cart.py',
      line: 9,
    });
  });

  it('leaves the output that nose captured out', () => {
    const captured = `${body}\n-------------------- >> begin captured logging << --------------------\nx: ERROR: AssertionError: 1 != 2\n--------------------- >> end captured logging << ---------------------`;
    const found = only(run(block('FAIL: test_cart.test_total', captured), 'FAILED (failures=1)'));
    expect(found.excerpt).not.toContain('ERROR');
  });
});

describe('an error', () => {
  it('is a runtime error at the innermost own frame', () => {
    const body = `Traceback (most recent call last):
  File "/w/proj/tests/test_a.py", line 3, in test_a
    load()
  File "/w/proj/shop/io.py", line 7, in load
    raise ValueError("no")
ValueError: no`;
    expect(only(run(block('ERROR: test_a (tests.test_a.A)', body), 'FAILED (errors=1)'))).toMatchObject({
      failure_class: 'runtime_error',
      symbol: 'ValueError',
      location: { file: '/w/proj/shop/io.py', line: 7 },
    });
  });

  it('reads the last exception of a chain', () => {
    const body = `Traceback (most recent call last):
  File "/w/a.py", line 1, in f
    x()
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/w/b.py", line 2, in g
    y()
TypeError: y`;
    expect(only(run(block('ERROR: test_a (m.A)', body), 'FAILED (errors=1)'))).toMatchObject({
      symbol: 'TypeError',
      location: { file: '/w/b.py', line: 2 },
    });
  });

  it('counts a module that cannot be loaded', () => {
    const body = `ImportError: Failed to import test module: test_x
Traceback (most recent call last):
  File "/usr/lib/python3.12/unittest/loader.py", line 396, in _find_test_path
    module = self._get_module_from_name(name)
  File "/w/tests/test_x.py", line 2, in <module>
    import nothing
ModuleNotFoundError: No module named 'nothing'`;
    expect(
      only(run(block('ERROR: test_x (unittest.loader._FailedTest.test_x)', body), 'FAILED (errors=1)')),
    ).toMatchObject({
      failure_class: 'runtime_error',
      sub_class: 'missing_module',
      location: { file: '/w/tests/test_x.py', line: 2 },
    });
  });
});

describe('what is no failure', () => {
  it('does not take an ERROR: line of another tool for one', () => {
    expect(failures("ERROR: pip's dependency resolver does not take everything into account\n")).toEqual([]);
  });

  it('says that everything passed', () => {
    expect(read(run('', 'OK')).findings).toEqual([]);
  });
});
