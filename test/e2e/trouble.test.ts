/** What is told when something goes wrong: at GitHub, in the configuration, in the setup, in a mode that is not there yet. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MiddlewareHandler } from 'hono';
import type { FaultOrder } from '../support/github/faults.ts';
import { type Files, failingLog, shop, shopToInstall } from '../support/project.ts';
import { reportIn, type Stage, startStage } from './stage.ts';

const RIGHT = { cost: 7, asserted: 7 };
const WRONG = { cost: 8, asserted: 7 };

/** Pull requests from branches named `fork-…` come from another repository, as far as anybody can see. */
const forks: MiddlewareHandler = async (context, next) => {
  await next();
  if (!/\/pulls(\/\d+)?$|\/commits\/\w+\/pulls$/.test(context.req.path) || context.res.status !== 200) return;
  const answer: unknown = await context.res.json();
  const pulls = (Array.isArray(answer) ? answer : [answer]) as { head: { ref: string; repo: { id: number } } }[];
  for (const { head } of pulls) if (head.ref.startsWith('fork-')) head.repo.id += 1;
  context.res = Response.json(answer, { headers: context.res.headers });
};

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ middleware: forks });
});
afterAll(() => stage.close());

/** What Inquest says about a pull request of a repository with this configuration on `main`. */
async function toldOf(name: string, files: Files, branch = 'change') {
  const repo = await stage.createProject(name, { ...shop(RIGHT), ...files });
  const pull = await stage.openPull(repo, branch, shop(WRONG));
  await stage.failCi(pull, failingLog(WRONG));
  await stage.settled();
  const [comment, ...more] = stage.comments(repo, pull.number);
  expect(more).toEqual([]);
  const [run, ...others] = await stage.runs(repo);
  expect(others).toEqual([]);
  return { comment: comment ?? '', run, check: stage.checks(repo, pull.sha)[0] };
}

const config = (text: string): Files => ({ '.github/inquest.yml': text });

describe('GitHub in trouble', () => {
  const orders: readonly FaultOrder[] = [
    { kind: 'bad_gateway', match: /^POST .*\/comments$/ },
    { kind: 'bad_gateway', match: /^GET .*\/check-runs/ },
    { kind: 'secondary_limit', match: /^POST .*\/check-runs$/ },
    { kind: 'rate_limited', match: /^GET .*\/logs$/ },
    { kind: 'slow', match: /^GET .*\/pulls/, delayMs: 300 },
  ];

  it('still gets one comment and one check run', async () => {
    for (const order of orders) stage.github.faults.next({ retryAfterSeconds: 1, ...order });
    const { comment, run, check } = await toldOf('trouble', {});
    stage.github.faults.clear();
    expect(reportIn(comment)).toMatchObject({ failures: [{ cause: 'code' }] });
    expect(run?.status).toBe('published');
    expect(check?.conclusion).toBe('neutral');
  });
});

describe('A broken configuration', () => {
  it('is told with its place, and is no verdict', async () => {
    const { comment, run, check } = await toldOf('broken', config('mode: report\ntets: []\n'));
    expect(run?.status).toBe('failed');
    expect(comment).toContain('CONFIG_INVALID');
    expect(comment).toContain('.github/inquest.yml on main');
    expect(comment).toContain('tets');
    expect(comment).toContain('This says nothing about your code');
    expect(check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
  });
});

describe('A mode that this version does not have', () => {
  it('is refused after the investigation, whose report is told all the same', async () => {
    const { comment, run } = await toldOf('fix', config('mode: fix\n'));
    expect(run?.status).toBe('failed');
    expect(run?.visits.map((visit) => visit.place)).toEqual(['validate', 'run', 'debug', 'strategy', 'failed']);
    expect(comment).toContain('STATE_NOT_AVAILABLE');
    expect(reportIn(comment)).toMatchObject({ action: 'route_code', failures: [{ cause: 'code' }] });
  });
});

describe('A setup command', () => {
  it('that works prepares the tests', async () => {
    const repo = await stage.createProject('setup', {
      ...shopToInstall(RIGHT),
      ...config('setup:\n  command: node install.mjs\n'),
    });
    const pull = await stage.openPull(repo, 'change', { 'src/parcel.js': shop(WRONG)['src/parcel.js'] ?? '' });
    await stage.failCi(pull, failingLog(WRONG));
    await stage.settled();
    expect(reportIn(stage.comments(repo, pull.number)[0])).toMatchObject({ failures: [{ cause: 'code' }] });
  });

  it('that fails is told with the end of its output; what CI said is reported, unjudged', async () => {
    const setup = "console.error('no such registry');\nprocess.exit(3);\n";
    const { comment } = await toldOf('no-setup', {
      'install.mjs': setup,
      ...config('setup:\n  command: node install.mjs\n'),
    });
    expect(comment).toContain('The setup command node install.mjs ended with 3: no such registry');
    expect(reportIn(comment)).toMatchObject({ action: 'escalate', failures: [{ cause: 'unknown' }] });
  });
});

describe('A pull request from a fork', () => {
  /** Fails unless it reaches a server of this machine. */
  const setup = (url: string): Files => ({ 'install.mjs': `await fetch(${JSON.stringify(url)});\n` });
  const command = 'setup:\n  command: node install.mjs\n';

  it.each([
    ['has no network in its setup', 'closed-fork', command, 'fork-one', 'unknown'],
    ['has it when the configuration says so', 'open-fork', `${command}forks:\n  setup: true\n`, 'fork-two', 'code'],
    ['has it when it is no fork', 'no-fork', command, 'own', 'code'],
  ])('%s', async (_rule, name, text, branch, cause) => {
    const { comment } = await toldOf(name, { ...setup(stage.github.url), ...config(text) }, branch);
    expect(reportIn(comment)).toMatchObject({ failures: [{ cause }] });
    expect(comment.includes('forks.setup is false')).toBe(cause === 'unknown');
  });
});
