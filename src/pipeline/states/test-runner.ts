/** Runs the suites of a worktree, and single tests of them, in the sandbox. Its outputs are redacted. */

import type { RepositoryConfig, SetupConfig } from '../../config/repository.ts';
import { InquestError } from '../../errors.ts';
import { packetsOf } from '../../failures/normalise.ts';
import type { FailurePacket } from '../../failures/packet.ts';
import { parseBytes } from '../../failures/parse/parse.ts';
import type { Attempt } from '../../ports/agent.ts';
import type { Sandbox, SandboxResult } from '../../ports/sandbox.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { NewEvent } from '../../record/event.ts';
import { redact } from '../../record/redact.ts';
import { type Suite, singleCommand, suiteOf } from '../suites.ts';

export interface TestRunnerParts {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly config: RepositoryConfig;
  readonly suites: readonly Suite[];
  /** False for code of a fork, unless the configuration allows it. */
  readonly setup_network: boolean;
  readonly record: (type: NewEvent['type'], payload: NewEvent['payload']) => void;
  readonly signal: AbortSignal;
}

export interface SuiteRun {
  readonly suite: string;
  readonly command: string;
  readonly because: string;
  readonly exit_code: number | null;
  readonly ended_by: SandboxResult['ended_by'];
  readonly packets: readonly FailurePacket[];
}

export interface TestRunner {
  /** Installs dependencies, then restores tracked files; throws `SETUP_FAILED` with the end of the output. */
  setup(): Promise<void>;
  runAll(): Promise<readonly SuiteRun[]>;
  /** One failing test alone, instrumented. */
  runOne(packet: FailurePacket, attempt: number): Promise<Attempt | { readonly refused: string }>;
}

const MIB = 1024 * 1024;
const MINUTE = 60_000;

export function createTestRunner(parts: TestRunnerParts): TestRunner {
  const { workspace, config, suites } = parts;
  let spentOnSingles = 0;

  async function command(argv: readonly string[], options: CommandOptions): Promise<SandboxResult> {
    const result = await parts.sandbox.run({
      argv,
      workspace: workspace.root,
      cwd: '.',
      scratch: workspace.scratch,
      workspace_access: options.access,
      env: options.env,
      network: options.network,
      limits: {
        wall_ms: options.timeout_seconds * 1000,
        memory_bytes: config.limits.memory_mb * MIB,
        processes: config.limits.processes,
        output_bytes: config.limits.output_mb * MIB,
      },
      signal: parts.signal,
    });
    const { exit_code, ended_by, duration_ms } = result;
    parts.record('command_ran', { argv: [...argv], exit_code, ended_by, duration_ms: Math.round(duration_ms) });
    if (ended_by === 'cancelled') throw new InquestError('CANCELLED', `${showCommand(argv)} was called off.`);
    return result;
  }

  async function install(setup: SetupConfig): Promise<void> {
    const network = setup.network && parts.setup_network;
    const { timeout_seconds } = config.limits;
    const result = await command(setup.command, { access: 'read-write', env: {}, network, timeout_seconds });
    if (result.exit_code === 0) return;
    const because =
      result.ended_by === 'exit' ? `ended with ${result.exit_code}` : `was ended by its ${result.ended_by} limit`;
    throw new InquestError(
      'SETUP_FAILED',
      `The setup command ${showCommand(setup.command)} ${because}: ${lastLines(result)}`,
      {
        hint:
          setup.network && !network
            ? 'It had no network: forks.setup is false in the configuration.'
            : 'Run it in a fresh clone.',
      },
    );
  }

  function read(output: string, source: string): FailurePacket[] {
    const bytes = new TextEncoder().encode(output);
    return packetsOf(source, parseBytes(source, bytes), { roots: [workspace.root] });
  }

  return {
    async setup() {
      const setups = new Map(suites.flatMap((suite) => suite.setup).map((setup) => [JSON.stringify(setup), setup]));
      if (setups.size === 0) return;
      try {
        for (const setup of setups.values()) await install(setup);
      } finally {
        // Scripts of packages run in it: what the verdict cites must not be theirs.
        await workspace.restore();
      }
    },

    async runAll() {
      const runs: SuiteRun[] = [];
      for (const suite of suites) {
        const result = await command(suite.command, {
          access: 'read-only',
          env: suite.env,
          network: false,
          timeout_seconds: suite.timeout_seconds,
        });
        const packets = read(redact(decode(result.combined)), `run of ${suite.name}`);
        const { exit_code, ended_by } = result;
        runs.push({
          suite: suite.name,
          command: showCommand(suite.command),
          because: suite.because,
          exit_code,
          ended_by,
          packets,
        });
      }
      return runs;
    },

    async runOne(packet, attempt) {
      const suite = suiteOf(suites, packet);
      if (suite === null) return { refused: `No configured or detected test command runs ${packet.runner} tests.` };
      const single = singleCommand(suite, packet);
      if (spentOnSingles > config.budgets.minutes * MINUTE)
        return { refused: `The ${config.budgets.minutes} minutes for re-runs are spent.` };
      if (single === null) return { refused: `This test cannot be run alone with ${showCommand(suite.command)}.` };
      const instrumentation = suite.ecosystem?.instrumentation ?? { env: {}, flags: [] };
      const argv = [...single, ...(suite.single === null ? instrumentation.flags : [])];
      const env = { ...instrumentation.env, ...suite.env };
      const result = await command(argv, {
        access: 'read-only',
        env,
        network: false,
        timeout_seconds: suite.timeout_seconds,
      });
      spentOnSingles += result.duration_ms;
      const output = redact(headAndTail(decode(result.combined)));
      const packets = read(output, `attempt ${attempt}`).filter((found) => sameTest(found, packet));
      return {
        command: showCommand(argv),
        output,
        exit_code: result.exit_code,
        outcome: outcomeOf(result, packets),
        packets,
      };
    },
  };
}

