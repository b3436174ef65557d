import { describe, expect, it } from '@jest/globals';
import { failures, only } from './read.ts';

const IMPORT = `Traceback (most recent call last):
  File "/w/proj/manage.py", line 4, in <module>
    from shop import cart
  File "/w/proj/shop/cart.py", line 2, in <module>
    from .money import Euro
ImportError: cannot import name 'Euro' from 'shop.money'
`;

describe('a traceback that ends a run', () => {
  it('is a diagnostic at the innermost own frame', () => {
    expect(only(IMPORT)).toMatchObject({
      kind: 'diagnostic',
      runner: 'python',
      failure_class: 'runtime_error',
      symbol: 'ImportError',
      location: { file: '/w/proj/shop/cart.py', line: 2 },
    });
  });

  it('of a syntax error gives its place and class', () => {
    const found = only(
      'Traceback (most recent call last):\n  File "/w/a.py", line 1, in <module>\n    import b\n  File "/w/b.py", line 3\n    >>>>>>> theirs\n    ^^\nSyntaxError: invalid syntax\n',
    );
    expect(found).toMatchObject({
      failure_class: 'compile_error',
      sub_class: 'syntax',
      location: { file: '/w/b.py', line: 3 },
    });
  });

  it('that only wraps another one does not hide it', () => {
    const wrapper =
      'Traceback (most recent call last):\n  File "/w/run.py", line 9, in <module>\n    run()\nsubprocess.CalledProcessError: Command returned non-zero exit status 1.\n';
    expect(only(`${IMPORT}\n${wrapper}`).message).toContain('cannot import name');
  });

  it('keeps a line that a problem matcher marked as an error', () => {
    const matched = IMPORT.replace('    from .money import Euro', '##[error]    from .money import Euro');
    expect(only(matched).message).toContain('cannot import name');
  });

  it('that was only logged long before the end of a good run is none', () => {
    expect(failures(`${IMPORT}${'working\n'.repeat(300)}`)).toEqual([]);
  });

  it('that Python ignores is none', () => {
    expect(failures(`Exception ignored in: <function f at 0x7f>\n${IMPORT}`)).toEqual([]);
  });
});

describe('a dying interpreter', () => {
  const dump = `tests/test_a.py ..Fatal Python error: Segmentation fault

Current thread 0x00007f (most recent call first):
  File "/w/build/lib/python3.12/site-packages/shop/native.py", line 5 in call
  File "/w/build/lib/python3.12/site-packages/shop/tests/test_a.py", line 9 in test_native
  File "/opt/python/lib/python3.12/site-packages/_pytest/python.py", line 166 in pytest_pyfunc_call
  File "/opt/python/lib/python3.12/site-packages/pytest/__main__.py", line 9 in <module>

Extension modules: shop._native (total: 1)
`;

  it('is the failure of the test on the stack', () => {
    expect(only(dump)).toMatchObject({
      kind: 'test',
      runner: 'pytest',
      test: 'shop/tests/test_a.py::test_native',
      failure_class: 'runtime_error',
      sub_class: 'crash',
      location: { file: 'shop/tests/test_a.py', line: 9 },
    });
  });
});
