/** Labelled failures: a spec, a program, a test that fails, and who is wrong. Every case is a real run of a real runner. */
import type { Project, Runner } from './stand-in.ts';

export type Label = 'code' | 'test' | 'unknown';

export interface LabelledCase {
  readonly name: string;
  readonly label: Label;
  /** Part of what must be said to be missing; for `unknown` only. */
  readonly missing?: RegExp;
  readonly project: Project;
}

interface Shape {
  readonly name: string;
  readonly label: Label;
  readonly spec: string;
  readonly code: string;
  readonly test: string;
  readonly missing?: RegExp;
  readonly runner?: Runner;
  readonly more?: Readonly<Record<string, string>>;
  readonly source?: string;
  readonly everyAttempt?: true;
}

const HEAD = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";

function optional(shape: Shape): Pick<Project, 'source' | 'everyAttempt'> {
  return { ...(shape.source ? { source: shape.source } : {}), ...(shape.everyAttempt ? { everyAttempt: true } : {}) };
}

/** Code is `src/unit.js`; the test's head imports test and assert. */
function js(shape: Shape): LabelledCase {
  const files = {
    'package.json': '{"type":"module"}',
    'src/unit.js': shape.code,
    'test/unit.test.js': `${HEAD}${shape.test}`,
    ...shape.more,
  };
  return labelled(`JavaScript: ${shape.name}`, shape, {
    runner: shape.runner ?? 'node-spec',
    files,
    spec: shape.spec,
    ...optional(shape),
  });
}

/** Code is `unit.py`; tests are `test_unit.py`. */
function py(shape: Shape): LabelledCase {
  const files = { 'unit.py': shape.code, 'test_unit.py': shape.test, ...shape.more };
  return labelled(`Python: ${shape.name}`, shape, {
    runner: shape.runner ?? 'pytest',
    files,
    spec: shape.spec,
    ...optional(shape),
  });
}

function labelled(name: string, shape: Shape, project: Project): LabelledCase {
  return { name, label: shape.label, project, ...(shape.missing ? { missing: shape.missing } : {}) };
}

const RIGHT = 'export function total(xs) {\n  return xs.reduce((sum, x) => sum + x, 0);\n}\n';
const WRONG = 'export function total(xs) {\n  return xs.length;\n}\n';
const IMPORT = "import { total } from '../src/unit.js';\n";
const adds = (demand: string) => `${IMPORT}test('adds', () => {\n  assert.equal(total([1, 2]), ${demand});\n});\n`;
const SPEC = '# Totals\n\n- `total([1, 2])` → `3`\n';

const FORMS: readonly (readonly [string, string])[] = [
  ['arrow between code marks', '- `total([1, 2])` → `3`\n'],
  ['arrow inside code marks', 'Sums: `total([1,2]) -> 3`.\n'],
  ['returns', 'Calling `total([1, 2])` returns `3`.\n'],
  ['must be', '`total([1, 2])` must be `3`.\n'],
  ['should equal a bare number', 'So `total([1, 2])` should equal 3.\n'],
  ['table of calls', '| Call | Result |\n| --- | --- |\n| `total([1, 2])` | `3` |\n'],
  ['table of arguments', '## Sum\n\n| items | total(items) |\n| --- | --- |\n| [1, 2] | 3 |\n'],
  ['comment in a code block', '```js\ntotal([1, 2]); // => 3\n```\n'],
  ['equation in a code block', '```js\ntotal([1, 2]) === 3\n```\n'],
  ['scenario', 'Given `items` is `[1, 2]`\nWhen `total(items)` is called\nThen the result is `3`\n'],
];

const clauseForms: LabelledCase[] = FORMS.flatMap(([name, spec]) => [
  js({ name: `clause as ${name}, code wrong`, label: 'code', spec: `# Spec\n\n${spec}`, code: WRONG, test: adds('3') }),
  js({ name: `clause as ${name}, test wrong`, label: 'test', spec: `# Spec\n\n${spec}`, code: RIGHT, test: adds('4') }),
]);

