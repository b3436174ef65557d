/** Reads package.json, and finds the runner behind its scripts. */
import { z } from 'zod';
import { splitWords } from '../config/words.ts';
import { commandLine, packageScript } from './command-line.ts';
import type { Detection } from './ecosystem.ts';

const names = z.record(z.string(), z.string()).catch({});
const manifestSchema = z.object({
  scripts: names.default({}),
  dependencies: names.default({}),
  devDependencies: names.default({}),
});
export type PackageJson = z.infer<typeof manifestSchema>;

type Read = (path: string) => string | null;

/** Null when there is none, or it is no JSON object. */
export function readPackageJson(read: Read): PackageJson | null {
  const text = read('package.json');
  if (text === null) return null;
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null; // Not JSON: the project's own tools will say so.
  }
}

/**
 * `npm test` becomes what its script runs, as far as that is one command; a script of several that ends in a runner stays
 * `npm test --`, which hands arguments to the last. Other commands come back as they are.
 */
export function resolveScript(command: readonly string[], read: Read): readonly string[] {
  const scripts = readPackageJson(read)?.scripts ?? {};
  let resolved = command;
  for (let depth = 0; depth < 4; depth++) {
    const name = packageScript(resolved);
    const script = name === null ? undefined : scripts[name];
    const words = script === undefined ? null : scriptWords(script);
    if (words === null || (name !== 'test' && scripts[`pre${name}`] !== undefined)) break;
    resolved = [...words, ...argumentsOf(resolved)];
  }
  return resolved;
}

/** The runner that a command ends in, also through scripts of several commands. */
export function runnerOf(command: readonly string[], read: Read): string {
  const resolved = resolveScript(command, read);
  const name = packageScript(resolved);
  const script = name === null ? undefined : readPackageJson(read)?.scripts[name];
  const last = script?.split(/&&|;/).at(-1)?.trim();
  const words = last === undefined ? null : scriptWords(last);
  const line = commandLine(words ?? resolved);
  if (['node', 'tsx', 'ts-node'].includes(line.program) && line.args.includes('--test')) return 'node-test';
  return line.program;
}

/** Detects a runner by the script `test`, else by the dependency of that name. */
export function detectByPackage(files: readonly string[], read: Read, runner: string): Detection | null {
  const manifest = readPackageJson(read);
  if (manifest === null) return null;
  const setup = installCommand(files, manifest);
  if (manifest.scripts.test !== undefined) {
    if (runnerOf(['npm', 'test'], read) !== runner) return null;
    return {
      command: resolveScript(['npm', 'test'], read),
      setup,
      because: `package.json has a script "test" that runs ${runner}`,
    };
  }
  if (manifest.devDependencies[runner] === undefined && manifest.dependencies[runner] === undefined) return null;
  const command = [`node_modules/.bin/${runner}`, ...(runner === 'vitest' ? ['run'] : [])];
  return { command, setup, because: `package.json depends on ${runner}` };
}

/** How the dependencies are installed, by the lock file; null when there are none. */
export function installCommand(files: readonly string[], manifest: PackageJson): readonly string[] | null {
  if (Object.keys(manifest.dependencies).length + Object.keys(manifest.devDependencies).length === 0) return null;
  const found = LOCK_FILES.find(([file]) => files.includes(file));
  return found?.[1] ?? ['npm', 'install'];
}

const LOCK_FILES = [
  ['package-lock.json', ['npm', 'ci']],
  ['npm-shrinkwrap.json', ['npm', 'ci']],
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', ['yarn', 'install', '--frozen-lockfile']],
] as const satisfies readonly (readonly [string, readonly string[]])[];

/** A script of one simple command as an argument list, with its programs looked up where npm looks; null for anything else. */
function scriptWords(script: string): readonly string[] | null {
  const assignments: string[] = [];
  let rest = script.trim();
  for (let found = ASSIGNMENT.exec(rest); found !== null; found = ASSIGNMENT.exec(rest)) {
    assignments.push(found[1] ?? '');
    rest = rest.slice(found[0].length);
  }
  const split = splitWords(rest);
  if ('refused' in split) return null;
  const [program = '', ...args] = split.words;
  if (program === 'cross-env') return scriptWords(rest.slice('cross-env'.length));
  const local = LOCAL.has(program) ? `node_modules/.bin/${program}` : program;
  return [...(assignments.length > 0 ? ['env', ...assignments] : []), local, ...args];
}

const ASSIGNMENT = /^([A-Za-z_]\w*=[^\s'"$`;&|<>()]*)\s+/;
/** Runners that npm takes from `node_modules/.bin`. */
const LOCAL = new Set(['jest', 'vitest', 'mocha', '_mocha', 'tsx', 'c8', 'nyc']);

/** What follows `--` (npm) in the command that named the script. */
function argumentsOf(command: readonly string[]): readonly string[] {
  const separator = command.indexOf('--');
  return separator < 0 ? [] : command.slice(separator + 1);
}
