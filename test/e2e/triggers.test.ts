/** What starts a run, how many, and where its report goes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failingLog, pushFiles, shop } from '../support/project.ts';
import { reportIn, type Stage, startStage } from './stage.ts';

const RIGHT = { cost: 7, asserted: 7 };
const WRONG = { cost: 8, asserted: 7 };
const LOG = failingLog(WRONG);

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ env: { INQUEST_WAIT_SECONDS: '2' } });
});
afterAll(() => stage.close());

describe('Several failures of one commit', () => {
  it('are one run and one comment, whoever reports them, and a running check is waited for', async () => {
    const { github } = stage;
    const repo = await stage.createProject('many', shop(RIGHT));
    const pull = await stage.openPull(repo, 'many', shop(WRONG));
    await github.reportCheck({ repo, sha: pull.sha, name: 'slow', app: 'other-ci', status: 'in_progress' });
    await stage.failCi(pull, LOG, { workflow: 'CI' });
    await stage.failCi(pull, LOG, { workflow: 'Nightly' });
    await github.reportStatus({ repo, sha: pull.sha, state: 'failure', context: 'legacy/build' });
    await github.reportCheck({ repo, sha: pull.sha, name: 'slow', app: 'other-ci', conclusion: 'failure' });
    await stage.settled();
    const runs = await stage.runs(repo);
    expect(runs).toHaveLength(1);
    const failures = JSON.parse(await stage.artifact(runs[0], 'failures.json')) as { checks: { name: string }[] };
    expect(failures.checks.map((check) => check.name).sort()).toEqual(['legacy/build', 'slow', 'test', 'test']);
    expect(stage.comments(repo, pull.number)).toHaveLength(1);
    expect(reportIn(stage.comments(repo, pull.number)[0]).failures).toMatchObject([{ cause: 'code' }]);
    expect(stage.checks(repo)).toHaveLength(1);
  });

  it('that come while another check never ends are looked at after the configured wait', async () => {
    const wait = { '.github/inquest.yml': 'wait:\n  checks_minutes: 0.01\n' };
    const repo = await stage.createProject('endless', { ...shop(RIGHT), ...wait });
    const pull = await stage.openPull(repo, 'endless', shop(WRONG));
    await stage.github.reportCheck({ repo, sha: pull.sha, name: 'endless', app: 'other-ci', status: 'in_progress' });
    await stage.failCi(pull, LOG);
    await stage.settled();
    expect((await stage.runs(repo)).map((run) => run.status)).toEqual(['published']);
  });
});

describe('Every webhook sent again', () => {
  it('changes nothing', async () => {
    const repo = await stage.createProject('again', shop(RIGHT));
    const first = stage.github.state.deliveries.length;
    const pull = await stage.openPull(repo, 'again', shop(WRONG));
    await stage.failCi(pull, LOG);
    await stage.settled();
    const looks = async () => {
      const runs = await stage.runs(repo);
      const events = await Promise.all(runs.map((run) => stage.events(run)));
      return { runs, events, comments: stage.comments(repo, pull.number), checks: stage.checks(repo).length };
    };
    const before = await looks();
    expect(before.runs).toHaveLength(1);
    for (const { id } of stage.github.state.deliveries.slice(first)) await stage.github.redeliver(id);
    await stage.settled();
    expect(await looks()).toEqual(before);
  });
});

describe('A push to the pull request', () => {
  it('cancels the run of the older commit; the one comment tells about the newer', async () => {
    const repo = await stage.createProject('pushed', shop(RIGHT));
    const slow = { '.github/inquest.yml': 'tests:\n  - name: slow\n    command: sleep 60\n' };
    await pushFiles(repo.pushUrl, 'main', slow);
    const pull = await stage.openPull(repo, 'pushed', shop(WRONG));
    await stage.failCi(pull, LOG);
    await untilVisit(repo, 'run');
    await pushFiles(repo.pushUrl, 'main', { '.github/inquest.yml': '{}\n' });
    const sha = await pushFiles(repo.pushUrl, 'pushed', shop({ cost: 9, asserted: 7 }));
    await stage.failCi(pull, failingLog({ cost: 9, asserted: 7 }));
    await stage.settled();
    const runs = await stage.runs(repo);
    expect(runs.map((run) => [run.head_sha, run.status])).toEqual([
      [sha, 'published'],
      [pull.sha, 'cancelled'],
    ]);
    expect(stage.checks(repo, pull.sha).map((check) => check.conclusion)).toEqual(['cancelled']);
    expect(stage.checks(repo, sha).map((check) => check.conclusion)).toEqual(['neutral']);
    const [comment, ...more] = stage.comments(repo, pull.number);
    expect(more).toEqual([]);
    expect(comment).toContain('it gives `9`');
  });
});

/** Resolves when the only run of the repository has entered the state. */
async function untilVisit(repo: Parameters<Stage['runs']>[0], place: string): Promise<void> {
  for (;;) {
    const [run] = await stage.runs(repo);
    if (run?.visits.some((visit) => visit.place === place)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('A failure that is reported after the run has ended', () => {
  it('is answered by a second run, in the same comment', async () => {
    const repo = await stage.createProject('late', shop(RIGHT));
    const pull = await stage.openPull(repo, 'late', shop(WRONG));
    await stage.failCi(pull, LOG);
    await stage.settled();
    await stage.failCi(pull, LOG, { workflow: 'Late' });
    await stage.settled();
    const runs = await stage.runs(repo);
    expect(runs.map((run) => [run.generation, run.status]).sort()).toEqual([
      [1, 'published'],
      [2, 'published'],
    ]);
    expect(stage.comments(repo, pull.number)).toHaveLength(1);
    expect(stage.comments(repo, pull.number)[0]).toContain(runs.find((run) => run.generation === 2)?.run_id);
  });
});

describe('A pull request that is closed', () => {
  it('has its run cancelled, without a word', async () => {
    const slow = { '.github/inquest.yml': 'tests:\n  - name: slow\n    command: sleep 60\n' };
    const repo = await stage.createProject('closed', { ...shop(RIGHT), ...slow });
    const pull = await stage.openPull(repo, 'closed', shop(WRONG));
    await stage.failCi(pull, LOG);
    await untilVisit(repo, 'run');
    await fetch(`${stage.github.apiUrl}/repos/acme/closed/issues/${pull.number}`, {
      method: 'PATCH',
      headers: { authorization: `token ${stage.github.tokenOf('acme')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'closed' }),
    });
    await stage.settled();
    expect((await stage.runs(repo)).map((run) => run.status)).toEqual(['cancelled']);
    expect(stage.comments(repo, pull.number)).toEqual([]);
    expect(stage.checks(repo).map((check) => check.conclusion)).toEqual(['cancelled']);
  });
});

describe('A failing branch without a pull request', () => {
  it('is an issue when it is the default branch, found again by the next failure of the same kind', async () => {
    const repo = await stage.createProject('main-fails', shop(WRONG));
    const on = { repo, branch: 'main' };
    await stage.failCi(on, LOG, { event: 'push' });
    await stage.settled();
    const issues = () => stage.github.state.issues.filter((issue) => issue.repository.id === repo.id);
    expect(issues()).toHaveLength(1);
    const first = issues()[0]?.body ?? '';
    expect(first).toContain('- cause: code');
    const sha = await pushFiles(repo.pushUrl, 'main', { 'README.md': 'Still wrong' });
    await stage.failCi(on, LOG, { event: 'push' });
    await stage.settled();
    expect(issues()).toHaveLength(1);
    expect(issues()[0]?.body).toContain(sha);
    expect(await stage.runs(repo)).toHaveLength(2);
  });

  it('has a check run only when it is another branch', async () => {
    const repo = await stage.createProject('side', shop(RIGHT));
    await pushFiles(repo.pushUrl, 'side', shop(WRONG));
    await stage.failCi({ repo, branch: 'side' }, LOG, { event: 'push' });
    await stage.settled();
    expect(stage.checks(repo)).toMatchObject([{ conclusion: 'neutral' }]);
    expect(stage.github.state.issues.filter((issue) => issue.repository.id === repo.id)).toEqual([]);
  });
});

describe('What Inquest writes itself', () => {
  it('starts nothing', async () => {
    const { state } = stage.github;
    const own = state.deliveries.filter(({ event, body }) => {
      const byBot = body.includes('"login":"inquest[bot]"') && JSON.parse(body).sender.login === 'inquest[bot]';
      return byBot && event !== 'installation';
    });
    expect(own.length).toBeGreaterThan(10);
    for (const { guid } of own) expect(await stage.inquest.store.findDelivery(guid)).toBeNull();
    const failing = new Set(
      state.checkRuns.filter((run) => run.conclusion === 'failure').map((run) => run.suite.headSha),
    );
    const runs = await stage.inquest.store.findRuns({});
    expect(runs.filter((run) => !failing.has(run.head_sha))).toEqual([]);
  });
});
