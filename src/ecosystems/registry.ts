/** All ecosystems, in the order in which they are tried. A new one is one file, and a line here. */
import { cargoTest } from './cargo-test.ts';
import { commandLine } from './command-line.ts';
import type { Detection, Ecosystem } from './ecosystem.ts';
import { goTest } from './go-test.ts';
import { jest } from './jest.ts';
import { mocha } from './mocha.ts';
import { nodeTest } from './node-test.ts';
import { resolveScript, runnerOf } from './package-json.ts';
import { pytest } from './pytest.ts';
import { unittest } from './unittest.ts';
import { vitest } from './vitest.ts';

export const ECOSYSTEMS: readonly Ecosystem[] = [jest, vitest, mocha, nodeTest, pytest, unittest, goTest, cargoTest];

/** Parsers and programs with another name than the ecosystem they belong to. */
const ALIASES: Readonly<Record<string, string>> = {
  _mocha: 'mocha',
  'py.test': 'pytest',
  go: 'go-test',
  'go-test-json': 'go-test',
  cargo: 'cargo-test',
  'cargo-nextest': 'cargo-test',
};

export interface Detected {
  readonly ecosystem: Ecosystem;
  readonly detection: Detection;
}

/** What the worktree uses, by its files; the first that fits. */
export function detectEcosystem(files: readonly string[], read: (path: string) => string | null): Detected | null {
  for (const ecosystem of ECOSYSTEMS) {
    const detection = ecosystem.detect(files, read);
    if (detection !== null) return { ecosystem, detection };
  }
  return null;
}

/** The ecosystem of a parser's runner id; null for formats of several runners (`junit-xml`, `tap`, …). */
export function ecosystemFor(runner: string): Ecosystem | null {
  return ecosystemById(ALIASES[runner] ?? runner);
}

export function ecosystemById(id: string): Ecosystem | null {
  return ECOSYSTEMS.find((ecosystem) => ecosystem.id === id) ?? null;
}

/**
 * The ecosystem that a configured command runs, and the command with package scripts followed, as `Ecosystem.single` wants it.
 * `npm test` with the script `node --test` gives node-test and `['node', '--test']`. Null when the runner is not known.
 */
export function ecosystemOfCommand(
  command: readonly string[],
  read: (path: string) => string | null,
): { readonly ecosystem: Ecosystem; readonly command: readonly string[] } | null {
  const ecosystem = ecosystemFor(runnerOf(command, read)) ?? ecosystemFor(commandLine(command).program);
  return ecosystem === null ? null : { ecosystem, command: resolveScript(command, read) };
}
