/** go test. */
import { commandLine, flagsOf, positionalsOf } from './command-line.ts';
import type { Ecosystem } from './ecosystem.ts';

const VALUED = [
  '-run',
  '-skip',
  '-tags',
  '-timeout',
  '-count',
  '-p',
  '-parallel',
  '-cpu',
  '-mod',
  '-modfile',
  '-ldflags',
  '-gcflags',
  '-covermode',
  '-coverpkg',
  '-coverprofile',
  '-shuffle',
  '-vet',
];
const DROPPED = [
  '-run',
  '-skip',
  '-count',
  '-failfast',
  '-json',
  '-v',
  '-cover',
  '-covermode',
  '-coverpkg',
  '-coverprofile',
  '-shuffle',
];

export const goTest: Ecosystem = {
  id: 'go-test',
  plain: ['go', 'test', './...'],
  detect(files) {
    if (!files.includes('go.mod') || !files.some((file) => file.endsWith('_test.go'))) return null;
    const setup =
      files.includes('go.sum') && !files.some((file) => file.startsWith('vendor/')) ? ['go', 'mod', 'download'] : null;
    return { command: ['go', 'test', './...'], setup, because: 'go.mod and test files are there' };
  },
  single(test, command) {
    const line = commandLine(command);
    const name = /(?:^|[.\s])((?:Test|Example|Fuzz)[^\s]*)$/.exec(test.name.trim().replace(/ /g, '_'))?.[1];
    if (line.program !== 'go' || line.args[0] !== 'test' || name === undefined) return null;
    const args = line.args.slice(1);
    const flags = flagsOf(args, VALUED, DROPPED);
    const packages = test.file?.endsWith('_test.go') ? [folderOf(test.file)] : packagesOf(args);
    return [...line.head, 'test', ...flags, '-run', runPattern(name), '-count=1', ...packages];
  },
  instrumentation: { env: { GOTRACEBACK: 'all' }, flags: ['-v'] },
};

/** Each level of a subtest has its own pattern. */
function runPattern(name: string): string {
  return name
    .split('/')
    .map((part) => `^${part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
    .join('/');
}

function folderOf(file: string): string {
  const end = file.lastIndexOf('/');
  return end < 0 ? '.' : `./${file.slice(0, end)}`;
}

function packagesOf(args: readonly string[]): readonly string[] {
  const named = positionalsOf(args, VALUED);
  return named.length > 0 ? named : ['./...'];
}
