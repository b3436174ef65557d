/** What people read after CI failed on a pull request, for each of the verdicts. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseDebugReport } from '../../src/pipeline/debug-report.ts';
import { verifyLedger } from '../../src/record/ledger.ts';
import { failingLog, pythonShop, shop, unittestLog } from '../support/project.ts';
import { type OpenedPull, reportIn, type Stage, startStage } from './stage.ts';

const RIGHT = { cost: 7, asserted: 7 };
const CODE_WRONG = { cost: 8, asserted: 7 };
const TEST_WRONG = { cost: 7, asserted: 8 };

let stage: Stage;
const pulls: Record<string, OpenedPull> = {};

beforeAll(async () => {
  stage = await startStage();
  const node = await stage.createProject('shop', shop(RIGHT));
  const silent = { 'docs/spec.md': '# Shipping\n\nA parcel has a price.\n' };
  const quiet = await stage.createProject('quiet', { ...shop(RIGHT), ...silent });
  const python = await stage.createProject('python', pythonShop(RIGHT));
  pulls.code = await stage.openPull(node, 'code', shop(CODE_WRONG));
  pulls.test = await stage.openPull(node, 'test', shop(TEST_WRONG));
  pulls.silent = await stage.openPull(quiet, 'silent', { ...shop(CODE_WRONG), ...silent });
  pulls.flaky = await stage.openPull(node, 'flaky', { 'README.md': 'A shop' });
  pulls.python = await stage.openPull(python, 'python', pythonShop(CODE_WRONG));
  await stage.failCi(pulls.code, failingLog(CODE_WRONG));
  await stage.failCi(pulls.test, failingLog(TEST_WRONG));
  await stage.failCi(pulls.silent, failingLog(CODE_WRONG));
  await stage.failCi(pulls.flaky, failingLog(CODE_WRONG));
  await stage.failCi(pulls.python, unittestLog(CODE_WRONG));
  await stage.settled();
}, 120_000);
afterAll(() => stage.close());

/** The one comment, the one run and the one check run of a pull request. */
async function endOf(name: string) {
  const pull = pulls[name];
  if (pull === undefined) throw new Error(`There is no pull request ${name}.`);
  const comments = stage.comments(pull.repo, pull.number);
  const runs = (await stage.runs(pull.repo)).filter((run) => run.head_sha === pull.sha);
  const checks = stage.checks(pull.repo, pull.sha);
  expect([comments.length, runs.length, checks.length]).toEqual([1, 1, 1]);
  return { pull, comment: comments[0] ?? '', run: runs[0], check: checks[0] };
}

describe('A failing check of a pull request', () => {
  it.each([
    ['code', 'code', 'route_code', 'Change the code so that `parcelCost(3)` gives `7`'],
    ['test', 'test', 'route_test', 'Change the test: it demands `8` for `parcelCost(3)`'],
    ['silent', 'unknown', 'escalate', 'Decide what'],
    ['flaky', 'unknown', 'escalate', 'not reproduced: alone, the test passed 3 of 3 times'],
    ['python', 'code', 'route_code', 'Change the code so that `parcel_cost(3)` gives `7`'],
  ])('%s: is told as %s', async (name, cause, action, advice) => {
    const { comment } = await endOf(name);
    const report = reportIn(comment);
    expect(report).toMatchObject({ action, failures: [{ cause }] });
    expect(comment).toContain(advice);
  });

  it.each(['code', 'test', 'silent', 'flaky', 'python'])('%s: leaves a whole record', async (name) => {
    const { run, comment, check } = await endOf(name);
    expect(run).toMatchObject({ status: 'published' });
    verifyLedger(await stage.events(run));
    const report = parseDebugReport(await stage.artifact(run, 'debug.md'));
    expect(report.failures.map((failure) => failure.cause)).toEqual(
      reportIn(comment).failures.map((failure) => failure.cause),
    );
    expect(check).toMatchObject({ status: 'completed', conclusion: 'neutral', externalId: run?.run_id });
  });

  it.each([
    ['code', 'test/parcel.test.js', 6],
    ['python', 'test_parcel.py', 7],
  ])('%s: is annotated and linked at its line', async (name, path, line) => {
    const { pull, comment, check } = await endOf(name);
    const { owner, name: repository } = pull.repo;
    expect(comment).toContain(`${stage.github.url}/${owner}/${repository}/blob/${pull.sha}/${path}#L${line}`);
    expect(check?.annotations).toMatchObject([{ path, start_line: line, annotation_level: 'warning' }]);
    expect(check?.output.title).toContain('code');
  });

  it('whose cause is not settled: says what was missing', async () => {
    const { comment } = await endOf('silent');
    expect(reportIn(comment).failures[0]?.evidence).toContain('missing: ');
    expect(comment).toContain('### Inquest: a person has to decide');
  });
});
