import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Finding } from '../../../../src/failures/finding.ts';
import { parseBytes } from '../../../../src/failures/parse/parse.ts';

const STAMP = '2026-01-01T00:00:00.0000000Z ';

const LOGS: readonly string[] = [
  `=================================== FAILURES ===================================
________________________________ test_save[a b] ________________________________

    def test_save():
>       assert save({}) == {'id': 3}
E       AssertionError: assert {'id': 4} == {'id': 3}

tests/test_store.py:5: AssertionError
----------------------------- Captured stderr call -----------------------------
Traceback (most recent call last):
=========================== short test summary info ============================
FAILED tests/test_store.py::test_save[a b] - AssertionError: assert {'id': 4}...
========================= 1 failed, 3 passed in 0.12s =========================
`,
  `${'='.repeat(70)}
FAIL: test_total (tests.test_cart.CartTest.test_total)
${'-'.repeat(70)}
Traceback (most recent call last):
  File "/w/proj/tests/test_cart.py", line 9, in test_total
    self.assertEqual(total([1, 2]), 3)
AssertionError: 'a' != "b"

${'-'.repeat(70)}
Ran 1 test in 0.001s

FAILED (failures=1)
##[error]Process completed with exit code 1.
`,
  `=== RUN   TestAll/first
    a_test.go:5: mismatch (-want +got):
          - 1
          + 2
--- FAIL: TestAll (0.00s)
    --- FAIL: TestAll/first (0.00s)
panic: runtime error: invalid memory address [recovered]

goroutine 6 [running]:
example.com/p.Pick(...)
	/w/p/pick.go:7 +0x1d
FAIL	example.com/a	0.1s
# example.com/b [example.com/b.test]
./b_test.go:7:12: undefined: Missing
FAIL	example.com/b [build failed]
`,
  `{"Time":"2026","Action":"output","Package":"example.com/a","Test":"TestA","Output":"    a_test.go:5: got 1, want 2\\n"}
{"Time":"2026","Action":"fail","Package":"example.com/a","Test":"TestA"}
{"Time":"2026","Action":"fail","Package":"example.com/a"}
`,
  `test a::b ... FAILED

failures:

---- a::b stdout ----
thread 'a::b' panicked at src/lib.rs:10:9:
assertion \`left == right\` failed
  left: 4
 right: 3

failures:
    a::b

test result: FAILED. 0 passed; 1 failed; 0 ignored
        FAIL [   0.006s] (1/2) shop::cart total
  stderr ───
    thread 'total' panicked at 'boom', tests/cart.rs:8:5
────────────
error[E0308]: mismatched types
 --> src/cart.rs:3:5
  |
3 |     "4"
  |     ^^^ expected \`u32\`, found \`&str\`

In file included from a.cpp:1:
b.h:2:3: error: expected ';'
main.cpp:(.text+0x9): undefined reference to \`f()'
`,
  `Traceback (most recent call last):
  File "a.py", line 1, in <module>
KeyError: 'x'
Fatal Python error: Aborted

Current thread 0x1 (most recent call first):
  File "tests/test_a.py", line 9 in test_a
INTERNALERROR> RuntimeError: x
sh: 1: pnpm: not found
##[error]Process completed with exit code 127.
`,
];

const REPORTS: readonly (readonly [string, string])[] = [
  [
    'r.xml',
    `<?xml version="1.0"?><testsuites name="x"><testsuite name="s" failures="1"><properties><property name="file" value="f"/></properties>
<testcase classname="a.B" name="c &amp; d" file="a.py" line="3"><failure message="m" type="T"><![CDATA[E   assert 1 == 2
a.py:3: AssertionError]]></failure><!-- x & y --></testcase></testsuite></testsuites>`,
  ],
  [
    'c.json',
    '{"results":{"tool":{"name":"x"},"tests":[{"name":"a","status":"failed","message":"m","line":3,"filePath":"f"}]}}',
  ],
  ['a.json', '[{"path":"a.ts","start_line":1,"annotation_level":"failure","message":"m"}]'],
];

function check(name: string, bytes: Uint8Array): readonly Finding[] {
  const result = parseBytes(name, bytes);
  for (const { what } of result.damage) expect(what).not.toMatch(/reader of .* stopped/);
  for (const finding of result.findings) {
    const { start_byte, end_byte, start_line, end_line } = finding.range;
    expect(start_byte).toBeLessThanOrEqual(end_byte);
    expect(end_byte).toBeLessThanOrEqual(bytes.length);
    expect(start_line).toBeLessThanOrEqual(end_line);
    expect(finding.excerpt.length).toBeLessThanOrEqual(6000);
    expect(finding.message.length).toBeLessThanOrEqual(4096);
  }
  return result.findings;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const SEED = { seed: 7, numRuns: 60 };
const inputs = fc.constantFrom(...LOGS.map((text) => ['job.log', text] as const), ...REPORTS);

describe('no reader stops, and every range lies in the input', () => {
  it('on whole samples', () => {
    for (const [name, text] of [...LOGS.map((log) => ['job.log', log] as const), ...REPORTS]) {
      expect(check(name, encode(text)).length).toBeGreaterThan(0);
    }
  });

  it('on arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.constantFrom('a.log', 'r.xml', 'c.json'), (bytes, name) => {
        check(name, bytes);
      }),
      SEED,
    );
  });

  it('on samples cut anywhere', () => {
    fc.assert(
      fc.property(inputs, fc.nat(), ([name, text], at) => {
        const bytes = encode(text);
        check(name, bytes.subarray(0, at % (bytes.length + 1)));
      }),
      SEED,
    );
  });

  it('on samples with lines lost, doubled and mixed', () => {
    const line = fc.constantFrom(...LOGS.join('').split('\n'));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 150 }), fc.boolean(), (lines, stamped) => {
        check('job.log', encode(lines.map((text) => `${stamped ? STAMP : ''}${text}\n`).join('')));
      }),
      SEED,
    );
  });

  it('on samples with bytes changed', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(inputs, changes, ([name, text], changed) => {
        const bytes = encode(text);
        for (const [at, value] of changed) bytes[at % bytes.length] = value;
        check(name, bytes);
      }),
      SEED,
    );
  });

  it('on reports made of markup', () => {
    const piece = fc.constantFrom(
      '<testsuite name="s" failures="2">',
      '</testsuite>',
      '<testcase name="a">',
      '</testcase>',
      '<failure message="m">',
      '</failure>',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '&',
      '&amp;',
      '&#0;',
      '<',
      '>',
      '"',
      '<?',
      ']>',
      '<!DOCTYPE a [',
      '\u0000',
      'text',
      '\r\n',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        check('r.xml', encode(`<testsuites>${pieces.join('')}`));
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe('the same bytes give the same findings', () => {
  it('twice', () => {
    fc.assert(
      fc.property(inputs, ([name, text]) => {
        expect(parseBytes(name, encode(text))).toEqual(parseBytes(name, encode(text)));
      }),
      { seed: 7, numRuns: 9 },
    );
  });
});
