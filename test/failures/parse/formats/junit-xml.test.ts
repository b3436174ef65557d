import { describe, expect, it } from '@jest/globals';
import { parseBytes } from '../../../../src/failures/parse/parse.ts';
import { failures, only, read } from './read.ts';

function report(cases: string, attributes = 'name="s"'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite ${attributes}>\n${cases}\n</testsuite>\n</testsuites>\n`;
}

function junit(text: string): ReturnType<typeof read> {
  return read(text, 'report.xml');
}

describe('a failing test case', () => {
  it('counts once when it holds failure, error and skipped', () => {
    const text = report(
      '<testcase classname="a.B" name="c"><skipped/><failure message="f"/><error message="e"/></testcase>',
    );
    expect(only(text, 'r.xml')).toMatchObject({
      runner: 'junit-xml',
      test: 'a.B.c',
      message: 'f',
      failure_class: 'test_assertion',
    });
  });

  it('tells where in the file it stands', () => {
    const text = report(
      '<testcase name="ok"/>\n<testcase classname="a.B" name="c">\n<failure message="f"/>\n</testcase>',
    );
    const [found] = failures(text, 'r.xml');
    expect(found?.range).toMatchObject({ start_line: 5, end_line: 7 });
    const bytes = new TextEncoder().encode(text).subarray(found?.range.start_byte, found?.range.end_byte);
    expect(new TextDecoder().decode(bytes)).toContain('message="f"');
  });

  it('needs no class name', () => {
    expect(only(report('<testcase name="does x"><error message="e"/></testcase>'), 'r.xml')).toMatchObject({
      test: 'does x',
      failure_class: 'runtime_error',
    });
  });

  it('is found in nested suites, where equal names are different tests', () => {
    const text = `<testsuite name="all"><testsuite name="a"><testcase classname="" name="t"><failure/></testcase></testsuite>
      <testsuite name="b"><testcase classname="" name="t"><failure/></testcase></testsuite></testsuite>`;
    expect(failures(text, 'r.xml').map((one) => one.test)).toEqual(['all > a > t', 'all > b > t']);
  });

  it('stands for a suite that failed as a whole', () => {
    expect(
      only(
        '<testsuite name="a.B" errors="1"><error message="class did not load" type="java.lang.Error"/></testsuite>',
        'r.xml',
      ),
    ).toMatchObject({ test: 'a.B', failure_class: 'runtime_error' });
  });
});

describe('retries', () => {
  const failed = '<testcase classname="a.B" name="c"><failure message="f"/></testcase>';

  it('count by the last outcome of a name', () => {
    expect(failures(report(`${failed}<testcase classname="a.B" name="c"/>`), 'r.xml')).toEqual([]);
    expect(only(report(`${failed}${failed}`), 'r.xml').flaky_signals).toEqual(['retried']);
  });

  it('of surefire are no failures when one passed', () => {
    const flaky =
      '<testcase classname="a.B" name="c"><flakyFailure message="x"><stackTrace>at a.B.c(B.java:3)</stackTrace></flakyFailure></testcase>';
    expect(junit(report(flaky)).findings).toEqual([]);
    const rerun = '<testcase classname="a.B" name="c"><failure message="x"/><rerunFailure message="x"/></testcase>';
    expect(only(report(rerun), 'r.xml').flaky_signals).toEqual(['retried']);
  });
});

describe('the full name', () => {
  it.each([
    ['mocha-junit-reporter', 'classname="adds up" name="cart adds up"', 'cart adds up'],
    ['rspec', 'classname="spec.cart_spec" name="Cart adds up"', 'Cart adds up'],
    ['phpunit', 'classname="Shop.CartTest" class="Shop\\CartTest" name="testTotal"', 'Shop\\CartTest::testTotal'],
    ['xunit', 'classname="Shop.CartTest" name="Shop.CartTest.Total(i: 3)"', 'Shop.CartTest.Total(i: 3)'],
    ['vitest', 'classname="test/cart.test.ts" name="cart > adds up"', 'test/cart.test.ts > cart > adds up'],
    ['gradle', 'classname="org.shop.CartTest" name="total()"', 'org.shop.CartTest.total()'],
  ])('is that of %s', (_runner, attributes, test) => {
    expect(only(report(`<testcase ${attributes}><failure message="f"/></testcase>`), 'r.xml').test).toBe(test);
  });

  it('leaves the parents of failing Go sub-tests out', () => {
    const text = report(`<testcase classname="a" name="TestAll"><failure>--- FAIL: TestAll (0.00s)</failure></testcase>
<testcase classname="a" name="TestAll/x"><failure>    a_test.go:3: got 1, want 2
    --- FAIL: TestAll/x (0.00s)</failure></testcase>`);
    expect(failures(text, 'r.xml').map((one) => one.test)).toEqual(['a.TestAll/x']);
  });
});

interface Sample {
  readonly dialect: string;
  readonly xml: string;
  readonly found: object;
}

const SAMPLES: readonly Sample[] = [
  {
    dialect: 'surefire',
    xml: `<testcase classname="org.shop.CartTest" name="total"><failure type="org.opentest4j.AssertionFailedError" message="expected: &lt;3&gt; but was: &lt;4&gt;"><![CDATA[org.opentest4j.AssertionFailedError: expected: <3> but was: <4>
	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
	at org.shop.CartTest.total(CartTest.java:12)
	at java.base/java.lang.reflect.Method.invoke(Method.java:568)]]></failure></testcase>`,
    found: {
      test: 'org.shop.CartTest.total',
      expected: '3',
      actual: '4',
      location: { file: 'org/shop/CartTest.java', line: 12 },
      failure_class: 'test_assertion',
    },
  },
  {
    dialect: 'surefire with an exception',
    xml: `<testcase classname="org.shop.CartTest" name="load"><error type="java.lang.NullPointerException"><![CDATA[java.lang.NullPointerException
	at org.shop.Cart.load(Cart.java:7)
	at org.shop.CartTest.load(CartTest.java:20)]]></error></testcase>`,
    found: {
      failure_class: 'runtime_error',
      symbol: 'java.lang.NullPointerException',
      location: { file: 'org/shop/Cart.java', line: 7 },
    },
  },
  {
    dialect: 'testng',
    xml: `<testcase classname="org.shop.T" name="v"><failure type="java.lang.AssertionError" message="expected [1.2] but found [1.3]">java.lang.AssertionError
at org.testng.Assert.fail(Assert.java:99)
at org.shop.T.v(T.java:29)</failure></testcase>`,
    found: { expected: '1.2', actual: '1.3', location: { line: 29 } },
  },
  {
    dialect: 'pytest, whose attributes give the declaration',
    xml: `<testcase classname="tests.test_a" name="test_b" file="tests/test_a.py" line="3"><failure message="assert 4 == 3">def test_b():
&gt;       assert total() == 3
E       assert 4 == 3

tests/test_a.py:8: AssertionError</failure></testcase>`,
    found: { test: 'tests.test_a.test_b', expected: '3', actual: '4', location: { file: 'tests/test_a.py', line: 8 } },
  },
  {
    dialect: 'googletest',
    xml: `<testcase classname="Cart" name="Total"><failure message="src/cart_test.cc:21&#x0A;Expected equality of these values:&#x0A;  3&#x0A;  total()&#x0A;    Which is: 4" type=""><![CDATA[src/cart_test.cc:21
Expected equality of these values:
  3
  total()
    Which is: 4]]></failure></testcase>`,
    found: { test: 'Cart.Total', expected: '3', actual: '4', location: { file: 'src/cart_test.cc', line: 21 } },
  },
  {
    dialect: 'catch2',
    xml: `<testcase classname="shop.global" name="total adds up"><failure message="total() == 3" type="CHECK">
FAILED:
  CHECK( total() == 3 )
with expansion:
  4 == 3
at tests/cart.cpp:9</failure></testcase>`,
    found: { test: 'total adds up', expected: '3', actual: '4', location: { file: 'tests/cart.cpp', line: 9 } },
  },
  {
    dialect: 'nextest',
    xml: `<testcase classname="shop::cart" name="total"><failure type="test failure">thread 'total' panicked at tests/cart.rs:4:5:
assertion \`left == right\` failed
  left: 4
 right: 3</failure></testcase>`,
    found: { test: 'shop::cart total', expected: '3', actual: '4', location: { file: 'tests/cart.rs', line: 4 } },
  },
  {
    dialect: 'go-junit-report',
    xml: '<testcase classname="example.com/cart" name="TestTotal"><failure message="Failed">    cart_test.go:14: got 4, want 3</failure></testcase>',
    found: { expected: '3', actual: '4', location: { file: 'cart_test.go', line: 14 } },
  },
  {
    dialect: 'jest-junit',
    xml: `<testcase classname="cart adds up" name="cart adds up"><failure>Error: expect(received).toBe(expected) // Object.is equality

Expected: 3
Received: 4
    at Object.toBe (/home/runner/work/shop/shop/test/cart.test.js:5:19)
    at node_modules/jest-circus/build/utils.js:1:1</failure></testcase>`,
    found: {
      test: 'cart adds up',
      expected: '3',
      actual: '4',
      location: { file: '/home/runner/work/shop/shop/test/cart.test.js', line: 5 },
    },
  },
  {
    dialect: 'web-test-runner',
    xml: `<testcase classname="cart totals" name="adds up" file="test/cart.test.js" line="1"><failure message="expected false to be true" type="AssertionError"><![CDATA[AssertionError: expected false to be true
  at o.<anonymous> (test/cart.test.js:15:29)]]></failure></testcase>`,
    found: { test: 'cart totals > adds up', expected: 'true', actual: 'false', location: { line: 15 } },
  },
  {
    dialect: 'playwright, whose heading gives the declaration and which lists each attempt',
    xml: `<testcase classname="tests/cart.spec.ts" name="checkout"><failure message="cart.spec.ts:3:5 checkout" type="FAILURE"><![CDATA[  [chromium] › tests/cart.spec.ts:3:5 › checkout ─────────

    Test timeout of 500ms exceeded.

    Error: page.goto: net::ERR_ABORTED

    > 5 |   await page.goto('/');
        |              ^

        at /w/proj/tests/cart.spec.ts:5:14

    Retry #1 ───────────

    Test timeout of 500ms exceeded.
        at /w/proj/tests/cart.spec.ts:9:14
]]></failure></testcase>`,
    found: {
      test: 'tests/cart.spec.ts › checkout',
      failure_class: 'runtime_error',
      sub_class: 'timeout',
      location: { line: 5 },
      flaky_signals: ['retried'],
    },
  },
  {
    dialect: 'phpunit',
    xml: `<testcase classname="Shop.CartTest" name="testTotal" file="/w/tests/CartTest.php" line="9"><failure type="PHPUnit\\Framework\\ExpectationFailedException">Shop\\CartTest::testTotal
Failed asserting that 4 matches expected 3.

/w/tests/CartTest.php:12</failure></testcase>`,
    found: {
      expected: '3',
      actual: '4',
      location: { file: '/w/tests/CartTest.php', line: 12 },
      failure_class: 'test_assertion',
    },
  },
];

