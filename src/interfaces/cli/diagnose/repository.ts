/** The repository at hand: runs failing tests again in a copy of it, and judges them against the spec. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { createSandbox } from '../../../adapters/sandbox/choose.ts';
import { localWorkspace } from '../../../adapters/workspace/local-workspace.ts';
import { createBuiltinDebugger } from '../../../agents/builtin/debugger.ts';
import { createDebugTools } from '../../../agents/debug-tools.ts';
import { matchesAny } from '../../../config/glob.ts';
import {
  defaultRepositoryConfig,
  parseRepositoryConfig,
  REPOSITORY_CONFIG_PATH,
  type RepositoryConfig,
} from '../../../config/repository.ts';
import { parseServiceConfig } from '../../../config/service.ts';
import type { FailurePacket } from '../../../failures/packet.ts';
import type { PathOptions } from '../../../failures/path.ts';
import type { SpecSource } from '../../../pipeline/clauses/clause.ts';
import { clausesOf } from '../../../pipeline/clauses/clauses.ts';
import { renderValidate } from '../../../pipeline/clauses/validate-document.ts';
import type { DebugReport } from '../../../pipeline/debug-report.ts';
import { investigate } from '../../../pipeline/investigate.ts';
import { readManifests } from '../../../pipeline/states/open-workspace.ts';
import { createTestRunner } from '../../../pipeline/states/test-runner.ts';
import { type Suite, suitesOf } from '../../../pipeline/suites.ts';
import type { Workspace } from '../../../ports/workspace.ts';
import { redact } from '../../../record/redact.ts';
import { unreadable } from '../file-problem.ts';
import type { Shell } from '../shell.ts';

/** The code of the failures, opened for as long as they are judged. */
export interface Repository {
  /** Lets paths that CI printed be found among its files. */
  readonly paths: PathOptions;
  /** Throws what cannot be got round: a sandbox that cannot run here, a setup command that fails. */
  judge(packets: readonly FailurePacket[]): Promise<DebugReport>;
  close(): Promise<void>;
}

/**
 * Copies the folder, which is never changed itself, and reads the specs: paths relative to the current folder, else to the
 * repository; none means those that the configuration names. Throws `INPUT_UNREADABLE` and `CONFIG_INVALID`.
 */
export async function openRepository(dir: string, specs: readonly string[], shell: Shell): Promise<Repository> {
  const root = resolve(shell.cwd, dir);
  const named = await Promise.all(specs.map((spec) => readSpec(spec, root, shell.cwd)));
  const workspace = await localWorkspace(root);
  try {
    const config = await configOf(workspace);
    const sources = specs.length > 0 ? named : await configuredSpecs(workspace, config);
    return {
      paths: { roots: [root], files: new Set(await workspace.files()) },
      judge: (packets) => investigateIn(workspace, config, sources, packets, shell),
      close: () => workspace.dispose(),
    };
  } catch (error) {
    await workspace.dispose();
    throw error;
  }
}

async function investigateIn(
  workspace: Workspace,
  config: RepositoryConfig,
  sources: readonly SpecSource[],
  failures: readonly FailurePacket[],
  shell: Shell,
): Promise<DebugReport> {
  const { env, signal } = shell;
  const record = () => {};
  const sandbox = createSandbox(parseServiceConfig(env), config.sandbox);
  await sandbox.check();
  const all = suitesOf(config, await workspace.files(), await readManifests(workspace));
  const suites = existsSync(join(workspace.root, 'node_modules')) ? all.map(withoutDetectedSetup) : all;
  const runner = createTestRunner({ sandbox, workspace, config, suites, setup_network: true, record, signal });
  await runner.setup();
  const clauses = clausesOf(sources);
  const validate = renderValidate({ sources, clauses, notes: [] });
  const toolbox = createDebugTools({
    artifact: async (name) => (name === 'validate.md' ? validate : null),
    workspace,
    attempt: (packet, attempt) => runner.runOne(packet, attempt),
    record,
  });
  const { report } = await investigate({
    failures,
    limit: config.budgets.failures,
    attempts: config.rerun.attempts,
    clauses,
    isTestFile: (path) => matchesAny(path, config.paths.tests),
    debugger: createBuiltinDebugger(),
    toolbox,
    record,
    signal,
  });
  return report;
}

/** What is installed already is copied along; only a setup that somebody configured is still run. */
function withoutDetectedSetup(suite: Suite): Suite {
  return suite.setup_is_detected ? { ...suite, setup: [] } : suite;
}

async function configOf(workspace: Workspace): Promise<RepositoryConfig> {
  const text = await workspace.read(REPOSITORY_CONFIG_PATH);
  return text === null ? defaultRepositoryConfig() : parseRepositoryConfig(text, REPOSITORY_CONFIG_PATH);
}

async function readSpec(spec: string, root: string, cwd: string): Promise<SpecSource> {
  const here = resolve(cwd, spec);
  const path = await readFile(here).then(
    () => here,
    () => resolve(root, spec),
  );
  try {
    const inside = relative(root, path).split(sep).join('/');
    return { name: inside.startsWith('../') ? spec : inside, text: redact(await readFile(path, 'utf8')) };
  } catch (error) {
    throw unreadable(spec, error);
  }
}

async function configuredSpecs(workspace: Workspace, config: RepositoryConfig): Promise<SpecSource[]> {
  const sources: SpecSource[] = [];
  for (const path of (await workspace.files()).filter((file) => matchesAny(file, config.spec))) {
    const text = await workspace.read(path);
    if (text !== null) sources.push({ name: path, text: redact(text) });
  }
  return sources;
}
