import { describe, expect, it } from '@jest/globals';
import { failures, only } from './read.ts';

describe('an error of a C or C++ compiler', () => {
  it('gives the place and folds notes and the include chain', () => {
    const found = only(`In file included from src/main.cpp:1:
src/cart.hpp:5:10: error: 'total' was not declared in this scope
    5 |   return total();
      |          ^~~~~
src/other.hpp:2:6: note: declared here
    2 | void totals();
      |      ^~~~~~
1 error generated.
`);
    expect(found).toMatchObject({
      runner: 'gcc-clang',
      failure_class: 'compile_error',
      location: { file: 'src/cart.hpp', line: 5, column: 10 },
    });
    expect(found.excerpt).toContain('In file included from src/main.cpp');
    expect(found.excerpt).toContain('note: declared here');
  });

  it('reads fatal errors, drive letters and MSVC', () => {
    const found = failures(`C:\\w\\a.c:3:10: fatal error: missing.h: No such file or directory
D:\\w\\b.cpp(12,3): error C2065: 'x': undeclared identifier
`);
    expect(found.map((one) => [one.location?.file, one.location?.line, one.symbol])).toEqual([
      ['C:\\w\\a.c', 3, null],
      ['D:\\w\\b.cpp', 12, 'C2065'],
    ]);
  });

  it('names the warning that was made an error', () => {
    expect(only('a.c:1:5: error: unused variable [-Werror=unused-variable]\n').symbol).toBe('-Werror=unused-variable');
  });

  it('reports one error in two translation units once', () => {
    const line = 'include/a.h:7:1: error: expected unqualified-id\n';
    expect(failures(`x.cpp.o\n${line}y.cpp.o\n${line}`)).toHaveLength(1);
  });

  it('is not an error of another language', () => {
    expect(failures('src/a.py:3: error: Name "x" is not defined  [name-defined]\n')).toEqual([]);
  });
});

describe('an error of a linker', () => {
  it('names the symbol', () => {
    const found = only(
      "/usr/bin/ld: main.o: in function `main':\nmain.cpp:(.text+0x9): undefined reference to `total(int)'\ncollect2: error: ld returned 1 exit status\n",
    );
    expect(found).toMatchObject({ failure_class: 'compile_error', symbol: 'total(int)' });
  });

  it('is reported even when it does not say why', () => {
    expect(only('collect2: error: ld returned 1 exit status\n').failure_class).toBe('compile_error');
  });
});
