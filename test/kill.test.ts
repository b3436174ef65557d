import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore } from '../src/adapters/store/open-store.ts';
import { REPORT_MARKER } from '../src/pipeline/comment/comment.ts';
import { verifyLedger } from '../src/record/ledger.ts';
import { freePort } from './support/free-port.ts';
import { type GithubSimulator, startGithub } from './support/github/simulator.ts';
import { environmentFor, startProcess } from './support/inquest-process.ts';
import { failingLog, pushFiles, shop } from './support/project.ts';

/** A moment at which the process is killed: each kind of log record of the run, once. */
function momentOf(line: string): string | null {
  const record = JSON.parse(line) as { msg?: string; visit_id?: string };
  const { msg = '', visit_id = '' } = record;
  const isStep = /^(?:Webhook accepted|run|visit begins|visit ends|GitHub: .*)$/.test(msg);
  return isStep ? `${msg} ${visit_id}`.trim() : null;
}

let github: GithubSimulator;
let dataDir: string;

beforeAll(async () => {
  github = await startGithub();
  dataDir = await mkdtemp(join(tmpdir(), 'inquest-kill-'));
});

afterAll(async () => {
  await github.close();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a process that is killed at any moment', () => {
  it('goes on after the restart, and nothing is posted twice', async () => {
    const repo = await github.createRepository({ owner: 'acme', name: 'shop' });
    await github.installApp(repo);
    await pushFiles(repo.pushUrl, 'main', shop({ cost: 7, asserted: 7 }));
    const wrong = { cost: 8, asserted: 7 };
    const sha = await pushFiles(repo.pushUrl, 'wrong', shop(wrong));
    const pull = await github.openPullRequest({ repo, head: 'wrong', title: 'Dearer parcels' });
    const port = String(await freePort());
    const env = environmentFor(github, { PORT: port, INQUEST_DATA_DIR: dataDir });
    github.setWebhook(`http://127.0.0.1:${port}/api/github/webhooks`);

    const killed = new Set<string>();
    let isPlayed = false;
    let isOver = false;
    while (!isOver) {
      const inquest = startProcess(env);
      for await (const line of inquest.lines) {
        const { msg } = JSON.parse(line) as { msg?: string };
        if (msg === 'working' && !isPlayed) {
          isPlayed = true;
          const log = failingLog(wrong);
          await github.playWorkflow({
            repo,
            branch: 'wrong',
            event: 'pull_request',
            jobs: [{ name: 'test', conclusion: 'failure', log }],
          });
        }
        const moment = momentOf(line);
        if (moment !== null && !killed.has(moment)) {
          killed.add(moment);
          await inquest.kill('SIGKILL');
          break;
        }
        // The last moment of a run has been seen before: let it end.
        if (moment === 'visit ends publish#1') {
          isOver = true;
          await inquest.kill('SIGTERM');
          break;
        }
        // A restart finds nothing to do: the commit of the last visit came before the kill.
        if (msg === 'working' && killed.has('visit ends publish#1')) {
          isOver = true;
          await inquest.kill('SIGTERM');
          break;
        }
      }
    }

    for (const visit of ['validate#1', 'run#1', 'debug#1', 'publish#1'])
      expect([...killed]).toContain(`visit begins ${visit}`);
    const store = await openStore({ databaseUrl: null, dataDir, clock: { now: () => 0 } });
    const runs = await store.findRuns({ head_sha: sha });
    expect(runs.map((run) => run.status)).toEqual(['published']);
    verifyLedger(await store.events(runs[0]?.run_id ?? ''));
    expect(await store.unfinishedDeliveries()).toEqual([]);
    await store.close();
    const comments = await commentsOf(repo.owner, repo.name, pull.number);
    expect(comments.filter((body) => body.includes(REPORT_MARKER))).toHaveLength(1);
    expect(comments).toHaveLength(1);
    expect(comments[0]).toContain('- cause: code');
    const checks = github.state.checkRuns.filter((check) => check.name === 'Inquest');
    expect(checks.map((check) => check.conclusion)).toEqual(['neutral']);
  }, 240_000);
});

async function commentsOf(owner: string, name: string, number: number): Promise<string[]> {
  const response = await fetch(`${github.apiUrl}/repos/${owner}/${name}/issues/${number}/comments`, {
    headers: { authorization: `token ${github.tokenOf(owner)}` },
  });
  const comments = (await response.json()) as { body: string }[];
  return comments.map((comment) => comment.body);
}
