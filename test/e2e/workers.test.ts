/** One process takes webhooks, two do the work; they share Redis and PostgreSQL only. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore } from '../../src/adapters/store/open-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { verifyLedger } from '../../src/record/ledger.ts';
import { freePort } from '../support/free-port.ts';
import { createOpenApiCheck } from '../support/github/openapi/check.ts';
import { type GithubSimulator, startGithub } from '../support/github/simulator.ts';
import { environmentFor, type InquestProcess, startProcess } from '../support/inquest-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { failingLog, pushFiles, shopToInstall } from '../support/project.ts';
import { startRedis } from '../support/redis.ts';
import { reportIn } from './stage.ts';

const PULLS = 10;
const WRONG = { cost: 8, asserted: 7 };
/** Each worker installs in the worktree of its own. */
const CONFIG = { '.github/inquest.yml': 'setup:\n  command: node install.mjs\nrerun:\n  attempts: 1\n' };
const description = createOpenApiCheck();

let folder: string;
let github: GithubSimulator;
let store: Store;
let servers: Awaited<ReturnType<typeof startRedis>>[];
let app: InquestProcess;
let workers: InquestProcess[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inquest-workers-'));
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  servers = [redis, postgres];
  github = await startGithub({ check: description });
  const port = String(await freePort());
  const shared = { REDIS_URL: redis.url, DATABASE_URL: postgres.url };
  const start = (role: string, data: string) =>
    startProcess(
      environmentFor(github, { ...shared, INQUEST_ROLE: role, PORT: port, INQUEST_DATA_DIR: join(folder, data) }),
    );
  app = start('app', 'app');
  workers = [start('worker', 'one'), start('worker', 'two')];
  await Promise.all(workers.map((worker) => sees(worker, (record) => record.msg === 'working')));
  store = await openStore({ databaseUrl: postgres.url, dataDir: folder, clock: Date });
  github.setWebhook(`http://127.0.0.1:${port}/api/github/webhooks`);
  await answers(`http://127.0.0.1:${port}/readyz`);
}, 60_000);

afterAll(async () => {
  await Promise.all([app, ...workers].map((process) => process.kill('SIGKILL')));
  await store.close();
  await github.close();
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

/** Reads the log until a record fits; the rest is read and dropped, so that the process never waits for its reader. */
async function sees(process: InquestProcess, fits: (record: { msg?: string }) => boolean): Promise<void> {
  const lines = process.lines[Symbol.asyncIterator]();
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    if (!fits(JSON.parse(line.value) as { msg?: string })) continue;
    process.child.stdout?.resume();
    return;
  }
  throw new Error('Inquest ended by itself.');
}

async function answers(url: string): Promise<void> {
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await pause();
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

describe('Ten pull requests at once, two workers', () => {
  it('get one run, one comment and one check run each', async () => {
    const repo = await github.createRepository({ owner: 'acme', name: 'busy' });
    await github.installApp(repo);
    await pushFiles(repo.pushUrl, 'main', { ...shopToInstall({ cost: 7, asserted: 7 }), ...CONFIG });
    const pulls: { number: number; sha: string }[] = [];
    for (let index = 0; index < PULLS; index += 1) {
      const branch = `change-${index}`;
      const sha = await pushFiles(repo.pushUrl, branch, { ...shopToInstall(WRONG), 'NOTE.md': branch });
      const { number } = await github.openPullRequest({ repo, head: branch, title: branch });
      pulls.push({ number, sha });
    }
    const jobs = [{ name: 'test', conclusion: 'failure', log: failingLog(WRONG) } as const];
    await Promise.all(
      pulls.map((_, index) => github.playWorkflow({ repo, branch: `change-${index}`, event: 'pull_request', jobs })),
    );
    await github.idle();
    const runs = () => store.findRuns({ repo_id: repo.id });
    const areOver = async () => {
      const found = await runs();
      return found.length >= PULLS && found.every((run) => run.status !== 'running');
    };
    while (!(await areOver())) await pause();
    expect((await runs()).map((run) => run.status)).toEqual(pulls.map(() => 'published'));
    for (const run of await runs()) verifyLedger(await store.events(run.run_id));
    for (const { number, sha } of pulls) {
      const comments = github.state.comments.filter(({ issue }) => issue.number === number);
      expect(comments.map((comment) => reportIn(comment.body).action)).toEqual(['route_code']);
      const checks = github.state.checkRuns.filter((run) => run.name === 'Inquest' && run.suite.headSha === sha);
      expect(checks.map((check) => check.conclusion)).toEqual(['neutral']);
    }
    expect(description.mismatches).toEqual([]);
  }, 240_000);
});