describe('dialects', () => {
  it.each(SAMPLES)('$dialect', ({ xml, found }) => {
    expect(only(report(xml), 'report.xml')).toMatchObject(found);
  });
});

describe('damaged reports', () => {
  const failing = '<testcase classname="a.B" name="c"><failure message="f"/></testcase>';

  it('reads on behind a raw < in an attribute, and says where it was', () => {
    const result = junit(report(`<testcase name="x" time="<<computed>>"/>\n${failing}`));
    expect(result.findings).toHaveLength(1);
    expect(result.damage[0]).toMatchObject({ line: 4 });
    expect(result.damage[0]?.byte).toBeGreaterThan(50);
  });

  it.each([
    [
      'control characters',
      `<testcase classname="a.B" name="c"><failure message="\u001b[31mf\u0001">\u0000</failure></testcase>`,
    ],
    ['unknown entities', `<testcase classname="a.B" name="c"><failure message="&nbsp;f&x;">&foo;</failure></testcase>`],
    ['a raw < in a text', `<testcase classname="a.B" name="c"><failure message="f">1 < 2 and <3</failure></testcase>`],
    ['a bare ampersand', `<testcase classname="a.B" name="c"><failure message="a & b">x && y</failure></testcase>`],
  ])('reads on behind %s', (_what, text) => {
    const result = junit(report(text));
    expect(result.findings).toMatchObject([{ test: 'a.B.c' }]);
    expect(result.damage.length).toBeGreaterThan(0);
  });

  it('keeps the failures before the cut', () => {
    const result = junit(report(failing).slice(0, -30));
    expect(result.findings).toMatchObject([{ kind: 'test', test: 'a.B.c' }]);
    expect(result.damage.some(({ what }) => what.includes('cut'))).toBe(true);
  });

  it('keeps the failure in which it is cut', () => {
    const result = junit('<testsuite name="s"><testcase classname="a.B" name="c"><failure message="f">at x');
    expect(result.findings).toMatchObject([{ test: 'a.B.c' }]);
  });

  it('never reads a lost failure as none', () => {
    const result = junit('<testsuite name="s" tests="2" failures="1"><testcase name="ok"/><testcase name="lo');
    expect(result.findings).toMatchObject([{ kind: 'job', failure_class: 'unknown' }]);
    expect(result.damage.some(({ what }) => what.includes('announces 1'))).toBe(true);
    expect(result.passed_summary).toBe(false);
  });

  it('resolves no document type and no entity', () => {
    const hostile = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY % p SYSTEM "http://example.invalid/x"> %p; <!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>
${report('<testcase classname="a.B" name="c"><failure message="&b;"/></testcase>').replace(/^<\?xml.*\n/, '')}`;
    const result = junit(hostile);
    expect(result.findings).toMatchObject([{ test: 'a.B.c' }]);
    expect(JSON.stringify(result)).not.toContain('aaaa');
  });

  it('reports a hostile file that is no report at all', () => {
    const result = junit('<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY % sp SYSTEM "x">%sp;]>\n<r>&oob;</r>\n<x/>\n');
    expect(result.findings).toMatchObject([{ kind: 'job', failure_class: 'unknown' }]);
    expect(result.damage.length).toBeGreaterThan(0);
  });

  it('bounds the list of damage', () => {
    expect(junit(report(`${'<testcase name="x">&e;</testcase>'.repeat(3000)}${failing}`)).damage.length).toBeLessThan(
      30,
    );
  });

  it('reads more than a thousand entities', () => {
    const text = report(
      `<testcase classname="a.B" name="c"><failure message="f">${'&lt;x&gt;'.repeat(2000)}</failure></testcase>`,
    );
    expect(junit(text)).toMatchObject({ findings: [{ test: 'a.B.c' }], damage: [] });
  });
});

describe('huge texts', () => {
  it('are cut, wherever the chunks begin, and nothing after them is lost', () => {
    const noise = 'x'.repeat(700_000);
    const text =
      report(`<testcase name="a"><system-out><![CDATA[${noise}]]></system-out></testcase><testcase name="b"><system-out>${noise}</system-out></testcase>
<testcase classname="a.B" name="c"><failure message="f"/></testcase>`);
    const result = parseBytes('r.xml', new TextEncoder().encode(text));
    expect(result.findings).toMatchObject([{ test: 'a.B.c', range: { start_line: 5 } }]);
    expect(result.damage).toMatchObject([{ what: expect.stringContaining('2 very long texts') }]);
    const [found] = result.findings;
    expect(text.slice(found?.range.start_byte, found?.range.end_byte)).toContain('message="f"');
  });
});

describe('what is no JUnit report', () => {
  it.each([
    ['a coverage report', '<?xml version="1.0"?><coverage line-rate="1"/>'],
    ['a TRX report', '<?xml version="1.0"?><TestRun id="1"/>'],
  ])('%s', (_what, text) => {
    expect(junit(text).formats).not.toContain('junit-xml');
  });
});
