/** What the formats of JavaScript test runners read. */
import { describe, expect, it } from '@jest/globals';
import {
  JEST,
  MOCHA,
  NODE_SPEC,
  NODE_TAP,
  NODE_TAP_DIAGS,
  onlyFinding,
  PLAYWRIGHT,
  parseText,
  VITEST,
} from '../samples.ts';

describe('jest', () => {
  it('reads name, file, place and values of a failed test', () => {
    expect(onlyFinding(JEST)).toMatchObject({
      kind: 'test',
      runner: 'jest',
      test: 'sum › adds',
      test_file: 'src/sum.test.js',
      failure_class: 'test_assertion',
      expected: '3',
      actual: '4',
      location: { file: 'src/sum.test.js', line: 5, column: 21 },
    });
  });

  it('reads a failure once when the summary repeats it', () => {
    const block = JEST.slice(JEST.indexOf('FAIL'), JEST.indexOf('Test Suites'));
    const repeated = JEST.replace('Test Suites', `Summary of all failing tests\n${block}\nTest Suites`);
    expect(parseText(repeated).findings).toHaveLength(1);
  });

  it('takes console blocks for no failure', () => {
    const passing = JEST.slice(0, JEST.indexOf('FAIL'));
    expect(parseText(`${passing}Tests:       2 passed, 2 total\n`)).toMatchObject({
      findings: [],
      passed_summary: true,
    });
  });

  it('reads the project label and the duration of a header', () => {
    const finding = onlyFinding(JEST.replace('FAIL src/sum.test.js', ' FAIL  web  src/sum.test.js (40.3 s)'));
    expect(finding.test_file).toBe('src/sum.test.js');
  });

  it('calls a suite that could not run no test', () => {
    const text = `FAIL ./a.test.js
  ● Test suite failed to run

    Cannot find module 'gone' from 'lib/a.js'

    > 3 | require('gone');
        | ^

      at Resolver._throw (node_modules/jest-resolve/build/index.js:427:11)
      at Object.require (lib/a.js:3:1)

Tests:       0 total
`;
    expect(onlyFinding(text)).toMatchObject({
      kind: 'diagnostic',
      test: null,
      failure_class: 'runtime_error',
      sub_class: 'missing_module',
      location: { file: 'lib/a.js', line: 3 },
    });
  });

  it('reads a snapshot as an assertion with the first differing line', () => {
    const text = `FAIL a.test.js
  ● renders

    expect(received).toMatchInlineSnapshot(snapshot)

    Snapshot name: \`renders 1\`

    - Snapshot  - 1
    + Received  + 1

      [
    -   "old",
    +   "new",
      ]

      at Object.toMatchInlineSnapshot (a.test.js:4:9)
`;
    expect(onlyFinding(text)).toMatchObject({ sub_class: 'snapshot', expected: '"old",', actual: '"new",' });
  });

  it('places broken syntax where the message does, not where the advice ends', () => {
    const text = `FAIL ./b.test.cjs
  ● Test suite failed to run

    Jest encountered an unexpected token

    Here's what you can do:
     • If you are trying to use TypeScript, see the docs.

    Details:

    /srv/shop/b.test.cjs:1
    const x = ;
              ^

    SyntaxError: Unexpected token ';'

      at Runtime.createScript (node_modules/jest-runtime/build/index.js:1505:14)

Tests:       0 total
`;
    const finding = onlyFinding(text);
    expect(finding).toMatchObject({
      failure_class: 'compile_error',
      location: { file: '/srv/shop/b.test.cjs', line: 1 },
    });
    expect(finding.message).not.toContain('TypeScript');
  });

  it('reads a title that holds a newline', () => {
    expect(onlyFinding(JEST.replace('● sum › adds', '● sum › adds\nup')).test).toBe('sum › adds\nup');
  });

  it('says when no test ran, and of which file', () => {
    const text = 'No tests found, exiting with code 1\nIn /work\nPattern: examples/a.test.tsx - 0 matches\n';
    expect(onlyFinding(text)).toMatchObject({ failure_class: 'tool_contract_error', test: 'examples/a.test.tsx' });
  });
});

