import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Job } from '../support/github/model.ts';
import { createOpenApiCheck, type OpenApiCheck } from '../support/github/openapi/check.ts';
import { seedSample } from '../support/github/sample.ts';
import { type GithubSimulator, startGithub } from '../support/github/simulator.ts';
import { openShop, type Shop } from './shop.ts';

const WORKFLOW = `
name: Build
on:
  push:
    branches: ['main', 'release/**']
env:
  GREETING: hello
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Speak
        run: |
          echo "$GREETING from $GITHUB_WORKSPACE"
          echo "WORD=later" >> "$GITHUB_ENV"
          echo "::warning file=README.md,line=1::Too short"
          mkdir -p out/deep && echo '<x/>' > out/deep/report.xml
      - name: Fail
        run: test "$WORD" = later && exit 3
      - name: Never
        run: echo not reached
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: reports
          path: out
  after:
    runs-on: ubuntu-latest
    needs: test
    steps:
      - run: echo not reached
  strange:
    runs-on: ubuntu-latest
    steps:
      - uses: someone/magic@v1
`;

describe('a workflow runs for real', () => {
  let shop: Shop;
  let jobs: ReadonlyMap<string, Job>;
  const logOf = (name: string): string => Buffer.from(jobs.get(name)?.log ?? []).toString('utf8');

  beforeAll(async () => {
    shop = await openShop();
    await shop.push('topic', { '.github/workflows/build.yml': WORKFLOW });
    await shop.push('main', { 'CHANGES.md': 'one\n' });
    await shop.github.idle();
    jobs = new Map(shop.github.state.jobs().map((job) => [job.name, job]));
  });
  afterAll(() => shop.close());

  it('on the branches that it names, and on no other', () => {
    expect(shop.github.state.workflowRuns.map((run) => run.suite.headBranch)).toEqual(['main']);
  });

  it('step by step, until one fails', () => {
    const steps = jobs.get('test')?.steps.map(({ name, conclusion }) => `${name}: ${conclusion}`);
    expect(steps).toEqual([
      'Set up job: success',
      'Run actions/checkout@v4: success',
      'Speak: success',
      'Fail: failure',
      'Never: skipped',
      'Run actions/upload-artifact@v4: success',
      'Complete job: success',
    ]);
    expect(jobs.get('test')?.checkRun.conclusion).toBe('failure');
    expect(jobs.get('after')?.checkRun.conclusion).toBe('skipped');
  });

  it("with a log in GitHub's dress", () => {
    const log = logOf('test');
    expect(log.startsWith('\ufeff')).toBe(true);
    const lines = log.slice(1).trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z /);
    const texts = lines.map((line) => line.slice(29));
    expect(texts).toEqual(
      expect.arrayContaining([
        '##[group]Run echo "$GREETING from $GITHUB_WORKSPACE"',
        '  GREETING: hello',
        'hello from /home/runner/work/shop/shop',
        '##[warning]Too short',
        '##[error]Process completed with exit code 3.',
      ]),
    );
  });

  it('with annotations', () => {
    expect(jobs.get('test')?.checkRun.annotations).toMatchObject([
      { path: 'README.md', start_line: 1, annotation_level: 'warning', message: 'Too short' },
      { path: '.github', annotation_level: 'failure', message: 'Process completed with exit code 3.' },
    ]);
  });

  it('and with what it uploads', () => {
    expect(shop.github.state.artifacts().map(({ name }) => name)).toEqual(['reports']);
  });

  it('but fails on an action that it does not know', () => {
    expect(jobs.get('strange')?.checkRun.conclusion).toBe('failure');
    expect(logOf('strange')).toContain('##[error]Unable to resolve action `someone/magic@v1`');
    expect(shop.check.mismatches).toEqual([]);
  });
});

describe("the demo's sample", () => {
  let github: GithubSimulator;
  let check: OpenApiCheck;

  beforeAll(async () => {
    check = createOpenApiCheck();
    github = await startGithub({ check });
    const folder = join(import.meta.dirname, '../../demo/sample');
    const sample = await seedSample(github, { owner: 'tidewater', name: 'pricing' }, folder);
    for (const change of sample.changes) await sample.open(change);
    await sample.close();
    await github.idle();
  });
  afterAll(() => github.close());

  it('is green on main and red on every pull request', () => {
    const runs = github.state.workflowRuns.map((run) => [run.event, run.suite.headBranch, run.conclusion]);
    expect(runs).toEqual([
      ['push', 'main', 'success'],
      ['pull_request', 'parcel-rates', 'failure'],
      ['pull_request', 'bulk-discount', 'failure'],
      ['pull_request', 'gift-wrapping', 'failure'],
      ['pull_request', 'invoice-amounts', 'failure'],
    ]);
    expect(check.mismatches).toEqual([]);
  });

  it('shows what was expected and what came', () => {
    const logs = github.state.jobs().map((job) => Buffer.from(job.log ?? []).toString('utf8'));
    expect(logs[1]).toContain('395 !== 475');
    expect(logs[2]).toContain('1500 !== 2000');
    expect(logs[3]).toContain('350 !== 400');
  });
});
