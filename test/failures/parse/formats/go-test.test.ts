import { describe, expect, it } from '@jest/globals';
import { failures, only, read } from './read.ts';

describe('a failing test', () => {
  it('is read without -v', () => {
    const found = only(`--- FAIL: TestTotal (0.00s)
    cart_test.go:14: Total() = 4, want 3
FAIL
FAIL	example.com/shop/cart	0.004s
FAIL
`);
    expect(found).toMatchObject({
      runner: 'go-test',
      test: 'TestTotal',
      test_file: 'example.com/shop/cart',
      failure_class: 'test_assertion',
      location: { file: 'cart_test.go', line: 14 },
      expected: '3',
      actual: '4',
    });
  });

  it('is read with -v, where its messages come before its result', () => {
    const found = only(`=== RUN   TestFine
    cart_test.go:9: a log
--- PASS: TestFine (0.00s)
=== RUN   TestTotal
    cart_test.go:13: loading
    cart_test.go:14: got 4, want 3
--- FAIL: TestTotal (0.01s)
FAIL
FAIL	example.com/shop/cart	0.004s
`);
    expect(found).toMatchObject({ test: 'TestTotal', location: { line: 14 }, expected: '3', actual: '4' });
  });

  it('counts leaves, not their parents', () => {
    const found = failures(`--- FAIL: TestAll (0.00s)
    --- FAIL: TestAll/first_case (0.00s)
        a_test.go:5: expected 1, got 2
    --- PASS: TestAll/second (0.00s)
    --- FAIL: TestAll/third (0.00s)
        a_test.go:5: expected 1, got 3
FAIL
FAIL	example.com/a	0.1s
`);
    expect(found.map((one) => one.test)).toEqual(['TestAll/first_case', 'TestAll/third']);
    expect(found[1]).toMatchObject({ expected: '1', actual: '3' });
  });

  it('reads testify', () => {
    const found = only(`--- FAIL: TestSum (0.00s)
    sum_test.go:11: 
        	Error Trace:	/w/proj/sum/sum_test.go:11
        	            	/w/proj/sum/sum_test.go:20
        	Error:      	Not equal: 
        	            	expected: 3
        	            	actual  : 4
        	Test:       	TestSum
        	Messages:   	sums add up
FAIL
FAIL	example.com/sum	0.1s
`);
    expect(found).toMatchObject({
      expected: '3',
      actual: '4',
      location: { file: '/w/proj/sum/sum_test.go', line: 11 },
    });
    expect(found.message).toContain('sums add up');
    expect(found.stack).toHaveLength(2);
  });

  it('reads a diff of go-cmp', () => {
    const found = only(`--- FAIL: TestDiff (0.00s)
    d_test.go:8: mismatch (-want +got):
          cart.Item{
        - 	Count: 1,
        + 	Count: 2,
          }
FAIL
FAIL	example.com/d	0.1s
`);
    expect(found).toMatchObject({ expected: 'Count: 1,', actual: 'Count: 2,' });
  });
});

describe('a panic', () => {
  const panic = `=== RUN   TestBoom
--- FAIL: TestBoom (0.00s)
panic: runtime error: index out of range [5] with length 3 [recovered]
	panic: runtime error: index out of range [5] with length 3

goroutine 6 [running]:
testing.tRunner.func1.2({0x1, 0x2})
	/usr/local/go/src/testing/testing.go:1545 +0x238
panic({0x1, 0x2})
	/usr/local/go/src/runtime/panic.go:914 +0x21f
example.com/p.Pick(...)
	/w/p/pick.go:7
example.com/p.TestBoom(0x0)
	/w/p/pick_test.go:6 +0x1d
testing.tRunner(0xc0, 0x1)
	/usr/local/go/src/testing/testing.go:1595 +0xff
FAIL	example.com/p	0.005s
FAIL
`;

  it('is the failure of the test on its stack, at the innermost own frame', () => {
    expect(only(panic)).toMatchObject({
      test: 'TestBoom',
      failure_class: 'runtime_error',
      sub_class: 'crash',
      location: { file: '/w/p/pick.go', line: 7 },
    });
  });

  it('of a time-out names the tests that were running', () => {
    const found = only(`=== RUN   TestHang
panic: test timed out after 2s
running tests:
	TestHang (2s)

goroutine 17 [running]:
testing.(*M).startAlarm.func1()
	/usr/local/go/src/testing/testing.go:2259 +0x3b9
FAIL	example.com/h	2.005s
`);
    expect(found).toMatchObject({ test: 'TestHang', failure_class: 'runtime_error', sub_class: 'timeout' });
  });
});

