/** Small outputs of each runner, written for these tests, and the ways CI dresses them. */

import type { Finding, ParseResult } from '../../../src/failures/finding.ts';
import { parseBytes } from '../../../src/failures/parse/parse.ts';

export function parseText(text: string, name = 'job.log'): ParseResult {
  return parseBytes(name, Buffer.from(text, 'utf8'));
}

/** The one finding of a text. */
export function onlyFinding(text: string): Finding {
  const { findings } = parseText(text);
  if (findings.length !== 1) throw new Error(`Expected one finding, got ${findings.length}.`);
  return findings[0] as Finding;
}

/** Each line as the Actions runner writes it. */
export function stamped(text: string): string {
  return text
    .split('\n')
    .map((line, row) => `2026-04-22T16:24:46.${String(row).padStart(7, '0')}Z ${line}`)
    .join('\n');
}

export const JEST = `
> jest

PASS src/other.test.js
  ● Console

    console.error
      Error: not a failure
        at log (src/other.js:3:9)

FAIL src/sum.test.js
  sum
    ✓ adds nothing (1 ms)
    ✕ adds (2 ms)

  ● sum › adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: 4

      4 | test('adds', () => {
    > 5 |   expect(sum(1, 2)).toBe(3);
        |                     ^
      6 | });

      at Object.toBe (src/sum.test.js:5:21)

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 2 passed, 3 total
Ran all test suites.
`;

export const VITEST = `
⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/price.test.ts > price > adds tax
AssertionError: expected 100 to be 119 // Object.is equality

- Expected
+ Received

- 119
+ 100

 ❯ src/price.test.ts:8:24
      6|
      7|   it('adds tax', () => {
      8|     expect(withTax(100)).toBe(119)
       |                        ^
      9|   })

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯

 Test Files  1 failed (1)
      Tests  1 failed | 4 passed (5)
`;

export const MOCHA = `
  3 passing (12ms)
  2 failing

  1) Cart
       total
         adds the tax:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
      + expected - actual

      -100
      +119

      at Context.<anonymous> (test/cart.spec.js:9:14)
      at process.processImmediate (node:internal/timers:483:21)

  2) Cart
       is empty:
     TypeError: Cannot read properties of undefined (reading 'items')
      at Cart.count (lib/cart.js:4:22)
      at Context.<anonymous> (test/cart.spec.js:15:17)



npm error code 2
`;

export const NODE_SPEC = `▶ price
  ✖ adds tax (1.2ms)
    AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
    
    100 !== 119
    
        at TestContext.<anonymous> (file:///home/ci/shop/test/price.test.mjs:6:12)
        at Test.run (node:internal/test_runner/test:796:25) {
      code: 'ERR_ASSERTION',
      actual: 100,
      expected: 119,
      operator: 'strictEqual'
    }

  ✔ is a number (0.2ms)
✖ price (4.0ms)
ℹ tests 2
ℹ pass 1
ℹ fail 1

✖ failing tests:

test at test/price.test.mjs:5:3
✖ adds tax (1.2ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  100 !== 119
  
      at TestContext.<anonymous> (file:///home/ci/shop/test/price.test.mjs:6:12)
`;

export const NODE_TAP = `TAP version 13
# Subtest: price
    # Subtest: adds tax
    not ok 1 - adds tax
      ---
      duration_ms: 1.2
      location: '/home/ci/shop/test/price.test.mjs:5:3'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:
        
        100 !== 119
        
      code: 'ERR_ASSERTION'
      name: 'AssertionError'
      expected: 119
      actual: 100
      stack: |-
        TestContext.<anonymous> (file:///home/ci/shop/test/price.test.mjs:6:12)
        Test.run (node:internal/test_runner/test:796:25)
      ...
    # Subtest: later
    not ok 2 - later # TODO
    1..2
not ok 1 - price
  ---
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
1..1
# tests 2
# pass 0
# fail 1
`;

export const NODE_TAP_DIAGS = `TAP version 14
ok 1 - one
not ok 2 - two # SKIP not today
not ok 3 - three
  ---
  compare: ===
  at:
    line: 8
    column: 5
    file: test/three.js
  diff: |
    --- expected
    +++ actual
    @@ -1,1 +1,1 @@
    -43
    +42
  ...
not ok 4 - four {
    not ok 1 - inner
    1..1
}
1..4
`;

export const TSC = `$ tsc --noEmit
src/index.ts(12,7): error TS2322: Type 'string' is not assignable to type 'number'.
  Type '"a"' is not assignable to type 'number'.
src/other.ts:3:1 - error TS2307: Cannot find module './gone.js' or its corresponding type declarations.

3 import { gone } from './gone.js';
                       ~~~~~~~~~~~

Found 2 errors in 2 files.
`;

export const PLAYWRIGHT = `Running 2 tests using 1 worker

  ✘  1 [chromium] › tests/login.spec.ts:4:5 › login › shows the name (1.9s)

  1) [chromium] › tests/login.spec.ts:4:5 › login › shows the name ─────────

    Error: expect(received).toBe(expected) // Object.is equality

    Expected: "Ada"
    Received: ""

       8 |   const name = await page.title();
    >  9 |   expect(name).toBe('Ada');
         |                ^

        at /home/runner/work/app/app/tests/login.spec.ts:9:16

    Retry #1 ───────────────────────────────────────

    Error: something else

  2) [chromium] › tests/slow.spec.ts:3:5 › slow ─────────

    Test timeout of 30000ms exceeded.

  1 failed
    [chromium] › tests/login.spec.ts:4:5 › login › shows the name ─────────
  1 flaky
    [chromium] › tests/slow.spec.ts:3:5 › slow ─────────
  3 passed (5.2s)
`;

export const ESLINT = `
/home/runner/work/app/app/src/a.js
  2:10  error    'unused' is defined but never used  no-unused-vars
  3:11  warning  Strings must use singlequote        quotes

/home/runner/work/app/app/src/b.js
  7:1  error  Parsing error: Unexpected token }

✖ 3 problems (2 errors, 1 warning)
`;

export const TSD = `
  typings/index.test-d.ts:19:0
  ✖  19:0  Parameter type number is not identical to argument type string.
  ✖  24:4  Expected an error, but found none.

  2 errors
`;

export const PRETTIER = `Checking formatting...
[warn] src/a.ts
[warn] docs/read me.md
[warn] Code style issues found in 2 files. Run Prettier with --write to fix.
`;

/** Every sample, by the name of its format. */
export const SAMPLES: Readonly<Record<string, string>> = {
  JEST,
  VITEST,
  MOCHA,
  NODE_SPEC,
  NODE_TAP,
  NODE_TAP_DIAGS,
  TSC,
  PLAYWRIGHT,
  ESLINT,
  TSD,
  PRETTIER,
};