const ASSERTIONS: readonly (readonly [string, (demand: string) => string])[] = [
  ['strictEqual', (d) => `${IMPORT}test('adds', () => { assert.strictEqual(total([1, 2]), ${d}); });\n`],
  ['swapped sides', (d) => `${IMPORT}test('adds', () => { assert.equal(${d}, total([1, 2])); });\n`],
  [
    'named import',
    (d) =>
      `import { strictEqual as same } from 'node:assert';\n${IMPORT}test('adds', () => { same(total([1, 2]), ${d}); });\n`,
  ],
  [
    'a message of its own',
    (d) => `${IMPORT}test('adds', () => { assert.equal(total([1, 2]), ${d}, 'sum is off'); });\n`,
  ],
  [
    'constants',
    (d) =>
      `${IMPORT}const items = [1, 2];\ntest('adds', () => {\n  const want = ${d};\n  const got = total(items);\n  assert.equal(got, want);\n});\n`,
  ],
  [
    'a namespace import',
    (d) =>
      `import * as sums from '../src/unit.js';\ntest('adds', () => { assert.equal(sums.total([1, 2]), ${d}); });\n`,
  ],
  [
    'the second of two assertions',
    (d) =>
      `${IMPORT}test('adds', () => {\n  assert.equal(total([]), 0);\n  assert.equal(\n    total([1, 2]),\n    ${d},\n  );\n});\n`,
  ],
  [
    'a loop over rows',
    (d) =>
      `${IMPORT}for (const [items, want] of [[[], 0], [[1, 2], ${d}]]) {\n  test(\`sum \${want}\`, () => { assert.equal(total(items), want); });\n}\n`,
  ],
  [
    'a group',
    (d) =>
      `import { describe, it } from 'node:test';\n${IMPORT}describe('total', () => {\n  it('adds up', () => { assert.equal(total([1, 2]), ${d}); });\n});\n`,
  ],
];

const assertionForms: LabelledCase[] = ASSERTIONS.flatMap(([name, test], index) => [
  js({
    name: `${name}, code wrong`,
    label: 'code',
    spec: SPEC,
    code: WRONG.replace('xs.length', 'xs.length && xs.length + 7'),
    test: test('3'),
    runner: index % 2 ? 'node-tap' : 'node-spec',
  }),
  js({
    name: `${name}, test wrong`,
    label: 'test',
    spec: SPEC,
    code: RIGHT,
    test: test('4'),
    runner: index % 2 ? 'node-spec' : 'node-tap',
  }),
]);

