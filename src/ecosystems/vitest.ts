/** Vitest. */
import { commandLine, flagsOf } from './command-line.ts';
import type { Ecosystem } from './ecosystem.ts';
import { detectByPackage } from './package-json.ts';
import { fullNamePattern, titlesOf } from './test-name.ts';

const VALUED = [
  '-c',
  '--config',
  '-r',
  '--root',
  '--dir',
  '--project',
  '--pool',
  '--environment',
  '--reporter',
  '-t',
  '--testNamePattern',
  '--shard',
  '--outputFile',
];
const DROPPED = [
  '-t',
  '--testNamePattern',
  '--shard',
  '-w',
  '--watch',
  '--coverage',
  '--coverage.enabled',
  '--changed',
  '--bail',
  '--reporter',
  '--outputFile',
  '--silent',
];

export const vitest: Ecosystem = {
  id: 'vitest',
  plain: ['npx', 'vitest', 'run'],
  detect: (files, read) => detectByPackage(files, read, 'vitest'),
  single(test, command) {
    const line = commandLine(command);
    const file = test.file === null ? [] : [test.file];
    const run = line.program === 'npm-script' ? ['--run'] : ['run'];
    const pattern = fullNamePattern(titlesOf(test.name, test.file));
    return [...line.head, ...run, ...flagsOf(line.args, VALUED, DROPPED), ...file, '-t', pattern];
  },
  instrumentation: { env: { FORCE_COLOR: '0' }, flags: ['--coverage.enabled=false'] },
};
