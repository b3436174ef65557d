import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ecosystemById } from '../../src/ecosystems/registry.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'inquest-test-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function project(name: string, files: Readonly<Record<string, string>>): string {
  const dir = join(root, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

/** Runs the command for one test, with the ecosystem's instrumentation, as a run does. */
function runSingle(ecosystemId: string, dir: string, command: string[], name: string, file: string | null): string {
  const ecosystem = ecosystemById(ecosystemId);
  const single = ecosystem?.single({ name, file, runner: ecosystemId }, command);
  if (!ecosystem || !single) throw new Error(`${name} cannot be run alone`);
  const [program = '', ...args] = [...single, ...ecosystem.instrumentation.flags];
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...ecosystem.instrumentation.env };
  const result = spawnSync(program, args, { cwd: dir, env, encoding: 'utf8' });
  return result.stdout + result.stderr;
}

/** Each test prints `ran:<id>` when it really runs. */
function ran(output: string): string[] {
  return [...new Set([...output.matchAll(/ran:(\w+)/g)].map((found) => found[1] ?? ''))].sort();
}

describe('node:test runs the named test', () => {
  const file = 'test/a.test.js';
  const dir = () =>
    project('node', {
      [file]: `
        const { describe, it, test } = require('node:test');
        const assert = require('node:assert');
        const check = (id) => () => { console.log('ran:' + id); assert.strictEqual(1, 2); };
        describe('outer (x+y)', () => {
          describe('inner', () => { it('adds [1] a/b', check('nested')); it('adds [1] a/b more', check('longer')); });
          it('other', check('other'));
        });
        test('a > b', check('arrow'));
        test('costs $5.00? yes|no', check('special'));
      `,
      'test/b.test.js': `require('node:test').test('other', () => console.log('ran:elsewhere'));`,
    });

  it.each([
    ['outer (x+y) > inner > adds [1] a/b', ['nested']],
    ['outer (x+y) > other', ['other']],
    ['a > b', ['arrow']],
    ['costs $5.00? yes|no', ['special']],
  ])('%s', (name, expected) => {
    const output = runSingle('node-test', dir(), ['node', '--test'], name, file);
    expect(ran(output)).toEqual(expected);
    expect(output).toMatch(/1 !== 2/);
  });
});

describe('unittest runs the named test', () => {
  const body = (id: string) => `
import unittest
class TestX(unittest.TestCase):
    def test_a(self):
        print("ran:${id}a")
        self.assertEqual(1, 2)
    def test_ab(self):
        print("ran:${id}ab")
`;

  it('as Python 3.11 names it, through discovery', () => {
    const dir = project('unittest', { 'tests/test_one.py': body('one'), 'tests/test_two.py': body('two') });
    const command = ['python3', '-m', 'unittest', 'discover', '-s', 'tests'];
    expect(ran(runSingle('unittest', dir, command, 'test_a (test_one.TestX.test_a)', null))).toEqual(['onea']);
    expect(ran(runSingle('unittest', dir, command, 'test_ab (test_two.TestX)', null))).toEqual(['twoab']);
  });

  it('by its dotted name where modules are named in the command', () => {
    const dir = project('unittest-named', { 'test_one.py': body('one') });
    const command = ['python3', '-m', 'unittest', '-v', 'test_one'];
    const output = runSingle('unittest', dir, command, 'test_a (test_one.TestX.test_a)', null);
    expect(ran(output)).toEqual(['onea']);
    expect(output).toContain('AssertionError: 1 != 2');
  });
});

describe('pytest runs the named test', () => {
  const installed = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
  const files = {
    'tests/test_a.py': `
import pytest
@pytest.mark.parametrize("n", ["1", "2 [x]"])
def test_p(n):
    print("ra" + "n:p" + n[0])
    assert n == "0"
class TestX:
    def test_m(self):
        print("ra" + "n:m")
        assert 0
`,
  };

  (installed ? it : it.skip).each([
    ['tests/test_a.py::test_p[2 [x]]', null, ['p2']],
    ['tests/test_a.py::TestX::test_m', 'tests/test_a.py', ['m']],
    ['tests.test_a.TestX.test_m', null, ['m']],
    ['tests.test_a.test_p[1]', 'tests/test_a.py', ['p1']],
  ])('%s', (name, file, expected) => {
    const output = runSingle(
      'pytest',
      project('pytest', files),
      ['python3', '-m', 'pytest', '-q', 'tests'],
      name,
      file,
    );
    expect(ran(output)).toEqual(expected);
  });
});

describe('jest runs the named test', () => {
  it('of several that begin alike', () => {
    const file = 'a.test.js';
    const dir = project('jest', {
      'package.json': '{}',
      [file]: `
        const check = (id) => () => { console.log('ran:' + id); expect(1).toBe(2); };
        describe('sum (a)', () => { test('adds', check('adds')); test('adds more', check('more')); });
        describe('other', () => { test('adds', check('other')); });
      `,
    });
    const command = ['node', join(process.cwd(), 'node_modules/jest/bin/jest.js'), '--coverage'];
    const output = runSingle('jest', dir, command, 'sum (a) › adds', file);
    expect(ran(output)).toEqual(['adds']);
  });
});

describe('commands of runners that need a tool chain', () => {
  const single = (id: string, name: string, file: string | null, command: string[]) =>
    ecosystemById(id)?.single({ name, file, runner: id }, command);

  it.each([
    [
      'go-test',
      'TestX/a_(b)',
      'pkg/x_test.go',
      'go test -race -v ./...',
      ['go', 'test', '-race', '-run', '^TestX$/^a_\\(b\\)$', '-count=1', './pkg'],
    ],
    [
      'go-test',
      'example.com/m/pkg.TestX',
      null,
      'go test -tags unit ./a ./b',
      ['go', 'test', '-tags', 'unit', '-run', '^TestX$', '-count=1', './a', './b'],
    ],
    [
      'cargo-test',
      'tests::adds',
      null,
      'cargo test --all -- --test-threads=1',
      ['cargo', 'test', '--all', '--', 'tests::adds', '--exact', '--nocapture'],
    ],
    [
      'cargo-test',
      'my-crate tests::adds',
      null,
      'cargo nextest run',
      ['cargo', 'nextest', 'run', '-E', 'test(=tests::adds)'],
    ],
    [
      'vitest',
      'src/a.test.ts > sum > adds (1)',
      'src/a.test.ts',
      'npx vitest run --coverage --config v.ts',
      ['npx', 'vitest', 'run', '--config', 'v.ts', 'src/a.test.ts', '-t', '^sum(?: | [›>»] )adds\\s+\\(1\\)$'],
    ],
    [
      'mocha',
      'sum > adds',
      'test/a.js',
      'node_modules/.bin/mocha -r ts-node/register test/*.js',
      ['node_modules/.bin/mocha', '-r', 'ts-node/register', 'test/a.js', '--grep', '^sum(?: | [›>»] )adds$'],
    ],
    [
      'jest',
      'a › b',
      'x.test.ts',
      'npm test',
      ['npm', 'test', '--', '--runTestsByPath', 'x.test.ts', '-t', '^a(?: | [›>»] )b$'],
    ],
    ['pytest', 'a.py::t', null, 'poetry run pytest -x -n 4 tests', ['poetry', 'run', 'pytest', 'a.py::t']],
  ])('%s: %s', (id, name, file, command, expected) => {
    expect(single(id, name, file, command.split(' '))).toEqual(expected);
  });

  it('is null where the command does not allow it', () => {
    expect(single('node-test', 'a', 'a.test.js', ['npm', 'test'])).toBeNull();
    expect(single('go-test', 'not a test', null, ['make', 'check'])).toBeNull();
    expect(single('cargo-test', 'a', null, ['make'])).toBeNull();
  });
});