const values: LabelledCase[] = [
  js({
    name: 'strings, code wrong',
    label: 'code',
    spec: "`slug('Hi There')` returns `'hi-there'`.",
    code: 'export const slug = (s) => s.toLowerCase();\n',
    test: "import { slug } from '../src/unit.js';\ntest('slug', () => { assert.equal(slug('Hi There'), 'hi-there'); });\n",
  }),
  js({
    name: 'strings without quotes in the spec',
    label: 'code',
    spec: "- `slug('Hi There')` → `hi-there`",
    code: 'export const slug = (s) => s.toLowerCase();\n',
    test: "import { slug } from '../src/unit.js';\ntest('slug', () => { assert.equal(slug('Hi There'), 'hi-there'); });\n",
  }),
  js({
    name: 'strings without quotes in the spec, test wrong',
    label: 'test',
    spec: "- `slug('Hi There')` → `hi-there`",
    code: "export const slug = (s) => s.toLowerCase().replaceAll(' ', '-');\n",
    test: "import { slug } from '../src/unit.js';\ntest('slug', () => { assert.equal(slug('Hi There'), 'hi_there'); });\n",
  }),
  js({
    name: 'objects, code wrong',
    label: 'code',
    spec: "- `split('a=1')` → `{ key: 'a', value: 1 }`",
    code: "export function split(s) { const [key, value] = s.split('='); return { key, value }; }\n",
    test: "import { split } from '../src/unit.js';\ntest('split', () => { assert.deepEqual(split('a=1'), { value: 1, key: 'a' }); });\n",
  }),
  js({
    name: 'arrays, test wrong',
    label: 'test',
    spec: '- `evens([1, 2, 4])` → `[2, 4]`',
    code: 'export const evens = (xs) => xs.filter((x) => x % 2 === 0);\n',
    test: "import { evens } from '../src/unit.js';\ntest('evens', () => { assert.deepEqual(evens([1, 2, 4]), [2]); });\n",
  }),
  js({
    name: 'arrays in TAP, code wrong',
    label: 'code',
    runner: 'node-tap',
    spec: '- `evens([1, 2, 4])` → `[2, 4]`',
    code: 'export const evens = (xs) => xs.filter((x) => x % 2);\n',
    test: "import { evens } from '../src/unit.js';\ntest('evens', () => { assert.deepEqual(evens([1, 2, 4]), [2, 4]); });\n",
  }),
  js({
    name: 'a promise, code wrong',
    label: 'code',
    spec: '- `load(1)` → `"one"`',
    code: "export async function load() { return 'two'; }\n",
    test: "import { load } from '../src/unit.js';\ntest('loads', async () => { assert.equal(await load(1), 'one'); });\n",
  }),
  js({
    name: 'a method of a new object, code wrong',
    label: 'code',
    spec: '- `new Cart([1, 2]).total()` → `3`',
    code: 'export class Cart {\n  constructor(xs) { this.xs = xs; }\n  total() { return 0; }\n}\n',
    test: "import { Cart } from '../src/unit.js';\ntest('cart', () => { assert.equal(new Cart([1, 2]).total(), 3); });\n",
  }),
  js({
    name: 'null is not undefined',
    label: 'unknown',
    spec: "- `find('x')` → `null`",
    code: 'export function find() {}\n',
    test: "import { find } from '../src/unit.js';\ntest('find', () => { assert.equal(find('x'), null); });\n",
  }),
  js({
    name: 'a float that is nearly right',
    label: 'unknown',
    spec: '- `add(0.1, 0.2)` → `0.3`',
    code: 'export const add = (a, b) => a + b;\n',
    test: "import { add } from '../src/unit.js';\ntest('add', () => { assert.equal(add(0.1, 0.2), 0.3); });\n",
  }),
  js({
    name: 'a throw that does not come, code wrong',
    label: 'code',
    spec: '- `parse(-1)` throws `RangeError`',
    code: 'export const parse = (n) => n;\n',
    test: "import { parse } from '../src/unit.js';\ntest('parse', () => { assert.throws(() => parse(-1), RangeError); });\n",
  }),
  js({
    name: 'a throw that must not come, code wrong',
    label: 'code',
    spec: '- `parse(-1)` → `0`',
    code: "export function parse(n) {\n  if (n < 0) throw new RangeError('negative');\n  return n;\n}\n",
    test: "import { parse } from '../src/unit.js';\ntest('parse', () => { assert.equal(parse(-1), 0); });\n",
  }),
  js({
    name: 'a value demanded where the spec throws, test wrong',
    label: 'test',
    spec: '- `parse(-1)` throws `RangeError`',
    code: "export function parse(n) {\n  if (n < 0) throw new RangeError('negative');\n  return n;\n}\n",
    test: "import { parse } from '../src/unit.js';\ntest('parse', () => {\n  const got = parse(-1);\n  assert.equal(got, 0);\n});\n",
  }),
  js({
    name: 'a truth, code wrong',
    label: 'code',
    spec: '- `isEven(2)` is `true`',
    code: 'export const isEven = (n) => n % 2 === 1;\n',
    test: "import { isEven } from '../src/unit.js';\ntest('even', () => { assert.equal(isEven(2), true); });\n",
  }),
];

const silent: LabelledCase[] = [
  js({
    name: 'the spec speaks of other arguments',
    label: 'unknown',
    missing: /total/,
    spec: '- `total([5])` → `5`',
    code: WRONG,
    test: adds('3'),
  }),
  js({
    name: 'the spec speaks of the rule only',
    label: 'unknown',
    missing: /C\d+ names/,
    spec: 'The function `total` adds all prices up.',
    code: WRONG,
    test: adds('3'),
  }),
  js({
    name: 'the spec does not speak of it',
    label: 'unknown',
    missing: /no clause speaks/,
    spec: 'A page about nothing.',
    code: WRONG,
    test: adds('3'),
  }),
  js({
    name: 'clauses contradict each other',
    label: 'unknown',
    missing: /C1 .*C2|C2 .*C1/,
    spec: '- `total([1, 2])` → `3`\n- `total([1, 2])` → `2`\n',
    code: WRONG,
    test: adds('3'),
  }),
  js({
    name: 'three values',
    label: 'unknown',
    missing: /something else/,
    spec: '- `total([1, 2])` → `9`',
    code: WRONG,
    test: adds('3'),
  }),
  js({
    name: 'a condition in the clause',
    label: 'unknown',
    spec: 'With tax enabled, `total([1, 2])` returns `3`.',
    code: WRONG,
    test: adds('3'),
  }),
  js({
    name: 'a condition in the heading',
    label: 'unknown',
    spec: '## In strict mode\n\n- `total([1, 2])` → `3`',
    code: WRONG,
    test: adds('3'),
  }),
  js({
    name: 'a negated clause',
    label: 'unknown',
    spec: '`total([1, 2])` must not return `3`.',
    code: WRONG,
    test: adds('3'),
  }),
  js({
    name: 'a defect told in an issue',
    label: 'unknown',
    source: 'issue #7',
    spec: 'There is a bug. `total([1, 2])` returns `2`, please look.',
    code: WRONG,
    test: adds('3'),
  }),
  js({
    name: 'the same call elsewhere under a condition',
    label: 'unknown',
    spec: '- `total([1, 2])` → `3`\n- When taxes apply, `total([1, 2])` returns `4`\n',
    code: RIGHT,
    test: adds('4'),
  }),
  js({
    name: 'an alternative in the clause',
    label: 'unknown',
    spec: '`total([1, 2])` returns `3` or `2`.',
    code: '\nexport const total = () => 7;\n',
    test: adds('3'),
  }),
];

