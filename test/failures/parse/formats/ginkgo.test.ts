import { describe, expect, it } from '@jest/globals';
import { failures } from './read.ts';

const RUN = `=== RUN   TestSuite
Running Suite: shop
------------------------------
• [FAILED] [0.014 seconds]
Cart [It] adds up
/w/shop/cart_test.go:45

  [FAILED] Expected
      <int>: 4
  to equal
      <int>: 3
  In [It] at: /w/shop/cart_test.go:51 @ 01/01/26 00:00:00.000
------------------------------
••
Summarizing 1 Failure:
  [FAIL] Cart [It] adds up
  /w/shop/cart_test.go:51

FAIL! -- 2 Passed | 1 Failed | 0 Pending | 0 Skipped
--- FAIL: TestSuite (0.02s)
FAIL
FAIL	example.com/shop	0.1s
`;

describe('a failing spec', () => {
  it('counts instead of the Go test that runs the suite', () => {
    expect(failures(RUN)).toMatchObject([
      {
        runner: 'ginkgo',
        test: 'Cart [It] adds up',
        failure_class: 'test_assertion',
        expected: '3',
        actual: '4',
        location: { file: '/w/shop/cart_test.go', line: 51 },
      },
    ]);
  });

  it('that panicked is a runtime error', () => {
    const panicked = RUN.replace('• [FAILED]', '• [PANICKED]');
    expect(failures(panicked)).toMatchObject([{ failure_class: 'runtime_error' }]);
  });
});
