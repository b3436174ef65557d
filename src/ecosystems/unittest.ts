/** unittest, Python's own runner. */
import { commandLine, flagsOf, positionalsOf } from './command-line.ts';
import type { Ecosystem } from './ecosystem.ts';
import { pipSetup, TEST_FILE } from './python-project.ts';

const VALUED = ['-s', '--start-directory', '-p', '--pattern', '-t', '--top-level-directory', '-k'];
const DROPPED = ['-k', '-f', '--failfast', '-q', '--quiet', '-v', '--verbose'];

export const unittest: Ecosystem = {
  id: 'unittest',
  plain: ['python3', '-m', 'unittest'],
  detect(files, read) {
    const tests = files.filter((file) => TEST_FILE.test(file) && /(?:^|\/)test_/.test(file));
    const first = tests[0];
    if (first === undefined) return null;
    const folder = first.includes('/') ? first.slice(0, first.lastIndexOf('/')) : '.';
    const start = folder === '.' || files.includes(`${folder}/__init__.py`) ? [] : ['-s', folder];
    return {
      command: ['python3', '-m', 'unittest', 'discover', ...start],
      setup: pipSetup(files, read),
      because: `${first} is named as unittest expects, and nothing speaks of another runner`,
    };
  },
  single(test, command) {
    const line = commandLine(command);
    const name = dottedName(test.name);
    if (line.program !== 'unittest' || name === null) return null;
    const flags = flagsOf(line.args, VALUED, DROPPED);
    // Discovery decides what modules are called, so it stays, narrowed by a pattern.
    const named = positionalsOf(line.args, VALUED);
    const discovers = named.length === 0 || named[0] === 'discover';
    return discovers ? [...line.head, 'discover', ...flags, '-k', `*${name}`] : [...line.head, ...flags, name];
  },
  instrumentation: { env: { PYTHONDONTWRITEBYTECODE: '1' }, flags: ['-v', '--locals'] },
};

/** `test_x (pkg.test_a.TestX.test_x)`, the same without the method (before Python 3.11), or dotted already. */
function dottedName(name: string): string | null {
  const titled = /^(\w+) \(([\w.]+)\)/.exec(name);
  if (titled === null) return /^[\w.]+$/.test(name) ? name : null;
  const [, method = '', path = ''] = titled;
  if (path.includes('_FailedTest')) return method;
  if (/^(?:setUp|tearDown)(?:Class|Module)$/.test(method)) return `${path}.*`;
  return path.endsWith(`.${method}`) ? path : `${path}.${method}`;
}