const unclear: LabelledCase[] = [
  js({
    name: 'a function that is not exported',
    label: 'unknown',
    missing: /did not come out of the program/,
    spec: SPEC,
    code: 'const total = (xs) => xs.length;\nexport const other = total;\n',
    test: "import * as unit from '../src/unit.js';\ntest('adds', () => { assert.equal(unit.total([1, 2]), 3); });\n",
  }),
  js({
    name: 'a test that passes every other time',
    label: 'unknown',
    missing: /flaky/,
    everyAttempt: true,
    spec: SPEC,
    code: "import { existsSync, rmSync, writeFileSync } from 'node:fs';\nexport function total() {\n  const mark = new URL('mark', import.meta.url);\n  if (existsSync(mark)) { rmSync(mark); return 3; }\n  writeFileSync(mark, '');\n  return 2;\n}\n",
    test: adds('3'),
  }),
  js({
    name: 'values that differ between attempts',
    label: 'unknown',
    missing: /different/,
    everyAttempt: true,
    spec: SPEC,
    code: 'export const total = () => 10 + process.pid;\n',
    test: adds('3'),
  }),
  js({
    name: 'a setup that changes the program',
    label: 'unknown',
    spec: SPEC,
    code: 'let factor = 1;\nexport const scale = (n) => { factor = n; };\nexport const total = (xs) => xs.reduce((a, b) => a + b, 0);\nexport const used = () => factor;\n',
    test: "import { scale, total } from '../src/unit.js';\ntest('scaled', () => {\n  scale(2);\n  assert.equal(total([1, 2]), 6);\n});\n",
    missing: /may change/,
  }),
  js({
    name: 'a hook before the test',
    label: 'unknown',
    spec: SPEC,
    code: RIGHT,
    test: `import { beforeEach } from 'node:test';\n${IMPORT}beforeEach(() => { process.env.FACTOR = '2'; });\ntest('adds', () => { assert.equal(total([1, 2]), 6); });\n`,
    missing: /prepares/,
  }),
  js({
    name: 'an environment variable',
    label: 'unknown',
    spec: SPEC,
    code: RIGHT,
    test: `${IMPORT}test('adds', () => {\n  process.env.FACTOR = '2';\n  assert.equal(total([1, 2]), 6);\n});\n`,
    missing: /may change/,
  }),
  js({
    name: 'a counter called twice',
    label: 'unknown',
    spec: '- `next(1)` → `1`',
    code: 'export const next = () => 1;\n',
    test: "import { next } from '../src/unit.js';\ntest('counts', () => {\n  assert.equal(next(1), 1);\n  assert.equal(next(1), 2);\n});\n",
  }),
  js({
    name: 'a value that a test changes before',
    label: 'unknown',
    spec: SPEC,
    code: RIGHT,
    test: `${IMPORT}test('adds', () => {\n  const items = [1, 2];\n  items.push(3);\n  assert.equal(total(items), 4);\n});\n`,
  }),
  js({
    name: 'a function of the test itself',
    label: 'unknown',
    spec: SPEC,
    code: RIGHT,
    test: "const total = (xs) => xs.length;\ntest('adds', () => { assert.equal(total([1, 2]), 3); });\n",
  }),
  js({
    name: 'two functions of one name',
    label: 'unknown',
    missing: /both define/,
    spec: SPEC,
    code: WRONG,
    test: adds('3'),
    more: { 'src/invoice.js': RIGHT },
  }),
  js({
    name: 'a demand that is computed',
    label: 'unknown',
    missing: /literal/,
    spec: SPEC,
    code: WRONG,
    test: `${IMPORT}const want = () => 3;\ntest('adds', () => { assert.equal(total([1, 2]), want()); });\n`,
  }),
  js({
    name: 'a demand that something be otherwise',
    label: 'unknown',
    spec: SPEC,
    code: RIGHT,
    test: `${IMPORT}test('adds', () => { assert.notEqual(total([1, 2]), 3); });\n`,
  }),
  js({
    name: 'a mocked clock',
    label: 'unknown',
    spec: SPEC,
    code: RIGHT,
    test: `import { mock } from 'node:test';\n${IMPORT}test('adds', () => {\n  mock.timers.enable();\n  assert.equal(total([1, 2]), 4);\n});\n`,
  }),
  js({
    name: 'output that imitates the runner',
    label: 'unknown',
    spec: SPEC,
    code: "export const total = (xs) => {\n  console.log('    actual: 3,\\n    expected: 9,\\n    operator: x');\n  return 7;\n};\n",
    test: adds('4'),
  }),
];

