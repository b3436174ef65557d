/**
 * From a failing check's webhook to the posted comment, with the work of the tests taken out.
 *
 * In: everything else between the two moments, on this machine: the webhook's way through Probot, store, queue and
 * flow, fetching and reading logs, git fetch and worktree, judging, writing; also what GitHub takes to answer, which
 * here is a simulator in a process of its own. Out: the debounce, which only waits, and the `duration_ms` of the
 * `command_ran` events: the tests, and the sandbox around them.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createSandbox } from '../src/adapters/sandbox/choose.ts';
import { parseServiceConfig, type ServiceConfig } from '../src/config/service.ts';
import { InquestError } from '../src/errors.ts';
import { type Inquest, startInquest } from '../src/main.ts';
import type { Answered, Ready } from './latency-github.ts';
import { type Figure, median } from './measure.ts';

const GITHUB = fileURLToPath(new URL('./latency-github.ts', import.meta.url));
const ROUNDS = 5;
/** The first one clones the repository and compiles much of the code. */
const WARM_UP = 1;
const DEBOUNCE_MS = 100;
const GOAL_MS = 300;

interface Sample {
  readonly wall: number;
  readonly commands: number;
  readonly own: number;
}

export async function benchLatency(): Promise<readonly Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'inquest-bench-'));
  const github = fork(GITHUB, [], { execArgv: ['--import', 'tsx'] });
  const [ready] = (await answerOf(github)) as [Ready];
  const config = await usableConfig(ready, dataDir);
  const inquest = await startInquest(config, {
    logger: pino({ level: 'silent' }),
    clock: { now: () => Date.now() },
    pollMs: 50,
  });
  const samples: Sample[] = [];
  try {
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      github.send({ webhook: `${inquest.server?.url}/api/github/webhooks`, branch: `change-${round}` });
      const [answered] = (await answerOf(github)) as [Answered];
      samples.push(await sampleOf(inquest, answered));
    }
  } finally {
    await inquest.close();
    github.disconnect();
    await once(github, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
  return [figure(samples, config.sandbox)];
}

/** The child's next message; fails when the child ends instead. */
async function answerOf(github: ChildProcess): Promise<unknown[]> {
  const heard = new AbortController();
  const ended = once(github, 'exit', { signal: heard.signal }).then(() => {
    throw new Error('The GitHub simulator of the latency bench ended.');
  });
  ended.catch(() => undefined);
  const answer = await Promise.race([once(github, 'message'), ended]);
  heard.abort();
  return answer;
}

/** With bubblewrap where it can be had. */
async function usableConfig({ apiUrl, app }: Ready, dataDir: string): Promise<ServiceConfig> {
  const environment = {
    APP_ID: String(app.id),
    PRIVATE_KEY: app.privateKey,
    WEBHOOK_SECRET: app.webhookSecret,
    GITHUB_API_URL: apiUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    INQUEST_DATA_DIR: dataDir,
    INQUEST_DEBOUNCE_MS: String(DEBOUNCE_MS),
  };
  const config = parseServiceConfig(environment);
  try {
    await createSandbox(config).check();
    return config;
  } catch (error) {
    if (!(error instanceof InquestError && error.code === 'SANDBOX_UNAVAILABLE')) throw error;
    return parseServiceConfig({ ...environment, INQUEST_SANDBOX: 'host' });
  }
}

async function sampleOf({ store, queue }: Inquest, { head_sha, failed_at, commented_at }: Answered): Promise<Sample> {
  await queue.idle();
  const [run] = await store.findRuns({ head_sha });
  const events = await store.events(run?.run_id ?? '');
  const commands = events
    .filter((event) => event.type === 'command_ran')
    .reduce((sum, { payload }) => sum + Number(payload.duration_ms), 0);
  if (commands === 0) throw new Error(`No test was run for ${head_sha}.`);
  const wall = commented_at - failed_at;
  return { wall, commands, own: wall - DEBOUNCE_MS - commands };
}

function figure(samples: readonly Sample[], sandbox: string): Figure {
  const warm = samples.slice(WARM_UP);
  const value = median(warm.map(({ own }) => own));
  const wall = median(warm.map((sample) => sample.wall));
  const commands = median(warm.map((sample) => sample.commands));
  const spread = warm.map(({ own }) => own).sort((a, b) => a - b);
  const detail = [
    `${ROUNDS} pull requests: wall ${wall} ms, of it ${DEBOUNCE_MS} debounce and ${commands} in tests (${sandbox})`,
    `own ${spread.at(0)} to ${spread.at(-1)} ms; the very first ${samples[0]?.own} ms`,
  ].join('; ');
  return {
    name: 'failing check to posted comment, without the tests',
    value,
    unit: 'ms',
    goal: `< ${GOAL_MS}`,
    reached: value < GOAL_MS,
    detail,
  };
}
