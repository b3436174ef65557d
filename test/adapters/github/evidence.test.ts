import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Forge } from '../../../src/ports/forge.ts';
import { type ForgeSetup, failedOf, startForge, textsOf } from './forge-setup.ts';
import { zipOf } from './zips.ts';

let setup: ForgeSetup;
let forge: Forge;

beforeAll(async () => {
  setup = await startForge();
  forge = setup.forge();
});
afterAll(() => setup.close());

type Workflow = Parameters<ForgeSetup['github']['playWorkflow']>[0];
type Parts = Pick<Workflow, 'jobs' | 'artifacts'>;
const LOG = '2026-01-01T00:00:00.0000000Z not ok 1 - total\n';
const JUNIT = '<?xml version="1.0"?>\n<testsuites><testsuite name="s"><testcase name="t"/></testsuite></testsuites>\n';
const CTRF = '{"results": {"tool": {"name": "x"}, "summary": {}, "tests": []}}';

const STEP = {
  number: 1,
  name: 'Run tests',
  status: 'completed' as const,
  conclusion: null,
  startedAt: null,
  completedAt: null,
};

let played = 0;

/** Plays a workflow of its own; resolves with its failing checks. */
async function fail(parts: Parts) {
  played += 1;
  const workflow = `Workflow ${played}`;
  const run = await setup.github.playWorkflow({
    repo: setup.handle,
    branch: 'main',
    sha: setup.sha,
    workflow,
    ...parts,
  });
  await run.done;
  const failing = failedOf(await forge.checks(setup.repo, setup.sha));
  return { id: run.id, failing: failing.filter((check) => check.workflow_run_id === run.id) };
}

describe('The log of a failing job', () => {
  it('is read as it is', async () => {
    const { failing } = await fail({ jobs: [{ name: 'test', conclusion: 'failure', log: LOG }] });
    expect(await textsOf(await forge.evidence(setup.repo, failing))).toMatchObject({ 'log: test': LOG });
  });

  it('is fetched again when it is long, and can be read twice', async () => {
    const log = LOG.repeat(40_000);
    const { failing } = await fail({ jobs: [{ name: 'test', conclusion: 'failure', log }] });
    const evidence = await forge.evidence(setup.repo, failing);
    for (const _reading of [1, 2]) expect((await textsOf(evidence))['log: test']?.length).toBe(log.length);
  });

  it('is unpacked when it is a zip, its steps in order', async () => {
    const zip = await zipOf({ 'test/10_Late.txt': 'late', 'test/2_Early.txt': 'early' });
    const { failing } = await fail({ jobs: [{ name: 'test', conclusion: 'failure', log: zip }] });
    const texts = await textsOf(await forge.evidence(setup.repo, failing));
    expect(texts['log: test']).toBe('early\nlate\n');
  });

  it('comes from the zip of the workflow run when the job has none of its own', async () => {
    const jobs = [
      { name: 'test / unit (20)', conclusion: 'failure' as const, log: '' },
      { name: 'other', conclusion: 'success' as const, log: 'fine' },
    ];
    const { id, failing } = await fail({ jobs });
    for (const run of setup.github.state.workflowRuns.filter((one) => one.id === id)) {
      for (const job of run.jobs) job.steps.push({ ...STEP, log: `Log of ${job.name}` });
    }
    const texts = await textsOf(await forge.evidence(setup.repo, failing));
    expect(texts['log: test / unit (20)']).toBe('Log of test / unit (20)\n');
  });

  it('is said to be missing when it has expired', async () => {
    const { id, failing } = await fail({ jobs: [{ name: 'test', conclusion: 'failure', log: LOG }] });
    setup.github.expireLogs(id);
    const texts = await textsOf(await forge.evidence(setup.repo, failing));
    expect(texts['log: test']).toBe('missing: It has expired at GitHub.');
  });

  it('is said to be missing when it is too large', async () => {
    const { failing } = await fail({ jobs: [{ name: 'test', conclusion: 'failure', log: LOG.repeat(100) }] });
    const small = setup.forge({ limits: { log_bytes: 1000 } });
    const texts = await textsOf(await small.evidence(setup.repo, failing));
    expect(texts['log: test']).toMatch(/^missing: .* more than 1 kB/);
  });

  it('is said not to exist for a check that is no Actions job, and for a commit status', async () => {
    const sha = await setup.push({ 'o.txt': 'other' });
    const { github, handle, repo } = setup;
    await github.reportCheck({ repo: handle, sha, name: 'build', status: 'completed', conclusion: 'failure' });
    await github.reportStatus({ repo: handle, sha, state: 'failure', context: 'lint', targetUrl: 'https://ci.test/1' });
    const texts = await textsOf(await forge.evidence(repo, failedOf(await forge.checks(repo, sha))));
    expect(texts['log: build']).toMatch(/^missing: .*no GitHub Actions job/);
    expect(texts['log: lint']).toMatch(/^missing: .*commit status.*https:\/\/ci\.test\/1/);
  });

  it('of too many failing checks is read for the first of them', async () => {
    const jobs = ['a', 'b', 'c'].map((name) => ({ name, conclusion: 'failure' as const, log: LOG }));
    const { failing } = await fail({ jobs });
    const evidence = await setup.forge({ limits: { checks: 2 } }).evidence(setup.repo, failing);
    const logs = evidence.filter((one) => one.origin === 'job_log');
    expect(logs.map((one) => 'missing' in one)).toEqual([false, false, true]);
  });
});