/** jest on CommonJS, as most projects have it. */
function jest(shape: Shape): LabelledCase {
  const files = { 'package.json': '{}', 'src/unit.js': shape.code, 'test/unit.test.js': shape.test };
  return labelled(`jest: ${shape.name}`, shape, { runner: 'jest', files, spec: shape.spec });
}

const SUM = 'exports.total = (xs) => xs.reduce((a, b) => a + b, 0);\n';
const REQUIRE = "const { total } = require('../src/unit.js');\n";
const EVENS = "const { evens } = require('../src/unit.js');\n";

const jestCases: LabelledCase[] = [
  jest({
    name: 'toBe, code wrong',
    label: 'code',
    spec: SPEC,
    code: 'exports.total = (xs) => xs.length;\n',
    test: `${REQUIRE}test('adds', () => {\n  expect(total([1, 2])).toBe(3);\n});\n`,
  }),
  jest({
    name: 'test.each, test wrong',
    label: 'test',
    spec: SPEC,
    code: SUM,
    test: `${REQUIRE}test.each([\n  [[], 0],\n  [[1, 2], 4],\n])('adds %j to %d', (items, want) => {\n  expect(total(items)).toEqual(want);\n});\n`,
  }),
  jest({
    name: 'toEqual with a difference, code wrong',
    label: 'code',
    spec: '- `evens([1, 2, 4])` → `[2, 4]`',
    code: 'exports.evens = (xs) => xs.filter((x) => x % 2);\n',
    test: `${EVENS}test('evens', () => {\n  expect(evens([1, 2, 4])).toEqual([2, 4]);\n});\n`,
  }),
  jest({
    name: 'toThrow, code wrong',
    label: 'code',
    spec: '- `total(null)` throws `TypeError`',
    code: 'exports.total = () => 0;\n',
    test: `${REQUIRE}test('throws', () => {\n  expect(() => total(null)).toThrow(TypeError);\n});\n`,
  }),
  jest({
    name: 'toBeTruthy, code wrong',
    label: 'code',
    spec: '- `total([1, 2])` is `true`',
    code: 'exports.total = () => false;\n',
    test: `${REQUIRE}test('is', () => {\n  expect(total([1, 2])).toBeTruthy();\n});\n`,
  }),
  jest({
    name: 'not.toBe',
    label: 'unknown',
    spec: SPEC,
    code: SUM,
    test: `${REQUIRE}test('not', () => {\n  expect(total([1, 2])).not.toBe(3);\n});\n`,
  }),
  jest({
    name: 'a spied module',
    label: 'unknown',
    spec: SPEC,
    code: SUM,
    test: `jest.mock('../src/unit.js', () => ({ total: () => 3 }));\n${REQUIRE}test('adds', () => {\n  expect(total([1, 2])).toBe(4);\n});\n`,
  }),
];

