/** Small repositories for tests, pushed to the simulator by real git. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

export type Files = Readonly<Record<string, string>>;

/** A shop whose spec says what a parcel costs; `cost` is what the code computes for 3 kg, `asserted` what the test demands. */
export function shop({ cost, asserted }: { cost: number; asserted: number }): Files {
  return {
    'package.json': JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test' } }),
    'docs/spec.md':
      '# Shipping\n\n- `parcelCost(3)` returns `7`.\n- A parcel costs nothing when the order is over 100.\n',
    'src/parcel.js': `export function parcelCost(kilos) {\n  return kilos + ${cost - 3};\n}\n`,
    'test/parcel.test.js': [
      "import assert from 'node:assert/strict';",
      "import { test } from 'node:test';",
      "import { parcelCost } from '../src/parcel.js';",
      '',
      "test('a parcel of three kilos', () => {",
      `  assert.equal(parcelCost(3), ${asserted});`,
      '});',
      '',
    ].join('\n'),
  };
}

/** The shop with a test that needs what `node install.mjs` installs. */
export function shopToInstall(prices: { cost: number; asserted: number }): Files {
  const files = shop(prices);
  return {
    ...files,
    'install.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('installed.mjs', '');\n",
    'test/parcel.test.js': (files['test/parcel.test.js'] ?? '').replace('\n\n', "\nimport '../installed.mjs';\n"),
  };
}

/** The same shop in Python, tested by unittest. */
export function pythonShop({ cost, asserted }: { cost: number; asserted: number }): Files {
  return {
    'docs/spec.md': '# Shipping\n\n- `parcel_cost(3)` returns `7`.\n',
    'parcel.py': `def parcel_cost(kilos):\n    return kilos + ${cost - 3}\n`,
    'test_parcel.py': [
      'import unittest',
      'from parcel import parcel_cost',
      '',
      '',
      'class ParcelTest(unittest.TestCase):',
      '    def test_three_kilos(self):',
      `        self.assertEqual(parcel_cost(3), ${asserted})`,
      '',
    ].join('\n'),
  };
}

/** Commits the files on a branch (from scratch) and pushes it. Returns the SHA. */
export async function pushFiles(remote: string, branch: string, files: Files, message = 'Change'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'inquest-push-'));
  try {
    const git = (...argv: string[]) =>
      execa('git', argv, { cwd: folder, env: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' } });
    await git('init', '--quiet', '--initial-branch', 'start');
    const { exitCode } = await execa('git', ['fetch', '--quiet', remote, branch], { cwd: folder, reject: false });
    if (exitCode === 0) await git('checkout', '--quiet', '-B', branch, 'FETCH_HEAD');
    else if (
      (await execa('git', ['fetch', '--quiet', remote, 'main'], { cwd: folder, reject: false })).exitCode === 0
    ) {
      await git('checkout', '--quiet', '-B', branch, 'FETCH_HEAD');
    } else await git('checkout', '--quiet', '-B', branch);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await git('add', '--all');
    await git(
      '-c',
      'user.name=Dev',
      '-c',
      'user.email=dev@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      message,
    );
    await git('push', '--quiet', remote, `HEAD:refs/heads/${branch}`);
    return (await git('rev-parse', 'HEAD')).stdout.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What `node --test` prints for the failing test of `shop`, as an Actions log. */
export function failingLog({ cost, asserted }: { cost: number; asserted: number }): string {
  const lines = [
    '##[group]Run node --test',
    'node --test',
    '##[endgroup]',
    'TAP version 13',
    '# Subtest: a parcel of three kilos',
    'not ok 1 - a parcel of three kilos',
    '  ---',
    '  duration_ms: 1.5',
    "  location: '/home/runner/work/shop/shop/test/parcel.test.js:5:1'",
    "  failureType: 'testCodeFailure'",
    '  error: |-',
    '    Expected values to be strictly equal:',
    '    ',
    `    ${cost} !== ${asserted}`,
    '    ',
    "  code: 'ERR_ASSERTION'",
    "  name: 'AssertionError'",
    `  expected: ${asserted}`,
    `  actual: ${cost}`,
    "  operator: 'strictEqual'",
    '  stack: |-',
    '    TestContext.<anonymous> (file:///home/runner/work/shop/shop/test/parcel.test.js:6:10)',
    '    Test.runInAsyncScope (node:async_hooks:203:9)',
    '  ...',
    '1..1',
    '# tests 1',
    '# pass 0',
    '# fail 1',
    '##[error]Process completed with exit code 1.',
  ];
  return stamped(lines);
}

/** What `python -m unittest` prints for the failing test of `pythonShop`, as an Actions log. */
export function unittestLog({ cost, asserted }: { cost: number; asserted: number }): string {
  return stamped([
    '##[group]Run python -m unittest',
    'python -m unittest',
    '##[endgroup]',
    'F',
    '======================================================================',
    'FAIL: test_three_kilos (test_parcel.ParcelTest.test_three_kilos)',
    '----------------------------------------------------------------------',
    'Traceback (most recent call last):',
    '  File "/home/runner/work/shop/shop/test_parcel.py", line 7, in test_three_kilos',
    `    self.assertEqual(parcel_cost(3), ${asserted})`,
    `AssertionError: ${cost} != ${asserted}`,
    '',
    '----------------------------------------------------------------------',
    'Ran 1 test in 0.000s',
    '',
    'FAILED (failures=1)',
    '##[error]Process completed with exit code 1.',
  ]);
}

/** Lines as Actions keeps them, each with its time. */
export function stamped(lines: readonly string[]): string {
  return lines
    .map((line, index) => `2026-01-05T10:00:${String(index % 60).padStart(2, '0')}.1234567Z ${line}`)
    .join('\n');
}