describe('a package that does not build', () => {
  it('gives the errors of the compiler', () => {
    const found = failures(`# example.com/a [example.com/a.test]
./a_test.go:7:12: undefined: Missing
./a_test.go:9:2: declared and not used: x
FAIL	example.com/a [build failed]
ok  	example.com/b	0.1s
FAIL
`);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({
      kind: 'diagnostic',
      failure_class: 'compile_error',
      location: { file: 'a_test.go', line: 7, column: 12 },
      symbol: 'Missing',
    });
  });

  it('is reported when no error is printed', () => {
    expect(only('FAIL	example.com/a [setup failed]\n')).toMatchObject({
      failure_class: 'compile_error',
      test_file: 'example.com/a',
    });
  });
});

describe('what passed', () => {
  it('yields nothing', () => {
    const result = read(
      '=== RUN   TestA\n    a_test.go:1: expected error: boom\n--- PASS: TestA (0.00s)\nPASS\nok  	example.com/a	0.1s\n',
    );
    expect(result.findings).toEqual([]);
    expect(result.passed_summary).toBe(true);
  });
});

describe('go test -json', () => {
  function events(...rows: readonly object[]): string {
    return `${rows.map((row) => JSON.stringify({ Time: '2026-01-01T00:00:00Z', ...row })).join('\n')}\n`;
  }
  const Package = 'example.com/a';

  it('keeps the output of interleaved tests apart', () => {
    const found = failures(
      events(
        { Action: 'run', Package, Test: 'TestA' },
        { Action: 'run', Package, Test: 'TestB' },
        { Action: 'output', Package, Test: 'TestA', Output: '    a_test.go:5: got 1, want 2\n' },
        { Action: 'output', Package, Test: 'TestB', Output: '    b_test.go:6: got 3, want 4\n' },
        { Action: 'output', Package, Test: 'TestA', Output: '--- FAIL: TestA (0.00s)\n' },
        { Action: 'fail', Package, Test: 'TestB' },
        { Action: 'fail', Package, Test: 'TestA' },
        { Action: 'fail', Package },
      ),
    );
    expect(found.map((one) => [one.test, one.location?.file, one.expected, one.message])).toEqual([
      ['TestA', 'a_test.go', '2', 'got 1, want 2'],
      ['TestB', 'b_test.go', '4', 'got 3, want 4'],
    ]);
  });

  it('believes the panic, not the pass event of its test', () => {
    const found = only(
      events(
        { Action: 'run', Package, Test: 'TestA' },
        { Action: 'output', Package, Test: 'TestA', Output: 'panic: test timed out after 1s\n' },
        { Action: 'output', Package, Test: 'TestA', Output: 'running tests:\n' },
        { Action: 'output', Package, Test: 'TestA', Output: '\tTestA (1s)\n' },
        { Action: 'pass', Package, Test: 'TestA' },
        { Action: 'fail', Package },
      ),
    );
    expect(found).toMatchObject({
      test: 'TestA',
      runner: 'go-test-json',
      failure_class: 'runtime_error',
      sub_class: 'timeout',
    });
  });

  it('reads build events', () => {
    const ImportPath = 'example.com/a [example.com/a.test]';
    const found = only(
      events(
        { ImportPath, Action: 'build-output', Output: `# ${ImportPath}\n` },
        { ImportPath, Action: 'build-output', Output: './a_test.go:3:1: undefined: x\n' },
        { ImportPath, Action: 'build-fail' },
        { Action: 'output', Package, Output: `FAIL\t${Package} [build failed]\n` },
        { Action: 'fail', Package, FailedBuild: ImportPath },
      ).replaceAll('"Time":"2026-01-01T00:00:00Z","ImportPath"', '"ImportPath"'),
    );
    expect(found).toMatchObject({ failure_class: 'compile_error', location: { file: 'a_test.go', line: 3 } });
  });

  it('reports an event that is cut', () => {
    const cut = events({ Action: 'run', Package, Test: 'TestA' }).slice(0, -10);
    expect(read(cut).damage).toMatchObject([{ line: 1 }]);
  });
});