const PY_RIGHT = 'def total(xs):\n    return sum(xs)\n';
const PY_WRONG = 'def total(xs):\n    return len(xs) + 7\n';
const PY_TESTS: readonly (readonly [string, Runner, (demand: string) => string])[] = [
  [
    'plain assert',
    'pytest',
    (d) => `from unit import total\n\n\ndef test_total():\n    assert total([1, 2]) == ${d}\n`,
  ],
  [
    'swapped sides',
    'pytest',
    (d) => `from unit import total\n\n\ndef test_total():\n    assert ${d} == total([1, 2])\n`,
  ],
  [
    'names',
    'pytest',
    (d) =>
      `import unit\n\nITEMS = [1, 2]\n\n\ndef test_total():\n    result = unit.total(ITEMS)\n    assert result == ${d}, "off"\n`,
  ],
  [
    'parametrize',
    'pytest',
    (d) =>
      `import pytest\nfrom unit import total\n\n\n@pytest.mark.parametrize("items, want", [([], 0), pytest.param([1, 2], ${d}, id="two")])\ndef test_total(items, want):\n    assert total(items) == want\n`,
  ],
  [
    'a class',
    'pytest',
    (d) =>
      `from unit import total\n\n\nclass TestTotal:\n    def test_total(self):\n        assert total([1, 2]) == ${d}\n`,
  ],
  [
    'assertEqual',
    'unittest',
    (d) =>
      `import unittest\nfrom unit import total\n\n\nclass TotalTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([1, 2]), ${d})\n\n\nif __name__ == "__main__":\n    unittest.main()\n`,
  ],
  [
    'assertEqual with swapped sides and a message',
    'unittest',
    (d) =>
      `import unittest\nimport unit as u\n\n\nclass TotalTest(unittest.TestCase):\n    def test_total(self):\n        want = ${d}\n        self.assertEqual(want, u.total([1, 2]), "sum is off")\n`,
  ],
];

const pythonForms: LabelledCase[] = PY_TESTS.flatMap(([name, runner, test]) => [
  py({
    name: `${name}, code wrong`,
    label: 'code',
    runner,
    spec: SPEC,
    code: PY_WRONG.replace('len(xs) + 7', 'len(xs) and 9'),
    test: test('3'),
  }),
  py({
    name: `${name}, test wrong`,
    label: 'test',
    runner,
    spec: '# T\n\n>>> total([1, 2])\n3\n',
    code: PY_RIGHT,
    test: test('4'),
  }),
]);

