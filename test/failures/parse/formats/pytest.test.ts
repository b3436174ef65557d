import { describe, expect, it } from '@jest/globals';
import { failures, only, read } from './read.ts';

const START = '============================= test session starts ==============================\n';

describe('a long traceback', () => {
  const report = `${START}=================================== FAILURES ===================================
___________________________ TestCart.test_total ____________________________

self = <tests.test_cart.TestCart object at 0x7f00>

    def test_total(self):
>       assert total([1, 2]) == 3
E       assert 4 == 3
E        +  where 4 = total([1, 2])

tests/test_cart.py:12: AssertionError
----------------------------- Captured stdout call -----------------------------
tests/other.py:99: AssertionError
E       assert 1 == 99
=========================== short test summary info ============================
FAILED tests/test_cart.py::TestCart::test_total - assert 4 == 3
========================= 1 failed, 3 passed in 0.12s =========================
`;

  it('gives the node id, the place, and the sides of the comparison', () => {
    expect(only(report)).toMatchObject({
      runner: 'pytest',
      test: 'tests/test_cart.py::TestCart::test_total',
      test_file: 'tests/test_cart.py',
      failure_class: 'test_assertion',
      location: { file: 'tests/test_cart.py', line: 12 },
      expected: '3',
      actual: '4',
      symbol: 'AssertionError',
    });
  });

  it('does not read the captured output', () => {
    expect(only(report).excerpt).not.toContain('99');
  });

  it('invents the node id from the outermost frame when no summary follows', () => {
    const cut = report.slice(0, report.indexOf('=========================== short'));
    expect(only(cut).test).toBe('tests/test_cart.py::TestCart::test_total');
  });

  it('takes the innermost own frame, and all frames innermost first', () => {
    const found = only(`${START}=================================== FAILURES ===================================
________________________________ test_save _________________________________

    def test_save():
>       save({})

tests/test_store.py:5: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 

row = {}

    def save(row):
>       return row["id"]
E       KeyError: 'id'

shop/store.py:9: KeyError
============================== 1 failed in 0.01s ===============================
`);
    expect(found).toMatchObject({
      failure_class: 'runtime_error',
      symbol: 'KeyError',
      location: { file: 'shop/store.py', line: 9 },
    });
    expect(found.stack.map((frame) => frame.line)).toEqual([9, 5]);
  });

  it('swaps the sides when the source names the left one as expected', () => {
    const found = only(`${START}=================================== FAILURES ===================================
________________________________ test_size _________________________________

    def test_size():
>       assert expected == size()
E       assert 5 == 6

test_size.py:3: AssertionError
=============================== 1 failed in 0.1s ===============================
`);
    expect(found).toMatchObject({ expected: '5', actual: '6' });
  });
});

describe('the class of an exception', () => {
  const report = (
    source: string,
    error: string,
    last: string,
  ): string => `${START}=================================== FAILURES ===================================
__________________________________ test_a __________________________________

>       ${source}
E       ${error}

t.py:5: ${last}
=============================== 1 failed in 0.1s ===============================
`;

  it.each([
    ['with raises(X): f()', "Failed: DID NOT RAISE <class 'X'>", 'Failed', 'test_assertion'],
    [
      'Cart(x=1)',
      'pydantic_core._pydantic_core.ValidationError: 1 validation error for Cart',
      'ValidationError',
      'schema_error',
    ],
    ['f()', 'shop.errors.CartFull: no room', 'CartFull', 'runtime_error'],
  ])('%s', (source, error, last, failureClass) => {
    expect(only(report(source, error, last)).failure_class).toBe(failureClass);
  });

  it('leaves an approximation on the expected side', () => {
    const found = only(report('assert 0.3 == pytest.approx(total)', 'assert 0.3 == 0.1 ± 1.0e-07', 'AssertionError'));
    expect(found).toMatchObject({ actual: '0.3', expected: '0.1 ± 1.0e-07' });
  });
});

