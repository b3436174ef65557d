/** Jest. */
import { commandLine, flagsOf } from './command-line.ts';
import type { Ecosystem } from './ecosystem.ts';
import { detectByPackage } from './package-json.ts';
import { fullNamePattern, titlesOf } from './test-name.ts';

const VALUED = [
  '-c',
  '--config',
  '-w',
  '--maxWorkers',
  '--rootDir',
  '--testTimeout',
  '--env',
  '--reporters',
  '-t',
  '--testNamePattern',
  '--shard',
  '--coverageReporters',
  '--coverageDirectory',
];
const DROPPED = [
  '-t',
  '--testNamePattern',
  '--shard',
  '--watch',
  '--watchAll',
  '--coverage',
  '--onlyChanged',
  '-o',
  '--bail',
  '-b',
  '--findRelatedTests',
  '--runTestsByPath',
  '--silent',
  '--coverageReporters',
  '--coverageDirectory',
];

export const jest: Ecosystem = {
  id: 'jest',
  plain: ['npx', 'jest'],
  detect: (files, read) => detectByPackage(files, read, 'jest'),
  single(test, command) {
    const line = commandLine(command);
    const path = test.file === null ? [] : ['--runTestsByPath', test.file];
    const pattern = fullNamePattern(titlesOf(test.name, test.file));
    return [...line.head, ...flagsOf(line.args, VALUED, DROPPED), ...path, '-t', pattern];
  },
  instrumentation: { env: { FORCE_COLOR: '0' }, flags: ['--ci', '--verbose', '--coverage=false'] },
};