const pythonValues: LabelledCase[] = [
  py({
    name: 'dictionaries, code wrong',
    label: 'code',
    spec: "- `count('aab')` → `{'a': 2, 'b': 1}`",
    code: 'def count(s):\n    return {c: 1 for c in s}\n',
    test: "from unit import count\n\n\ndef test_count():\n    assert count('aab') == {'b': 1, 'a': 2}\n",
  }),
  py({
    name: 'strings in unittest, test wrong',
    label: 'test',
    runner: 'unittest',
    spec: "- `shout('a')` → `'A'`",
    code: 'def shout(s):\n    return s.upper()\n',
    test: "import unittest\nfrom unit import shout\n\n\nclass ShoutTest(unittest.TestCase):\n    def test_shout(self):\n        self.assertEqual(shout('a'), 'A!')\n",
  }),
  py({
    name: 'lists in unittest, code wrong',
    label: 'code',
    runner: 'unittest',
    spec: '- `evens([1, 2, 4])` → `[2, 4]`',
    code: 'def evens(xs):\n    return [x for x in xs if x % 2]\n',
    test: 'import unittest\nfrom unit import evens\n\n\nclass EvensTest(unittest.TestCase):\n    def test_evens(self):\n        self.assertEqual(evens([1, 2, 4]), [2, 4])\n',
  }),
  py({
    name: 'a tuple where a list is said',
    label: 'unknown',
    spec: '- `pair(1)` → `(1, 1)`',
    code: 'def pair(x):\n    return [x, x]\n',
    test: 'from unit import pair\n\n\ndef test_pair():\n    assert pair(1) == (1, 1)\n',
  }),
  py({
    name: 'an error that does not come, code wrong',
    label: 'code',
    spec: '- `parse(-1)` raises `ValueError`',
    code: 'def parse(n):\n    return n\n',
    test: 'import pytest\nfrom unit import parse\n\n\ndef test_parse():\n    with pytest.raises(ValueError):\n        parse(-1)\n',
  }),
  py({
    name: 'assertRaises, code wrong',
    label: 'code',
    runner: 'unittest',
    spec: '- `parse(-1)` raises `ValueError`',
    code: 'def parse(n):\n    return n\n',
    test: 'import unittest\nfrom unit import parse\n\n\nclass ParseTest(unittest.TestCase):\n    def test_parse(self):\n        self.assertRaises(ValueError, parse, -1)\n',
  }),
  py({
    name: 'an error that must not come, code wrong',
    label: 'code',
    spec: '- `parse(-1)` → `0`',
    code: 'def parse(n):\n    if n < 0:\n        raise ValueError("negative")\n    return n\n',
    test: 'from unit import parse\n\n\ndef test_parse():\n    assert parse(-1) == 0\n',
  }),
  py({
    name: 'assertTrue, code wrong',
    label: 'code',
    runner: 'unittest',
    spec: '- `is_even(2)` is `True`',
    code: 'def is_even(n):\n    return n % 2 == 1\n',
    test: 'import unittest\nfrom unit import is_even\n\n\nclass EvenTest(unittest.TestCase):\n    def test_even(self):\n        self.assertTrue(is_even(2))\n',
  }),
  py({
    name: 'assertFalse, test wrong',
    label: 'test',
    runner: 'unittest',
    spec: '- `is_even(2)` is `True`',
    code: 'def is_even(n):\n    return n % 2 == 0\n',
    test: 'import unittest\nfrom unit import is_even\n\n\nclass EvenTest(unittest.TestCase):\n    def test_even(self):\n        self.assertFalse(is_even(2))\n',
  }),
  py({
    name: 'approx, code wrong',
    label: 'code',
    spec: '- `half(3)` → `1.5`',
    code: 'def half(n):\n    return n // 2\n',
    test: 'import pytest\nfrom unit import half\n\n\ndef test_half():\n    assert half(3) == pytest.approx(1.5)\n',
  }),
  py({
    name: 'assertAlmostEqual, test wrong',
    label: 'test',
    runner: 'unittest',
    spec: '- `half(3)` → `1.5`',
    code: 'def half(n):\n    return n / 2\n',
    test: 'import unittest\nfrom unit import half\n\n\nclass HalfTest(unittest.TestCase):\n    def test_half(self):\n        self.assertAlmostEqual(half(3), 1.75)\n',
  }),
];

const pythonUnclear: LabelledCase[] = [
  py({
    name: 'a fixture',
    label: 'unknown',
    missing: /fixture/,
    spec: SPEC,
    code: PY_RIGHT,
    test: 'import pytest\nfrom unit import total\n\n\n@pytest.fixture\ndef taxed():\n    pass\n\n\ndef test_total(taxed):\n    assert total([1, 2]) == 4\n',
  }),
  py({
    name: 'setUp',
    label: 'unknown',
    missing: /prepares/,
    runner: 'unittest',
    spec: SPEC,
    code: PY_RIGHT,
    test: 'import os\nimport unittest\nfrom unit import total\n\n\nclass TotalTest(unittest.TestCase):\n    def setUp(self):\n        os.environ["F"] = "2"\n\n    def test_total(self):\n        self.assertEqual(total([1, 2]), 6)\n',
  }),
  py({
    name: 'a loop in the test',
    label: 'unknown',
    spec: SPEC,
    code: PY_WRONG,
    test: 'from unit import total\n\n\ndef test_total():\n    for items in ([1, 2],):\n        assert total(items) == 3\n',
  }),
  py({
    name: 'a function of the standard library',
    label: 'unknown',
    missing: /not in the project/,
    spec: '- `floor(1.5)` → `2`',
    code: 'def floor(x):\n    return 2\n',
    test: 'from math import floor\n\n\ndef test_floor():\n    assert floor(1.5) == 2\n',
  }),
  py({
    name: 'a rule without a value',
    label: 'unknown',
    spec: '`total` adds all prices.',
    code: PY_WRONG,
    test: 'from unit import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n',
  }),
  py({
    name: 'three values',
    label: 'unknown',
    spec: '- `total([1, 2])` → `5`',
    code: PY_WRONG,
    test: 'from unit import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n',
  }),
];

export const CASES: readonly LabelledCase[] = [
  ...clauseForms,
  ...assertionForms,
  ...values,
  ...silent,
  ...unclear,
  ...jestCases,
  ...pythonForms,
  ...pythonValues,
  ...pythonUnclear,
];
