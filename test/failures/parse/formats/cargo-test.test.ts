import { describe, expect, it } from '@jest/globals';
import { failures, only, read } from './read.ts';

function libtest(name: string, output: string): string {
  return `running 2 tests
test ${name} ... FAILED
test other ... ok

failures:

---- ${name} stdout ----
${output}

failures:
    ${name}

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass \`--lib\`
`;
}

describe('libtest', () => {
  it('reads the new panic layout', () => {
    const found = only(
      libtest(
        'cart::tests::total',
        "thread 'cart::tests::total' panicked at src/cart.rs:10:9:\nassertion `left == right` failed: sums\n  left: 4\n right: 3\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
      ),
    );
    expect(found).toMatchObject({
      runner: 'cargo-test',
      test: 'cart::tests::total',
      failure_class: 'test_assertion',
      location: { file: 'src/cart.rs', line: 10, column: 9 },
      expected: '3',
      actual: '4',
    });
  });

  it('reads the old panic layout', () => {
    const found = only(
      libtest(
        'total',
        'thread \'total\' panicked at \'assertion failed: `(left == right)`\n  left: `"a"`,\n right: `"b"`\', src/lib.rs:7:5\nnote: run with `RUST_BACKTRACE=1`',
      ),
    );
    expect(found).toMatchObject({ location: { file: 'src/lib.rs', line: 7 }, expected: 'b', actual: 'a' });
  });

  it('goes down the backtrace to the own code', () => {
    const found = only(
      libtest(
        'io',
        `thread 'io' panicked at /home/u/.cargo/registry/src/index.crates.io-1/dep-1.0.0/src/lib.rs:5:1:
called \`Result::unwrap()\` on an \`Err\` value: NotFound
stack backtrace:
   0: rust_begin_unwind
             at /rustc/abc/library/std/src/panicking.rs:1:5
   1: dep::read
             at /home/u/.cargo/registry/src/index.crates.io-1/dep-1.0.0/src/lib.rs:5:1
   2: shop::io
             at ./tests/io.rs:12:5`,
      ),
    );
    expect(found).toMatchObject({ failure_class: 'runtime_error', location: { file: 'tests/io.rs', line: 12 } });
  });

  it('reads a doc test that does not compile', () => {
    const found = only(
      libtest(
        'src/lib.rs - total (line 12)',
        "error[E0425]: cannot find function `totl` in this scope\n --> src/lib.rs:13:1\n  |\n3 | totl();\n  | ^^^^\n\nerror: aborting due to 1 previous error\n\nCouldn't compile the test.",
      ),
    );
    expect(found).toMatchObject({
      kind: 'test',
      failure_class: 'compile_error',
      location: { file: 'src/lib.rs', line: 12 },
    });
  });

  it('takes compiler errors in a test for its output', () => {
    const found = failures(
      libtest(
        'ui',
        "EXPECTED:\nerror[E0308]: mismatched types\n --> tests/ui/a.rs:3:5\n\nthread 'ui' panicked at tests/ui.rs:4:5:\n1 of 3 tests failed",
      ),
    );
    expect(found.map((one) => one.runner)).toEqual(['cargo-test']);
  });

  it('knows a test of which nothing but the name is printed', () => {
    expect(only('test a::b ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n')).toMatchObject({
      test: 'a::b',
    });
  });

  it('says that everything passed', () => {
    expect(read('test a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n').passed_summary).toBe(true);
  });
});

describe('nextest', () => {
  const output = `        FAIL [   0.006s] (1/2) shop::cart total
  stdout ───

    running 1 test
    test total ... FAILED

    test result: FAILED. 0 passed; 1 failed; 0 ignored

  stderr ───
    thread 'total' (77) panicked at tests/cart.rs:8:5:
    assertion \`left == right\` failed
      left: 1
     right: 2

  Cancelling due to test failure
────────────
     Summary [   0.010s] 2 tests run: 1 passed, 1 failed, 0 skipped
        FAIL [   0.006s] (1/2) shop::cart total
error: test run failed
`;

  it('counts a test once, with its output', () => {
    expect(only(output)).toMatchObject({
      runner: 'cargo-nextest',
      test: 'shop::cart total',
      expected: '2',
      actual: '1',
      location: { file: 'tests/cart.rs', line: 8 },
    });
  });

  it('forgets a failure that passed when tried again', () => {
    const flaky = `  TRY 1 FAIL [   0.006s] shop::cart total
  TRY 2 PASS [   0.006s] shop::cart total
────────────
     Summary [   0.010s] 1 test run: 1 passed (1 flaky), 0 skipped
   FLAKY 2/3 [   0.006s] shop::cart total
`;
    expect(failures(flaky)).toEqual([]);
  });

  it('takes a time-out for a runtime error', () => {
    expect(only('     TIMEOUT [  60.006s] shop::cart slow\n────────────\n')).toMatchObject({
      failure_class: 'runtime_error',
      sub_class: 'timeout',
    });
  });
});

describe('a process that died', () => {
  it('is a crash', () => {
    expect(
      only(
        "error: test failed, to rerun pass `--lib`\n\nCaused by:\n  process didn't exit successfully: `/w/target/debug/deps/a-1` (signal: 11, SIGSEGV: invalid memory reference)\n",
      ),
    ).toMatchObject({
      failure_class: 'runtime_error',
      sub_class: 'crash',
      symbol: 'SIGSEGV',
    });
  });
});