describe('vitest', () => {
  it('reads name, file, place and values', () => {
    expect(onlyFinding(VITEST)).toMatchObject({
      runner: 'vitest',
      test: 'src/price.test.ts > price > adds tax',
      test_file: 'src/price.test.ts',
      failure_class: 'test_assertion',
      expected: '119',
      actual: '100',
      location: { file: 'src/price.test.ts', line: 8, column: 24 },
    });
  });

  it('places a failure inside a dependency at the first own frame', () => {
    const text =
      ' FAIL  a.test.ts > throws\nError: deep\n ❯ inner node_modules/dep/index.js:10:9\n ❯ a.test.ts:8:12\n\n⎯⎯[1/1]⎯\n';
    expect(onlyFinding(text)).toMatchObject({
      failure_class: 'runtime_error',
      location: { file: 'a.test.ts', line: 8 },
    });
  });

  it('reads a failed suite as a diagnostic', () => {
    const text =
      ' FAIL  a.test.ts [ a.test.ts ]\nError: Failed to resolve import "./x" from "a.test.ts"\n ❯ a.test.ts:1:1\n\n⎯⎯[1/1]⎯\n';
    expect(onlyFinding(text)).toMatchObject({ kind: 'diagnostic', test: null, test_file: 'a.test.ts' });
  });
});

describe('mocha', () => {
  it('joins the chain of titles and follows its own legend of the diff', () => {
    const [first, second] = parseText(MOCHA).findings;
    expect(first).toMatchObject({ test: 'Cart > total > adds the tax', expected: '119', actual: '100' });
    expect(first?.location).toMatchObject({ file: 'test/cart.spec.js', line: 9 });
    expect(second).toMatchObject({ test: 'Cart > is empty', failure_class: 'runtime_error', symbol: 'TypeError' });
    expect(second?.location).toMatchObject({ file: 'lib/cart.js', line: 4 });
  });

  it('reads titles in any script, and blank lines between number and title', () => {
    const text =
      '  1 failing\n\n  1) \n       登录\n         返回 200:\n     Error: 失败\n      at /srv/test/登录.test.js:28:11\n';
    expect(onlyFinding(text)).toMatchObject({
      test: '登录 > 返回 200',
      location: { file: '/srv/test/登录.test.js', line: 28 },
    });
  });
});

describe('node:test', () => {
  it.each([
    ['spec', NODE_SPEC],
    ['tap', NODE_TAP],
  ])('reads the failed leaf once and no parent (%s)', (_, text) => {
    expect(onlyFinding(text)).toMatchObject({
      runner: 'node-test',
      test: 'price > adds tax',
      failure_class: 'test_assertion',
      expected: '119',
      actual: '100',
      location: { file: '/home/ci/shop/test/price.test.mjs', line: 6, column: 12 },
    });
  });

  it('finds the uncaught error behind a file that failed', () => {
    const text = `Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/srv/gone.mjs' imported from /srv/b.test.mjs
    at finalizeResolution (node:internal/modules/esm/resolve:283:11) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v20.20.2
✖ /srv/b.test.mjs (195.9ms)
  'test failed'
`;
    expect(onlyFinding(text)).toMatchObject({ sub_class: 'missing_module', test_file: '/srv/b.test.mjs' });
  });

  it('says that all passed', () => {
    expect(parseText('✔ a (1ms)\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\n').passed_summary).toBe(true);
  });
});

describe('TAP', () => {
  it('reads diagnostics, and passes over skipped points and parents of failures', () => {
    const { findings } = parseText(NODE_TAP_DIAGS);
    expect(findings.map((finding) => finding.test)).toEqual(['three', 'four > inner']);
    expect(findings[0]).toMatchObject({ expected: '43', actual: '42', location: { file: 'test/three.js', line: 8 } });
  });

  it('reads comment diagnostics', () => {
    const text =
      "not ok 3 - sum\n#   Failed test 'sum'\n#   at t/sum.t line 12.\n#          got: '4'\n#     expected: '3'\n";
    expect(onlyFinding(text)).toMatchObject({ expected: '3', actual: '4', location: { file: 't/sum.t', line: 12 } });
  });
});

describe('playwright', () => {
  it('reads the first attempt, and nothing of a test that passed on retry', () => {
    expect(onlyFinding(PLAYWRIGHT)).toMatchObject({
      test: 'login › shows the name',
      test_file: 'tests/login.spec.ts',
      expected: 'Ada',
      actual: '',
      location: { line: 9, column: 16 },
      flaky_signals: ['retried'],
    });
  });
});
