import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CliFolder } from './run-cli.ts';

const LOG = [
  'TAP version 13',
  '# Subtest: halves an even number',
  'not ok 1 - halves an even number',
  '  ---',
  "  location: '/ci/test/half.test.js:4:1'",
  "  failureType: 'testCodeFailure'",
  '  error: |-',
  '    Expected values to be strictly equal:',
  '    ',
  '    4 !== 3',
  '    ',
  "  code: 'ERR_ASSERTION'",
  '  expected: 3',
  '  actual: 4',
  "  operator: 'strictEqual'",
  '  ...',
  '1..1',
  '# tests 1',
  '# pass 0',
  '# fail 1',
  '',
].join('\n');

const PROJECT = {
  'ci.log': LOG,
  'repo/package.json': '{ "name": "half", "type": "module", "scripts": { "test": "node --test" } }\n',
  'repo/src/half.js': 'export const half = (n) => n - 2;\n',
  'repo/test/half.test.js': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { half } from '../src/half.js';",
    "test('halves an even number', () => {",
    '  assert.equal(half(6), 3);',
    '});',
    '',
  ].join('\n'),
  'repo/docs/spec.md': '# Half\n\n- `half(6)` → `3`\n',
};

let folder: CliFolder;

afterEach(() => folder.remove());

describe('diagnose with --repo and --spec', () => {
  it('runs the failing test again, judges it by the spec, and leaves the folder as it was', async () => {
    folder = await CliFolder.create(PROJECT);
    const before = await readdir(join(folder.path, 'repo'), { recursive: true });
    const args = ['diagnose', 'ci.log', '--repo', 'repo', '--spec', 'docs/spec.md', '--json'];
    const { code, out, err } = await folder.run(args, { env: process.env as Record<string, string> });
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(JSON.parse(out).report).toMatchObject({ action: 'route_code', failures: [{ cause: 'code' }] });
    expect(await readdir(join(folder.path, 'repo'), { recursive: true })).toEqual(before);
  });

  it('says which spec is missing', async () => {
    folder = await CliFolder.create(PROJECT);
    const { code, err } = await folder.run(['diagnose', 'ci.log', '--repo', 'repo', '--spec', 'gone.md']);
    expect({ code, err }).toEqual({ code: 2, err: 'inquest: gone.md does not exist.\n' });
  });

  it('says that the repository is missing', async () => {
    folder = await CliFolder.create(PROJECT);
    const { code, err } = await folder.run(['diagnose', 'ci.log', '--repo', 'gone']);
    expect(code).toBe(2);
    expect(err).toContain('gone');
  });
});
