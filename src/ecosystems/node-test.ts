/** node:test, Node's own runner. */
import { commandLine, flagsOf, positionalsOf } from './command-line.ts';
import type { Detection, Ecosystem } from './ecosystem.ts';
import { detectByPackage, readPackageJson } from './package-json.ts';
import { fullNamePattern, literal, titlesOf } from './test-name.ts';

const VALUED = [
  '--import',
  '--require',
  '-r',
  '--loader',
  '--experimental-loader',
  '--conditions',
  '-C',
  '--env-file',
  '--test-concurrency',
  '--test-name-pattern',
  '--test-reporter',
  '--test-reporter-destination',
  '--test-shard',
  '--test-skip-pattern',
  '--test-timeout',
];
const DROPPED = [
  '--experimental-test-coverage',
  '--test-name-pattern',
  '--test-only',
  '--test-reporter',
  '--test-reporter-destination',
  '--test-shard',
  '--watch',
];

export const nodeTest: Ecosystem = {
  id: 'node-test',
  plain: ['node', '--test'],
  detect: (files, read) => detectByPackage(files, read, 'node-test') ?? detectByFiles(files, read),
  single(test, command) {
    const line = commandLine(command);
    if (!line.args.includes('--test')) return null;
    const patterns = namePatterns(titlesOf(test.name, test.file)).map((pattern) => `--test-name-pattern=${pattern}`);
    const files = test.file === null ? positionalsOf(line.args, VALUED) : [test.file];
    return [...line.head, ...flagsOf(line.args, VALUED, DROPPED), '--test-reporter=spec', ...patterns, ...files];
  },
  // Words after the file would go to the test, so all flags are part of `single`.
  instrumentation: { env: { NODE_OPTIONS: '--stack-trace-limit=50' }, flags: [] },
};

/**
 * Node 22 compares a pattern with the full name and with the last title, Node 20 with the last title only: both are given.
 * A title may hold the separator itself, so each end of the list may be the last title.
 */
function namePatterns(titles: readonly string[]): readonly string[] {
  const last = titles.map((_, index) => `^${titles.slice(index).map(literal).join(' > ')}$`).reverse();
  return titles.length === 1 ? last : [fullNamePattern(titles), ...last];
}

/** Without a script `test`, `node --test` finds its files by name. */
function detectByFiles(files: readonly string[], read: (path: string) => string | null): Detection | null {
  const manifest = readPackageJson(read);
  if (manifest === null || manifest.scripts.test !== undefined) return null;
  const found = files.find((file) =>
    /(?:^|\/)(?:[^/]+[.-_]test|test-[^/]+|test)\.[cm]?js$|^test\/[^/]+\.[cm]?js$/.test(file),
  );
  if (found === undefined) return null;
  return {
    command: ['node', '--test'],
    setup: null,
    because: `package.json has no script "test", and ${found} is named as node:test expects`,
  };
}
