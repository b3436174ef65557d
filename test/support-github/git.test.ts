import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { GIT_ENV } from '../support/github/git/repository.ts';
import { openShop, type Shop } from './shop.ts';

describe('git over HTTP', () => {
  let shop: Shop;
  let folder: string;
  let token: string;

  beforeAll(async () => {
    shop = await openShop();
    folder = await mkdtemp(join(tmpdir(), 'clones-'));
    const { data } = await shop.octokit.request('POST /app/installations/{installation_id}/access_tokens', {
      installation_id: shop.installation,
    });
    token = data.token;
  });
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true, force: true });
  });

  const urlWith = (user: string, password: string): string =>
    shop.repo.cloneUrl.replace('://', `://${user}:${password}@`);
  const git = (...args: string[]) => execa('git', args, { cwd: folder, env: GIT_ENV, reject: false });

  it('lets the app clone with its token', async () => {
    const { exitCode } = await git('clone', '--quiet', urlWith('x-access-token', token), 'whole');
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, 'whole', 'README.md'), 'utf8')).toBe('# Shop\n');
  });

  it('gives out one commit by its SHA, without history or contents', async () => {
    await git('init', '--quiet', '--bare', 'one');
    const url = urlWith('x-access-token', token);
    const fetched = await git('-C', 'one', 'fetch', '--quiet', '--depth=1', '--filter=blob:none', url, shop.sha.fix);
    expect(fetched.exitCode).toBe(0);
    expect((await git('-C', 'one', 'rev-list', '--count', shop.sha.fix)).stdout).toBe('1');
  });

  it('refuses a wrong token, and a push by who may only read', async () => {
    const wrong = await git('clone', '--quiet', urlWith('x-access-token', 'ghs_no'), 'wrong');
    expect(wrong.stderr).toMatch(/Authentication failed/);
    const push = await shop.git('push', urlWith('x-access-token', token), 'HEAD:refs/heads/mine').catch((e) => e);
    expect(push.stderr).toMatch(/403/);
    const anonymous = await shop.git('push', shop.repo.cloneUrl, 'HEAD:refs/heads/mine').catch((e) => e);
    expect(anonymous.exitCode).not.toBe(0);
  });

  it('tells the app about a push, with its commits', async () => {
    const sha = await shop.push('topic', { 'notes.txt': 'one\n' });
    await shop.github.idle();
    const pushes = shop.github.state.deliveries.filter(({ event }) => event === 'push');
    expect(pushes.at(-1)?.payload).toMatchObject({
      ref: 'refs/heads/topic',
      created: true,
      after: sha,
      head_commit: { id: sha, message: 'Change notes.txt' },
    });
  });

  it('moves an open pull request on, and knows a forced push', async () => {
    const pull = await shop.github.openPullRequest({ repo: shop.repo, head: 'topic', title: 'Notes' });
    await shop.git('commit', '--quiet', '--amend', '--message', 'Other notes');
    await shop.git('push', '--quiet', '--force', shop.repo.pushUrl, 'topic');
    await shop.github.idle();
    const sha = await shop.git('rev-parse', 'HEAD');
    const { deliveries } = shop.github.state;
    expect(deliveries.findLast(({ event }) => event === 'push')?.payload).toMatchObject({ forced: true });
    expect(deliveries.findLast(({ event }) => event === 'pull_request')?.payload).toMatchObject({
      action: 'synchronize',
      number: pull.number,
      before: pull.headSha,
      after: sha,
    });
    expect(shop.check.mismatches).toEqual([]);
  });
});