describe('other traceback styles', () => {
  it('reads the short style', () => {
    const found = only(`${START}=================================== FAILURES ===================================
__________________________________ test_a __________________________________
tests/test_a.py:4: in test_a
    assert add(1, 1) == 3
E   assert 2 == 3
E    +  where 2 = add(1, 1)
=========================== short test summary info ============================
FAILED tests/test_a.py::test_a - assert 2 == 3
=============================== 1 failed in 0.1s ===============================
`);
    expect(found).toMatchObject({ test: 'tests/test_a.py::test_a', expected: '3', actual: '2', location: { line: 4 } });
  });

  it('reads the line style', () => {
    const found = only(`${START}=================================== FAILURES ===================================
/w/proj/tests/test_a.py:4: AssertionError: assert 2 == 3
=========================== short test summary info ============================
FAILED tests/test_a.py::test_a - assert 2 == 3
=============================== 1 failed in 0.1s ===============================
`);
    expect(found).toMatchObject({ test: 'tests/test_a.py::test_a', expected: '3', actual: '2', location: { line: 4 } });
  });

  it('reads the native style', () => {
    const found = only(`${START}=================================== FAILURES ===================================
__________________________________ test_a __________________________________
Traceback (most recent call last):
  File "/w/proj/tests/test_a.py", line 4, in test_a
    assert_equal(add(1, 1), 3)
  File "/usr/lib/python3.12/unittest/case.py", line 885, in assertEqual
    assertion_func(first, second, msg=msg)
AssertionError: 2 != 3
=========================== short test summary info ============================
FAILED tests/test_a.py::test_a - AssertionError: 2 != 3
=============================== 1 failed in 0.1s ===============================
`);
    expect(found).toMatchObject({
      failure_class: 'test_assertion',
      expected: '3',
      actual: '2',
      location: { file: '/w/proj/tests/test_a.py', line: 4 },
    });
  });

  it('reads a run without tracebacks from its summary', () => {
    const found = failures(
      `FAILED tests/test_a.py::test_b[x - y: 1] - ValueError: bad - value
`.replace(/^/, '=========================== short test summary info ============================\n'),
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      test: 'tests/test_a.py::test_b[x - y: 1]',
      message: 'ValueError: bad - value',
      failure_class: 'runtime_error',
    });
  });
});

describe('errors that are not failures of a test', () => {
  it('takes the place of a syntax error at collection from its E lines', () => {
    const found = only(`${START}==================================== ERRORS ====================================
____________________ ERROR collecting tests/test_x.py _____________________
tests/test_x.py:1: in <module>
    from shop import cart
E     File "/w/proj/shop/cart.py", line 74
E       def total(:
E                 ^
E   SyntaxError: invalid syntax
=========================== short test summary info ============================
ERROR tests/test_x.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
=============================== 1 error in 0.20s ===============================
`);
    expect(found).toMatchObject({
      test: 'tests/test_x.py',
      failure_class: 'compile_error',
      sub_class: 'syntax',
      location: { file: '/w/proj/shop/cart.py', line: 74 },
    });
  });

  it('reads a missing module at collection', () => {
    const found = only(`${START}==================================== ERRORS ====================================
____________________ ERROR collecting tests/test_x.py _____________________
ImportError while importing test module '/w/proj/tests/test_x.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
/usr/lib/python3.12/importlib/__init__.py:90: in import_module
    return _bootstrap._gcd_import(name[level:], package, level)
tests/test_x.py:3: in <module>
    import requests
E   ModuleNotFoundError: No module named 'requests'
=============================== 1 error in 0.20s ===============================
`);
    expect(found).toMatchObject({
      test: 'tests/test_x.py',
      failure_class: 'runtime_error',
      sub_class: 'missing_module',
      location: { line: 3 },
    });
  });

  it('names the test whose set-up failed', () => {
    const found = only(`${START}==================================== ERRORS ====================================
_____________________ ERROR at setup of test_needs_db ______________________

    @pytest.fixture
    def db():
>       raise ConnectionError("refused")
E       ConnectionError: refused

tests/conftest.py:8: ConnectionError
=========================== short test summary info ============================
ERROR tests/test_db.py::test_needs_db - ConnectionError: refused
=============================== 1 error in 0.02s ===============================
`);
    expect(found).toMatchObject({
      test: 'tests/test_db.py::test_needs_db',
      failure_class: 'runtime_error',
      location: { file: 'tests/conftest.py', line: 8 },
    });
  });

  it('reports an internal error', () => {
    const found = only(`${START}INTERNALERROR> Traceback (most recent call last):
INTERNALERROR>   File "/w/proj/conftest.py", line 3, in pytest_configure
INTERNALERROR>     boom()
INTERNALERROR> RuntimeError: plugin broke
`);
    expect(found).toMatchObject({
      kind: 'diagnostic',
      runner: 'pytest',
      failure_class: 'runtime_error',
      location: { file: '/w/proj/conftest.py', line: 3 },
    });
  });
});

