import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { withCallContext } from '../../../src/adapters/github/call-context.ts';
import type { Forge } from '../../../src/ports/forge.ts';
import { type ForgeSetup, startForge } from './forge-setup.ts';
import { startRecordingServer } from './recording-server.ts';

let setup: ForgeSetup;
let forge: Forge;

beforeAll(async () => {
  setup = await startForge();
  forge = setup.forge();
  // The installation token is fetched now, so that ordered faults meet the request under test.
  await forge.defaultBranch(setup.repo);
});
afterEach(() => setup.github.faults.clear());
afterAll(() => setup.close());

describe('A request that GitHub does not answer at once', () => {
  it.each(['bad_gateway', 'rate_limited', 'secondary_limit'] as const)('is repeated after %s', async (kind) => {
    setup.github.faults.next({ kind, retryAfterSeconds: 0, times: 2 });
    expect(await forge.headOf(setup.repo, 'main')).toBe(setup.sha);
  });

  it('is left to the queue when GitHub asks for a longer wait', async () => {
    setup.github.faults.next({ kind: 'rate_limited', retryAfterSeconds: 600 });
    await expect(forge.headOf(setup.repo, 'main')).rejects.toMatchObject({
      code: 'GITHUB_UNAVAILABLE',
      retryable: true,
      message: expect.stringContaining('wait 600 s'),
    });
  });

  it('is left to the queue after a few tries', async () => {
    setup.github.faults.next({ kind: 'bad_gateway', times: 20 });
    await expect(forge.headOf(setup.repo, 'main')).rejects.toMatchObject({
      code: 'GITHUB_UNAVAILABLE',
      retryable: true,
    });
  });

  it('is given up when the answer takes too long', async () => {
    setup.github.faults.next({ kind: 'slow', delayMs: 400, times: 20 });
    const impatient = setup.forge({ timeoutMs: 50 });
    await expect(impatient.headOf(setup.repo, 'main')).rejects.toMatchObject({ code: 'GITHUB_UNAVAILABLE' });
  });

  it('is stopped with the job that asked for it', async () => {
    setup.github.faults.next({ kind: 'slow', delayMs: 400 });
    const stop = new AbortController();
    const asked = withCallContext({ signal: stop.signal }, () => forge.headOf(setup.repo, 'main'));
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('A write that GitHub asks to slow down', () => {
  it('happens once', async () => {
    const { number } = await setup.github.createIssue({ repo: setup.handle, title: 'x' });
    setup.github.faults.next({ kind: 'secondary_limit', match: /^POST .*\/comments$/, retryAfterSeconds: 0 });
    await forge.upsertComment(setup.repo, number, '<!-- m -->', '<!-- m -->');
    expect(setup.github.state.comments.filter((comment) => comment.issue.number === number)).toHaveLength(1);
  });
});

describe('A request that GitHub refuses', () => {
  it('is final, and says what was asked and what to look at', async () => {
    const elsewhere = { ...setup.repo, name: 'nothing-here' };
    await expect(forge.defaultBranch(elsewhere)).rejects.toMatchObject({
      code: 'GITHUB_REFUSED',
      retryable: false,
      message: expect.stringMatching(/read the repository acme\/nothing-here: HTTP 404/),
      hint: expect.stringContaining('docs/permissions.md'),
    });
  });
});

describe('An error', () => {
  it('holds no token, however deep one looks', async () => {
    const elsewhere = { ...setup.repo, name: 'nothing-here' };
    const error = await forge.defaultBranch(elsewhere).catch((thrown: unknown) => thrown);
    const text = inspect(error, { depth: 20, showHidden: true });
    expect(setup.github.state.tokens.filter(({ token }) => text.includes(token))).toEqual([]);
  });
});

describe('A server that answers otherwise than documented', () => {
  it('is named as such, with the field', async () => {
    const server = await startRecordingServer({ json: { default_branch: 7 } });
    await expect(setup.forge({ apiUrl: server.url }).defaultBranch(setup.repo)).rejects.toMatchObject({
      code: 'GITHUB_REFUSED',
    });
    await server.close();
  });

  it('is no answer when it breaks off in the middle', async () => {
    const server = await startRecordingServer({ broken: true });
    await expect(setup.forge({ apiUrl: server.url }).defaultBranch(setup.repo)).rejects.toMatchObject({
      code: 'GITHUB_UNAVAILABLE',
    });
    await server.close();
  });
});

describe('Every request of a job', () => {
  it('carries the delivery id of the webhook that caused it', async () => {
    const token = { token: 'ghs_x', expires_at: '2100-01-01T00:00:00Z', permissions: {}, repository_selection: 'all' };
    const server = await startRecordingServer({ json: { ...token, default_branch: 'main', clone_url: 'https://x' } });
    const recorded = setup.forge({ apiUrl: server.url });
    await withCallContext({ deliveryId: 'd-42' }, () => recorded.defaultBranch({ ...setup.repo, installation_id: 9 }));
    expect(server.requests.map(({ url }) => url)).toEqual(['/app/installations/9/access_tokens', '/repos/acme/shop']);
    expect(server.requests.map(({ headers }) => headers['x-github-delivery'])).toEqual(['d-42', 'd-42']);
    await server.close();
  });
});

describe('A list that has not changed', () => {
  it('is asked for with its ETag and read from memory', async () => {
    const server = await startRecordingServer({
      etag: '"1"',
      json: { token: 'ghs_x', expires_at: '2100-01-01T00:00:00Z', total_count: 0, check_runs: [] },
    });
    const recorded = setup.forge({ apiUrl: server.url });
    const repo = { ...setup.repo, installation_id: 10 };
    for (const _time of [1, 2, 3]) await recorded.upsertCheckRun(repo, NOTHING).catch(() => {});
    const lists = server.requests.filter(({ method, url }) => method === 'GET' && url?.includes('/check-runs'));
    expect(lists.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"', '"1"']);
    await server.close();
  });
});

const NOTHING = {
  external_id: 'run_1',
  head_sha: 'a'.repeat(40),
  status: 'in_progress',
  conclusion: null,
  title: 't',
  summary: 's',
  annotations: [],
} as const;
