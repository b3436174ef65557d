/** What CI left behind, whole, in part, not at all, or meant to do harm. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { marked } from 'marked';
import { zip } from '../support/github/ci/archive.ts';
import type { CannedRun, RepositoryHandle } from '../support/github/people.ts';
import { type Files, failingLog, shop, stamped } from '../support/project.ts';
import { reportIn, type Stage, startStage } from './stage.ts';

const RIGHT = { cost: 7, asserted: 7 };
const WRONG = { cost: 8, asserted: 7 };
const LOG = failingLog(WRONG);

let stage: Stage;
let repo: RepositoryHandle;

beforeAll(async () => {
  stage = await startStage();
  repo = await stage.createProject('evidence', shop(RIGHT));
}, 60_000);
afterAll(() => stage.close());

/** A pull request whose CI leaves this behind; resolves with what Inquest says. */
async function toldOf(
  branch: string,
  left: Partial<CannedRun> & { expired?: true },
  changes: Files = shop(WRONG),
  body = '',
) {
  const { expired, ...run } = left;
  const pull = await stage.openPull(repo, branch, changes, body);
  const played = await stage.github.playWorkflow({
    repo,
    branch,
    event: 'pull_request',
    jobs: [{ name: 'test', conclusion: 'failure' }],
    ...run,
  });
  if (expired) stage.github.expireLogs(played.id);
  await stage.settled();
  const [comment, ...more] = stage.comments(repo, pull.number);
  expect(more).toEqual([]);
  return comment ?? '';
}

const failed = (log: string | Uint8Array) => [{ name: 'test', conclusion: 'failure', log } as const];

describe('A log that GitHub no longer has', () => {
  it.each([
    ['expired (410)', 'expired', { jobs: failed(LOG), expired: true } as const],
    ['never kept (404)', 'missing', {}],
  ])('%s: is said, and the tests are run here all the same', async (_what, branch, left) => {
    const comment = await toldOf(branch, left);
    expect(comment).toContain('### Not available');
    expect(comment).toContain('log: test');
    expect(reportIn(comment)).toMatchObject({ failures: [{ cause: 'code' }] });
  });
});

describe('A failing check that leaves nothing, in a repository without tests', () => {
  it('is told calmly', async () => {
    const bare = await stage.createProject('bare', { 'README.md': 'Nothing here' });
    const pull = await stage.openPull(bare, 'bare', { 'README.md': 'Still nothing' });
    await stage.failCi(pull, null);
    await stage.settled();
    const [comment] = stage.comments(bare, pull.number);
    expect(comment).toContain('No failing test or diagnostic could be read');
    expect(reportIn(comment).failures).toEqual([]);
    expect(await stage.runs(bare)).toMatchObject([{ status: 'published' }]);
  });
});

describe('A failure that is told otherwise than by a plain log', () => {
  const junit = `<?xml version="1.0"?><testsuites>
    <testcase name="a parcel of three kilos" classname="test" file="test/parcel.test.js">
      <failure type="testCodeFailure" message="Expected values to be strictly equal:&#10;&#10;8 !== 7&#10;">AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

8 !== 7

    at TestContext.&lt;anonymous&gt; (file:///home/runner/work/shop/shop/test/parcel.test.js:6:10)</failure>
    </testcase></testsuites>`;
  const ctrf = JSON.stringify({
    results: {
      tool: { name: 'node' },
      summary: { tests: 1, passed: 0, failed: 1, pending: 0, skipped: 0, other: 0, start: 0, stop: 1 },
      tests: [
        {
          name: 'a parcel of three kilos',
          status: 'failed',
          duration: 1,
          message: '8 !== 7',
          trace: 'AssertionError: 8 !== 7\n    at TestContext.<anonymous> (test/parcel.test.js:6:10)',
          filePath: 'test/parcel.test.js',
        },
      ],
    },
  });

  it.each([
    ['a JUnit XML artifact', 'junit', { artifacts: { 'test-results': { 'junit.xml': junit } } }],
    ['a CTRF artifact', 'ctrf', { artifacts: { 'ctrf-report': { 'ctrf.json': ctrf } } }],
  ])('%s: is judged', async (_what, branch, left) => {
    const comment = await toldOf(branch, left);
    expect(reportIn(comment)).toMatchObject({ failures: [{ cause: 'code', test: 'a parcel of three kilos' }] });
  });

  it('a log that comes as a zip: is judged', async () => {
    const log = await zip([['0_test.txt', new TextEncoder().encode(LOG)]]);
    expect(reportIn(await toldOf('zipped', { jobs: failed(log) }))).toMatchObject({ failures: [{ cause: 'code' }] });
  });
});

describe('A log that is meant to do harm', () => {
  // Put together here, so that no scanner takes this file for a leak.
  const secrets = [
    ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_'),
    ['AKIA', 'QWERTYUIOPASDFGH'].join(''),
    ['xoxb', '123456789012', '123456789012', 'abcdefghijklmnopqrstuvwx'].join('-'),
    ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'abcDEF123ghiJKL456mnoPQR789stuVWX012yzA'].join('.'),
  ];
  const evil =
    '<img src=x onerror=alert(1)> @octocat closes #1 [x](https://evil.example) ![y](https://evil.example/p.png) `a` **b**';
  const test = [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    '',
    `test(${JSON.stringify(evil)}, () => {`,
    ...secrets.map((secret) => `  console.log(${JSON.stringify(`token ${secret}`)});`),
    `  assert.equal(${JSON.stringify(`${secrets[0]} @octocat <b>`)}, 'nothing');`,
    '});',
    '',
  ].join('\n');
  const garbage = Array.from({ length: 5000 }, (_, index) => `${index} ${'@octocat #1 <script> '.repeat(50)}`);
  const lines = [
    ...garbage,
    ...secrets.map((secret) => `export TOKEN=${secret}`),
    'TAP version 13',
    `not ok 1 - ${evil}`,
    '  ---',
    "  location: '/home/runner/work/shop/shop/test/evil.test.js:4:1'",
    "  failureType: 'testCodeFailure'",
    '  error: |-',
    '    Expected values to be strictly equal:',
    `    '${secrets[0]} @octocat <b>' !== 'nothing'`,
    "  code: 'ERR_ASSERTION'",
    '  stack: |-',
    '    TestContext.<anonymous> (file:///home/runner/work/shop/shop/test/evil.test.js:9:10)',
    '  ...',
    '##[error]Process completed with exit code 1.',
  ];

  it('reaches neither people nor the store', async () => {
    const body = `Uses ${secrets[1]}. Closes #1`;
    const comment = await toldOf('evil', { jobs: failed(stamped(lines)) }, { 'test/evil.test.js': test }, body);
    expect(comment.length).toBeLessThan(65_536);
    expect(reportIn(comment).failures).toHaveLength(1);
    const html = marked.parse(comment, { async: false }).replace(/<code\b[^>]*>[\s\S]*?<\/code>/g, '');
    expect(html).not.toMatch(/@octocat|#1\b|<img|<b>|<script|href="https?:\/\/evil/);
    const kept = [comment, ...stage.logged];
    for (const run of await stage.runs(repo)) {
      kept.push(JSON.stringify(run), JSON.stringify(await stage.events(run)));
      for (const name of await stage.inquest.store.artifactNames(run.run_id))
        kept.push(await stage.artifact(run, name));
    }
    for (const check of stage.checks(repo)) kept.push(JSON.stringify([check.output, check.annotations]));
    for (const secret of secrets) {
      expect(kept.filter((text) => text.includes(secret)).map((text) => text.slice(0, 200))).toEqual([]);
    }
  });
});