describe('a session that does not start', () => {
  it('because its conftest does not load', () => {
    const found = only(`ImportError while loading conftest '/w/proj/tests/conftest.py'.
tests/conftest.py:2: in <module>
    import nothing
E   ModuleNotFoundError: No module named 'nothing'
##[error]Process completed with exit code 4.
`);
    expect(found).toMatchObject({
      failure_class: 'runtime_error',
      sub_class: 'missing_module',
      location: { file: 'tests/conftest.py', line: 2 },
    });
  });

  it('because it is called wrongly', () => {
    expect(only('ERROR: file or directory not found: tests/none.py\n').failure_class).toBe('tool_contract_error');
    expect(only('pytest: error: unrecognized arguments: --fast\n').failure_class).toBe('tool_contract_error');
  });
});

describe('plugins', () => {
  it('counts sub-tests by their summary rows', () => {
    const found = failures(`=========================== short test summary info ============================
SUBFAIL tests/test_s.py::test_even - assert 1 == 0
FAILED tests/test_s.py::test_odd - assert 2 == 1
============================== 2 failed in 0.01s ===============================
`);
    expect(found.map((one) => one.test)).toEqual(['tests/test_s.py::test_even', 'tests/test_s.py::test_odd']);
  });

  it('notes retries by rerunfailures under xdist', () => {
    const found = only(`${START}[gw1] [ 50%] RERUN tests/test_n.py::test_net[a b] 
[gw1] [ 50%] RERUN tests/test_n.py::test_net[a b] 
[gw1] [ 50%] FAILED tests/test_n.py::test_net[a b] 

=================================== FAILURES ===================================
______________________________ test_net[a b] _______________________________
[gw1] linux -- Python 3.12.1 /w/.venv/bin/python

>       assert get() == 200
E       assert 502 == 200

tests/test_n.py:6: AssertionError
========================= 1 failed, 2 rerun in 0.12s =========================
`);
    expect(found).toMatchObject({
      test: 'tests/test_n.py::test_net[a b]',
      flaky_signals: ['retried'],
      expected: '200',
      actual: '502',
    });
  });

  it('reads a doctest', () => {
    const found = only(`${START}=================================== FAILURES ===================================
____________________________ [doctest] guide.md _____________________________
003 
004     >>> 1 + 1
Expected:
    3
Got:
    2

/w/proj/docs/guide.md:4: DocTestFailure
=========================== short test summary info ============================
FAILED docs/guide.md::guide.md
=============================== 1 failed in 0.1s ===============================
`);
    expect(found).toMatchObject({
      test: 'docs/guide.md::guide.md',
      failure_class: 'test_assertion',
      expected: '3',
      actual: '2',
      location: { line: 4 },
    });
  });

  it('takes a time-out of pytest-timeout for a runtime error', () => {
    const found = only(`${START}=================================== FAILURES ===================================
________________________________ test_slow _________________________________

>       time.sleep(60)
E       Failed: Timeout >5.0s

tests/test_slow.py:4: Failed
=============================== 1 failed in 5.1s ===============================
`);
    expect(found).toMatchObject({ failure_class: 'runtime_error', sub_class: 'timeout' });
  });

  it('keeps a crashed worker', () => {
    const found = only(`${START}=================================== FAILURES ===================================
___________________________ tests/test_c.py::test_c ____________________________
[gw0] linux -- Python 3.12.1 /w/.venv/bin/python
worker 'gw0' crashed while running 'tests/test_c.py::test_c'
=============================== 1 failed in 5.1s ===============================
`);
    expect(found).toMatchObject({
      test: 'tests/test_c.py::test_c',
      failure_class: 'runtime_error',
      sub_class: 'crash',
    });
  });
});

describe('what is no failure', () => {
  it('says that everything passed', () => {
    const result = read(
      `${START}collected 3 items\n\n============================== 3 passed in 0.10s ===============================\n`,
    );
    expect(result.findings).toEqual([]);
    expect(result.passed_summary).toBe(true);
  });

  it('leaves out the failures of a pytest that a test ran itself', () => {
    const found = failures(`${START}=================================== FAILURES ===================================
________________________________ test_outer ________________________________

>       assert result == 0
E       assert 1 == 0

tests/test_outer.py:6: AssertionError
----------------------------- Captured stdout call -----------------------------
=================================== FAILURES ===================================
________________________________ test_inner ________________________________
>       assert False
E       assert False

test_inner.py:2: AssertionError
=========================== short test summary info ============================
FAILED test_inner.py::test_inner - assert False
============================== 1 failed in 0.01s ===============================
=========================== short test summary info ============================
FAILED tests/test_outer.py::test_outer - assert 1 == 0
============================== 1 failed in 0.90s ===============================
`);
    expect(found.map((one) => one.test)).toContain('tests/test_outer.py::test_outer');
  });
});