describe('The annotations of a failing check', () => {
  it('are one JSON document, from all pages', async () => {
    const annotations = Array.from({ length: 120 }, (_, n) => ({
      path: 'src/a.ts',
      start_line: n + 1,
      end_line: n + 1,
    }));
    const { failing } = await fail({ jobs: [{ name: 'test', conclusion: 'failure', log: LOG, annotations }] });
    const texts = await textsOf(await forge.evidence(setup.repo, failing));
    const document = JSON.parse(texts['annotations: test'] ?? '[]');
    expect(document).toHaveLength(120);
    expect(document[119]).toMatchObject({ path: 'src/a.ts', start_line: 120, annotation_level: 'failure' });
  });
});

describe('Test reports among the artifacts', () => {
  const jobs = [{ name: 'test', conclusion: 'failure' as const, log: LOG }];

  it('are found by what they hold: JUnit XML and CTRF, nothing else', async () => {
    const { failing } = await fail({
      jobs,
      artifacts: {
        'test-results': { 'unit/junit.xml': JUNIT, 'coverage.xml': '<coverage/>', 'notes.txt': 'x' },
        stuff: { 'ctrf.json': CTRF, 'package.json': '{"name": "x"}' },
      },
    });
    const reports = (await forge.evidence(setup.repo, failing)).filter((one) => one.origin === 'artifact');
    expect(await textsOf(reports)).toEqual({ 'test-results/unit/junit.xml': JUNIT, 'stuff/ctrf.json': CTRF });
  });

  it('are said to be missing when they are expired, empty, damaged or too large', async () => {
    const { id, failing } = await fail({
      jobs,
      artifacts: {
        'junit-expired': { 'junit.xml': JUNIT },
        'junit-empty': { 'junit.xml': '' },
        'junit-large': { 'junit.xml': JUNIT + ' '.repeat(5000) },
        dist: { 'app.js': 'x' },
      },
    });
    for (const artifact of setup.github.state.artifacts()) {
      if (artifact.run.id === id && artifact.name === 'junit-expired') artifact.expired = true;
    }
    const small = setup.forge({ limits: { report_bytes: 1000 } });
    const reports = (await small.evidence(setup.repo, failing)).filter((one) => one.origin === 'artifact');
    expect(await textsOf(reports)).toEqual({
      'artifact: junit-expired': 'missing: It has expired at GitHub.',
      'junit-empty/junit.xml': 'missing: The file is empty.',
      'junit-large/junit.xml': expect.stringMatching(/^missing: It has 6 kB/),
    });
  });

  it('are read though another file of their artifact is refused', async () => {
    const bomb = JUNIT + ' '.repeat(4 * 1024 * 1024);
    const artifacts = { 'test-results': { 'a.xml': JUNIT, 'b.xml': bomb, 'c.xml': JUNIT } };
    const { failing } = await fail({ jobs, artifacts });
    const reports = (await forge.evidence(setup.repo, failing)).filter((one) => one.origin === 'artifact');
    expect(await textsOf(reports)).toEqual({
      'test-results/a.xml': JUNIT,
      'test-results/b.xml': expect.stringMatching(/^missing: .*b\.xml unpacks to \d+ times its size/),
      'test-results/c.xml': JUNIT,
    });
  });

  it('are looked for up to a number of bytes, whatever the files turn out to be', async () => {
    const other = `<coverage>${'x'.repeat(3000)}</coverage>`;
    const artifacts = { 'test-results': { 'a.xml': other, 'b.xml': other, 'c.xml': JUNIT } };
    const { failing } = await fail({ jobs, artifacts });
    const small = setup.forge({ limits: { zip_bytes: 5000 } });
    const reports = (await small.evidence(setup.repo, failing)).filter((one) => one.origin === 'artifact');
    expect(await textsOf(reports)).toEqual({
      'artifact: test-results': 'missing: Of one artifact 5 kB are unpacked; the rest was not looked at.',
    });
  });

  it('are read up to a number of artifacts', async () => {
    const artifacts = { 'junit-1': { 'a.xml': JUNIT }, 'junit-2': { 'b.xml': JUNIT } };
    const { failing } = await fail({ jobs, artifacts });
    const reports = await setup.forge({ limits: { artifacts: 1 } }).evidence(setup.repo, failing);
    expect(await textsOf(reports.filter((one) => one.origin === 'artifact'))).toEqual({
      'junit-1/a.xml': JUNIT,
      'artifact: junit-2': 'missing: Only the first 1 artifacts are read.',
    });
  });
});

describe('An installation that lacks a permission', () => {
  it('is told so in the evidence, and what it may read is read', async () => {
    const jobs = [{ name: 'test', conclusion: 'failure' as const, log: LOG, annotations: [{ path: 'a.ts' }] }];
    const { id, failing } = await fail({ jobs });
    const permissions = { checks: 'read', metadata: 'read' } as const;
    const { id: installation_id } = await setup.github.installApp(setup.handle, { permissions });
    const repo = { ...setup.repo, installation_id };
    const texts = await textsOf(await forge.evidence(repo, failing));
    expect(Object.keys(texts)).toEqual(['log: test', 'annotations: test', `artifacts of workflow run ${id}`]);
    expect(texts['log: test']).toBe('missing: GitHub does not let the App read it.');
    expect((await forge.checks(repo, setup.sha)).length).toBeGreaterThan(0);
  });
});
