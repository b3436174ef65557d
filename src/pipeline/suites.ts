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
  readonly setup_is_detected: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly timeout_seconds: number;
  /** Told to people: where the command comes from. */
  readonly because: string;
}

const CONFIGURED = 'configured';
const DEFAULT_TIMEOUT_SECONDS = 600;

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
      setup_is_detected: false,
      env: suite.env,
      timeout_seconds: suite.timeout_seconds ?? timeout_seconds,
      because: CONFIGURED,
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
      setup_is_detected: common.length === 0,
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

/**
 * The suite that a failing test belongs to: the one of its runner, else the only one whose runner is not known. What was
 * merely detected gives way to the runner that the failure itself names.
 */
export function suiteOf(suites: readonly Suite[], packet: FailurePacket): Suite | null {
  const named = ecosystemFor(packet.runner);
  const same = suites.find((suite) => suite.ecosystem !== null && suite.ecosystem.id === named?.id);
  const [only] = suites.length === 1 ? suites : [];
  if (same !== undefined || named === null) return same ?? only ?? null;
  if (only !== undefined && (only.single !== null || only.because === CONFIGURED)) {
    return only.ecosystem === null ? { ...only, ecosystem: named, runner: named.plain } : only;
  }
  const model = only ?? suites[0];
  const base = model ?? { setup: [], setup_is_detected: true, env: {}, timeout_seconds: DEFAULT_TIMEOUT_SECONDS };
  const because = `${packet.runner} reported the failure`;
  return {
    ...base,
    name: named.id,
    ecosystem: named,
    command: named.plain,
    runner: named.plain,
    single: null,
    because,
  };
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
