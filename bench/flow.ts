/** Jobs a second through the flow with empty states, against a bare BullMQ chain of as many jobs on the same Redis. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue as BullQueue, Worker } from 'bullmq';
import { pino } from 'pino';
import { createBullmqQueue } from '../src/adapters/queue/bullmq.ts';
import { createInProcessQueue } from '../src/adapters/queue/in-process.ts';
import { openStore } from '../src/adapters/store/open-store.ts';
import { beginRun } from '../src/jobs/begin-run.ts';
import { createJobHandler } from '../src/jobs/handler.ts';
import type { JobParts } from '../src/jobs/parts.ts';
import type { Place } from '../src/pipeline/run.ts';
import type { StateHandler, StateParts } from '../src/pipeline/states/state.ts';
import type { Queue } from '../src/ports/queue.ts';
import { startRedis } from '../test/support/redis.ts';
import { type Figure, median } from './measure.ts';

const RUNS = 400;
/** validate, run, debug, publish */
const VISITS = 4;
const CONCURRENCY = 32;
const ROUNDS = 3;

export async function benchFlow(): Promise<readonly Figure[]> {
  const redis = await startRedis();
  const rates = { bare: [] as number[], bullmq: [] as number[], embedded: [] as number[] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.bare.push(await bareChain(redis.url, `bare${round}`));
      rates.bullmq.push(await flow(redisQueue(redis.url, `flow${round}`)));
      rates.embedded.push(await flow(embeddedQueue()));
    }
  } finally {
    await redis.stop();
  }
  const bare = median(rates.bare);
  return [
    figure('flow on BullMQ and libsql, empty states', median(rates.bullmq), bare),
    figure('flow in process and libsql, empty states', median(rates.embedded), bare),
  ];
}

function figure(name: string, rate: number, bare: number): Figure {
  const value = rate / bare;
  const detail = `${Math.round(rate)} jobs/s against ${Math.round(bare)} jobs/s of bare BullMQ`;
  return { name, value, unit: '× bare BullMQ', goal: '≥ 0.5', reached: value >= 0.5, detail };
}

/** As many jobs in chains of the same length, each adding the next: what any flow on BullMQ must do. */
async function bareChain(url: string, name: string): Promise<number> {
  const connection = { url };
  const queue = new BullQueue(name, { connection });
  const options = { removeOnComplete: true, removeOnFail: true };
  let left = RUNS * VISITS;
  let done = () => {};
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  const worker = new Worker<{ chain: number; step: number }>(
    name,
    async ({ data }) => {
      if (data.step < VISITS) {
        const next = { chain: data.chain, step: data.step + 1 };
        await queue.add('visit', next, { ...options, jobId: `${next.chain}-${next.step}` });
      }
      left -= 1;
      if (left === 0) done();
    },
    { connection, concurrency: CONCURRENCY },
  );
  await worker.waitUntilReady();
  const begin = performance.now();
  for (let chain = 0; chain < RUNS; chain += 1) {
    await queue.add('visit', { chain, step: 1 }, { ...options, jobId: `${chain}-1` });
  }
  await finished;
  const rate = (RUNS * VISITS * 1000) / (performance.now() - begin);
  await worker.close();
  await queue.close();
  return rate;
}

function redisQueue(redisUrl: string, prefix: string): Queue {
  return createBullmqQueue({ redisUrl, prefix, concurrency: CONCURRENCY, attempts: 1, backoffMs: 1 });
}

function embeddedQueue(): Queue {
  return createInProcessQueue({
    clock: { now: () => Date.now() },
    concurrency: CONCURRENCY,
    attempts: 1,
    backoffMs: 1,
  });
}

const EMPTY: { readonly [Name in Place]?: StateHandler } = {
  run: async () => ({ sets: { run_result: 'failed' }, artifacts: [] }),
  debug: async () => ({ sets: { route: 'code' }, artifacts: [] }),
};
const NOTHING: StateHandler = async () => ({ sets: {}, artifacts: [] });

async function flow(queue: Queue): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'inquest-bench-'));
  const clock = { now: () => Date.now() };
  const store = await openStore({ databaseUrl: null, dataDir, clock });
  await store.migrate();
  let left = RUNS * VISITS;
  let done = () => {};
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  const parts: JobParts = {
    store,
    queue,
    clock,
    logger: pino({ level: 'silent' }),
    max_wait_ms: 0,
    poll_ms: 1,
    // Empty states use no part; a run that is over gives its worktree back.
    states: { workspaces: { release: async () => {} } } as unknown as StateParts,
    handlerOf: (place) => EMPTY[place] ?? NOTHING,
  };
  const handler = createJobHandler(parts);
  await queue.work({
    failed: handler.failed,
    async handle(job, signal) {
      await handler.handle(job, signal);
      left -= 1;
      if (left === 0) done();
    },
  });
  const begin = performance.now();
  for (let index = 0; index < RUNS; index += 1) {
    await beginRun(parts, {
      about: { index },
      repo: { installation_id: 1, repo_id: index, owner: 'o', name: 'r' },
      head_sha: index.toString(16).padStart(40, '0'),
      head_branch: 'main',
      pull_request: null,
      issue: null,
      generation: 1,
      entry: 'ci',
      covers: [],
    });
  }
  await finished;
  const rate = (RUNS * VISITS * 1000) / (performance.now() - begin);
  await queue.close();
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
  return rate;
}
