/** Which commands test a repository: the configured ones, or what is detected. Pure. */
import type { RepositoryConfig, SetupConfig, SuiteConfig } from '../config/repository.ts';
import type { Ecosystem, TestRef } from '../ecosystems/ecosystem.ts';
import { detectEcosystem, ecosystemById, ecosystemFor, ecosystemOfCommand } from '../ecosystems/registry.ts';
import type { FailurePacket } from '../failures/packet.ts';

export interface Suite {
  readonly name: string;
  readonly ecosystem: Ecosystem | null;
  readonly command: readonly string[];
  /** The command with package scripts followed: what a single test's command is made of. */
  readonly runner: readonly string[];
  /** Configured command for one test, with `{test}` and `{file}`; null: the ecosystem's. */
  readonly single: readonly string[] | null;
  readonly setup: readonly SetupConfig[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeout_seconds: number;
  /** Told to people: where the command comes from. */
  readonly because: string;
}

/** The suites of a worktree. Empty when nothing is configured and nothing is detected. */
export function suitesOf(
  config: RepositoryConfig,
  files: readonly string[],
  read: (path: string) => string | null,
): Suite[] {
  const common = config.setup ? [config.setup] : [];
  const timeout_seconds = config.limits.timeout_seconds;
  if (config.tests.length > 0) {
    return config.tests.map((suite) => ({
      name: suite.name,
      ...runnerOfSuite(suite, files, read),
      command: suite.command,
      single: suite.single ?? null,
      setup: [...common, ...(suite.setup ? [suite.setup] : [])],
      env: suite.env,
      timeout_seconds: suite.timeout_seconds ?? timeout_seconds,
      because: 'configured',
    }));
  }
  const detected = detectEcosystem(files, read);
  if (detected === null) return [];
  const { ecosystem, detection } = detected;
  const found = detection.setup === null ? [] : [{ command: detection.setup, network: true }];
  return [
    {
      name: ecosystem.id,
      ecosystem,
      command: detection.command,
      runner: detection.command,
      single: null,
      setup: common.length > 0 ? common : found,
      env: {},
      timeout_seconds,
      because: detection.because,
    },
  ];
}

/** The configured ecosystem, else that of the command, else that of the worktree. */
function runnerOfSuite(
  suite: SuiteConfig,
  files: readonly string[],
  read: (path: string) => string | null,
): Pick<Suite, 'ecosystem' | 'runner'> {
  const found = ecosystemOfCommand(suite.command, read);
  const runner = found?.command ?? suite.command;
  if (suite.ecosystem) return { ecosystem: ecosystemById(suite.ecosystem), runner };
  return { ecosystem: found?.ecosystem ?? detectEcosystem(files, read)?.ecosystem ?? null, runner };
}

/** The suite that a failing test belongs to: the one of its runner, else the only one. */
export function suiteOf(suites: readonly Suite[], packet: FailurePacket): Suite | null {
  const wanted = ecosystemFor(packet.runner)?.id;
  const same = suites.find((suite) => suite.ecosystem !== null && suite.ecosystem.id === wanted);
  return same ?? (suites.length === 1 ? (suites[0] ?? null) : null);
}

/** The command that runs one test alone; null when neither configuration nor ecosystem can express it. */
export function singleCommand(suite: Suite, packet: FailurePacket): readonly string[] | null {
  const test = testRefOf(packet);
  if (test === null) return null;
  if (suite.single !== null) {
    return suite.single.map((word) => word.replaceAll('{test}', test.name).replaceAll('{file}', test.file ?? ''));
  }
  return suite.ecosystem?.single(test, suite.runner) ?? null;
}

function testRefOf(packet: FailurePacket): TestRef | null {
  if (packet.first_failing_test === null) return null;
  return { name: packet.first_failing_test, file: packet.test_file ?? packet.primary_file, runner: packet.runner };
}