/** What is kept of the output of one attempt, in UTF-16 units: a test that prints more explains itself at its ends. */
const KEPT = { head: 100_000, tail: 200_000 } as const;

/** Whole lines from both ends; a cut inside a line could leave half a secret that nobody recognises. */
function headAndTail(text: string): string {
  if (text.length <= KEPT.head + KEPT.tail) return text;
  const head = text.slice(0, text.lastIndexOf('\n', KEPT.head) + 1);
  const start = text.indexOf('\n', text.length - KEPT.tail) + 1;
  const tail = start === 0 ? '' : text.slice(start);
  return `${head}[${text.length - head.length - tail.length} characters are left out here]\n${tail}`;
}

interface CommandOptions {
  readonly access: 'read-only' | 'read-write';
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
  readonly timeout_seconds: number;
}

function outcomeOf(result: SandboxResult, packets: readonly FailurePacket[]): Attempt['outcome'] {
  if (result.ended_by === 'timeout') return 'timed_out';
  if (packets.length > 0) return 'failed';
  return result.exit_code === 0 ? 'passed' : 'error';
}

/** The same test in the notation of two reporters: equal, or one is the end of the other's title chain. */
function sameTest(found: FailurePacket, wanted: FailurePacket): boolean {
  const [a, b] = [titleOf(found), titleOf(wanted)];
  return a === b || a.endsWith(` ${b}`) || b.endsWith(` ${a}`);
}

function titleOf(packet: FailurePacket): string {
  return (packet.first_failing_test ?? '').replace(/\s*(?:›|>|::|»)\s*/g, ' ').trim();
}

/** A command as people type it: words with special characters are quoted for a POSIX shell. */
export function showCommand(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

function lastLines(result: SandboxResult): string {
  const lines = redact(decode(result.combined)).trimEnd().split('\n');
  return lines.slice(-5).join(' | ').slice(-600);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}
