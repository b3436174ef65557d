/** pytest. */
import { commandLine, flagsOf } from './command-line.ts';
import type { Ecosystem, TestRef } from './ecosystem.ts';
import { pipSetup, TEST_FILE } from './python-project.ts';

const VALUED = [
  '-c',
  '-k',
  '-m',
  '-n',
  '-p',
  '-o',
  '-W',
  '--rootdir',
  '--maxfail',
  '--junitxml',
  '--junit-xml',
  '--ignore',
  '--tb',
  '--import-mode',
  '--deselect',
];
const DROPPED = [
  '-k',
  '-m',
  '-n',
  '-x',
  '-q',
  '-qq',
  '--quiet',
  '--lf',
  '--ff',
  '--maxfail',
  '--junitxml',
  '--junit-xml',
  '--tb',
  '--deselect',
  '--cov',
  '--cov-report',
  '--cov-fail-under',
];

export const pytest: Ecosystem = {
  id: 'pytest',
  plain: ['python3', '-m', 'pytest'],
  detect(files, read) {
    const found = EVIDENCE.map(([because, holds]) => (holds(files, read) ? because : null)).find(
      (text) => text !== null,
    );
    if (found === undefined || !files.some((file) => TEST_FILE.test(file))) return null;
    return { command: ['python3', '-m', 'pytest'], setup: pipSetup(files, read), because: found };
  },
  single(test, command) {
    const line = commandLine(command);
    const id = nodeId(test);
    return id === null ? null : [...line.head, ...flagsOf(line.args, VALUED, DROPPED), id];
  },
  instrumentation: {
    env: { PYTHONDONTWRITEBYTECODE: '1', COLUMNS: '200' },
    flags: ['--showlocals', '-vv', '--tb=long', '--color=no'],
  },
};

type Evidence = readonly [
  because: string,
  holds: (files: readonly string[], read: (path: string) => string | null) => boolean,
];

/** Imports it, or has a test outside of any class, which unittest does not find. */
const USES_PYTEST = /^(?:import|from)[ \t]+pytest\b|^(?:async[ \t]+)?def[ \t]+test_/m;

const EVIDENCE: readonly Evidence[] = [
  ['pytest.ini is there', (files) => files.includes('pytest.ini')],
  ['pyproject.toml speaks of pytest', (_, read) => /\bpytest\b/.test(read('pyproject.toml') ?? '')],
  ['setup.cfg speaks of pytest', (_, read) => /\bpytest\b/.test(read('setup.cfg') ?? '')],
  ['tox.ini speaks of pytest', (_, read) => /\bpytest\b/.test(read('tox.ini') ?? '')],
  ['a conftest.py is there', (files) => files.some((file) => /(?:^|\/)conftest\.py$/.test(file))],
  [
    'test files are written for pytest',
    (files, read) => files.filter((file) => TEST_FILE.test(file)).some((file) => USES_PYTEST.test(read(file) ?? '')),
  ],
  [
    'the requirements name pytest',
    (files, read) => files.some((file) => /^requirements[^/]*\.txt$/.test(file) && /^pytest\b/m.test(read(file) ?? '')),
  ],
];

/** `tests/test_a.py::TestX::test_y[1]` as it is; JUnit's `tests.test_a.TestX.test_y[1]` is turned into it. */
function nodeId({ name, file }: TestRef): string | null {
  if (name.includes('::')) return name;
  const bracket = name.indexOf('[');
  const [dotted, parameters] = bracket < 0 ? [name, ''] : [name.slice(0, bracket), name.slice(bracket)];
  if (!/^[\w.]+$/.test(dotted)) return file;
  const module = file?.endsWith('.py') ? file.slice(0, -3).replaceAll('/', '.') : moduleOf(dotted);
  if (module === null) return null;
  const own = dotted.startsWith(`${module}.`) ? dotted.slice(module.length + 1) : dotted;
  const path = file?.endsWith('.py') ? file : `${module.replaceAll('.', '/')}.py`;
  return `${path}::${own.replaceAll('.', '::')}${parameters}`;
}

/** Up to the part that is named as a test module. */
function moduleOf(dotted: string): string | null {
  const parts = dotted.split('.');
  const last = parts.findIndex((part, index) => index < parts.length - 1 && /^test_|_test$/.test(part));
  return last < 0 ? null : parts.slice(0, last + 1).join('.');
}
