import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore } from '../src/adapters/store/open-store.ts';
import { REPORT_MARKER } from '../src/pipeline/comment/comment.ts';
import type { Store } from '../src/ports/store.ts';
import { verifyLedger } from '../src/record/ledger.ts';
import { freePort } from './support/free-port.ts';
import { type GithubSimulator, startGithub } from './support/github/simulator.ts';
import { environmentFor, type InquestProcess, startProcess } from './support/inquest-process.ts';
import { startPostgres } from './support/postgres.ts';
import { failingLog, pushFiles, shop } from './support/project.ts';
import { startRedis } from './support/redis.ts';

/** Log records at which the process is killed, once each: every step, or one inside each visit and one after each write. */
const EVERY_STEP = /^(?:Webhook accepted|run|visit begins .*|visit ends .*|GitHub: .*)$/;
const EACH_VISIT = /^(?:visit begins .*|GitHub: upsertComment|visit ends publish#1)$/;

function momentOf(line: string, moments: RegExp): string | null {
  const record = JSON.parse(line) as { msg?: string; visit_id?: string };
  const { msg = '', visit_id = '' } = record;
  const moment = `${msg} ${visit_id}`.trim();
  return moments.test(moment) ? moment : null;
}

let github: GithubSimulator;
let folder: string;

beforeAll(async () => {
  github = await startGithub();
  folder = await mkdtemp(join(tmpdir(), 'inquest-kill-'));
});

afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

const WRONG = { cost: 8, asserted: 7 };
const LAST_MOMENT = 'visit ends publish#1';

/** Inquest with these parts, which reads one line of its own log after the other until it is killed. */
interface Subject {
  readonly name: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly program: string;
  readonly moments: RegExp;
}

/** Opens a pull request whose CI fails, and kills Inquest once at each moment. Resolves when its report is posted. */
async function killAtEveryMoment({ name, parts, program, moments }: Subject) {
  const repo = await github.createRepository({ owner: 'acme', name });
  await github.installApp(repo);
  await pushFiles(repo.pushUrl, 'main', shop({ cost: 7, asserted: 7 }));
  const sha = await pushFiles(repo.pushUrl, 'wrong', shop(WRONG));
  const pull = await github.openPullRequest({ repo, head: 'wrong', title: 'Dearer parcels' });
  const port = String(await freePort());
  github.setWebhook(`http://127.0.0.1:${port}/api/github/webhooks`);
  const killed = new Set<string>();
  const jobs = [{ name: 'test', conclusion: 'failure', log: failingLog(WRONG) } as const];
  let play: (() => Promise<unknown>) | null = () =>
    github.playWorkflow({ repo, branch: 'wrong', event: 'pull_request', jobs });

  /** Whether all is over: a restart finds nothing to do, or the last moment has come a second time. */
  async function liveUntilKilled(inquest: InquestProcess): Promise<boolean> {
    for await (const line of inquest.lines) {
      const isWorking = (JSON.parse(line) as { msg?: string }).msg === 'working';
      if (isWorking && killed.has(LAST_MOMENT)) return true;
      if (isWorking && play !== null) {
        await play();
        play = null;
      }
      const moment = momentOf(line, moments);
      if (moment === null) continue;
      if (killed.has(moment)) {
        if (moment === LAST_MOMENT) return true;
        continue;
      }
      killed.add(moment);
      return false;
    }
    throw new Error('Inquest ended by itself.');
  }

  for (let isOver = false; !isOver; ) {
    const inquest = startProcess({ ...environmentFor(github, { PORT: port, ...parts }) }, program);
    try {
      isOver = await liveUntilKilled(inquest);
    } finally {
      await inquest.kill('SIGKILL');
    }
  }
  return { repo, sha, pull, killed };
}

async function expectOneOfEach(
  { repo, sha, pull, killed }: Awaited<ReturnType<typeof killAtEveryMoment>>,
  store: Store,
) {
  for (const visit of ['validate#1', 'run#1', 'debug#1', 'publish#1'])
    expect([...killed]).toContain(`visit begins ${visit}`);
  const runs = await store.findRuns({ head_sha: sha });
  expect(runs.map((run) => run.status)).toEqual(['published']);
  verifyLedger(await store.events(runs[0]?.run_id ?? ''));
  expect(await store.unfinishedDeliveries()).toEqual([]);
  const comments = github.state.comments.filter(
    ({ issue }) => issue.repository.id === repo.id && issue.number === pull.number,
  );
  expect(comments.map((comment) => comment.body)).toEqual([expect.stringContaining(REPORT_MARKER)]);
  expect(comments[0]?.body).toContain('- cause: code');
  const checks = github.state.checkRuns.filter((check) => check.name === 'Inquest' && check.suite.headSha === sha);
  expect(checks.map((check) => check.conclusion)).toEqual(['neutral']);
}

const CLOCK = { now: () => 0 };

describe('a process that is killed at any moment', () => {
  it('goes on after the restart, and nothing is posted twice', async () => {
    const dataDir = join(folder, 'embedded');
    const parts = { INQUEST_DATA_DIR: dataDir };
    const story = await killAtEveryMoment({ name: 'embedded', parts, program: 'dist/main.js', moments: EVERY_STEP });
    const store = await openStore({ databaseUrl: null, dataDir, clock: CLOCK });
    await expectOneOfEach(story, store).finally(() => store.close());
  }, 600_000);

  it('does so with Redis and PostgreSQL', async () => {
    const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    try {
      const parts = { INQUEST_DATA_DIR: join(folder, 'shared'), REDIS_URL: redis.url, DATABASE_URL: postgres.url };
      const program = 'test/support/impatient-inquest.mjs';
      const story = await killAtEveryMoment({ name: 'shared', parts, program, moments: EACH_VISIT });
      const store = await openStore({ databaseUrl: postgres.url, dataDir: folder, clock: CLOCK });
      await expectOneOfEach(story, store).finally(() => store.close());
    } finally {
      await Promise.all([redis.stop(), postgres.stop()]);
    }
  }, 600_000);
});
