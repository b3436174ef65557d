/** Mocha. */
import { commandLine, flagsOf, positionalsOf } from './command-line.ts';
import type { Ecosystem } from './ecosystem.ts';
import { detectByPackage } from './package-json.ts';
import { fullNamePattern, titlesOf } from './test-name.ts';

const VALUED = [
  '-r',
  '--require',
  '--import',
  '-t',
  '--timeout',
  '-s',
  '--slow',
  '-R',
  '--reporter',
  '-O',
  '--reporter-options',
  '-u',
  '--ui',
  '--config',
  '--spec',
  '--package',
  '--extension',
  '--loader',
  '-g',
  '--grep',
  '-f',
  '--fgrep',
];
const DROPPED = [
  '-g',
  '--grep',
  '-f',
  '--fgrep',
  '-i',
  '--invert',
  '--spec',
  '-w',
  '--watch',
  '-b',
  '--bail',
  '-R',
  '--reporter',
  '-O',
  '--reporter-options',
];

export const mocha: Ecosystem = {
  id: 'mocha',
  plain: ['npx', 'mocha'],
  detect: (files, read) => detectByPackage(files, read, 'mocha'),
  single(test, command) {
    const line = commandLine(command);
    const files = test.file === null ? positionalsOf(line.args, VALUED) : [test.file];
    const pattern = fullNamePattern(titlesOf(test.name, test.file));
    return [...line.head, ...flagsOf(line.args, VALUED, DROPPED), ...files, '--grep', pattern];
  },
  instrumentation: { env: { FORCE_COLOR: '0' }, flags: ['--full-trace', '--reporter=spec'] },
};
