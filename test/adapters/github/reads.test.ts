import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Forge } from '../../../src/ports/forge.ts';
import { type ForgeSetup, startForge } from './forge-setup.ts';

let setup: ForgeSetup;
let forge: Forge;

beforeAll(async () => {
  setup = await startForge();
  forge = setup.forge();
});
afterAll(() => setup.close());

describe('The checks of a commit', () => {
  it('are those of Actions, of other apps and commit statuses, each with its state', async () => {
    const { github, handle, repo } = setup;
    const sha = await setup.push({ 'a.txt': 'a' }, 'checks');
    const jobs = [{ name: 'test', conclusion: 'failure' as const, log: 'boom' }];
    const run = await github.playWorkflow({ repo: handle, branch: 'checks', jobs });
    await run.done;
    await github.reportCheck({ repo: handle, sha, name: 'build', status: 'in_progress' });
    await github.reportStatus({ repo: handle, sha, state: 'pending', context: 'deploy' });
    await github.reportStatus({ repo: handle, sha, state: 'error', context: 'lint', targetUrl: 'https://ci.test/1' });
    expect(await forge.checks(repo, sha)).toMatchObject([
      { name: 'test', source: 'check_run', state: 'failed', job_id: run.jobIds[0], workflow_run_id: run.id },
      { name: 'build', source: 'check_run', state: 'running', job_id: null, workflow_run_id: null },
      { name: 'deploy', source: 'status', state: 'running' },
      { name: 'lint', source: 'status', state: 'failed', url: 'https://ci.test/1' },
    ]);
  });

  it('are the newest of each name', async () => {
    const { github, handle, repo } = setup;
    const sha = await setup.push({ 'a.txt': 'b' }, 'newest');
    await github.reportStatus({ repo: handle, sha, state: 'failure', context: 'lint' });
    await github.reportStatus({ repo: handle, sha, state: 'success', context: 'lint' });
    for (const conclusion of ['failure', 'success'] as const) {
      const jobs = [{ name: 'test', conclusion }];
      await (await github.playWorkflow({ repo: handle, branch: 'newest', jobs })).done;
    }
    const checks = await forge.checks(repo, sha);
    expect(checks.map(({ name, state }) => [name, state])).toEqual([
      ['test', 'passed'],
      ['lint', 'passed'],
    ]);
  });

  it('of two workflows with a job of the same name are both kept', async () => {
    const { github, handle, repo } = setup;
    const sha = await setup.push({ 'a.txt': 'c' }, 'twice');
    for (const [workflow, conclusion] of [
      ['Unit', 'failure'],
      ['Docs', 'success'],
    ] as const) {
      const jobs = [{ name: 'test', conclusion }];
      await (await github.playWorkflow({ repo: handle, branch: 'twice', workflow, jobs })).done;
    }
    expect((await forge.checks(repo, sha)).map((check) => check.state)).toEqual(['failed', 'passed']);
  });

  it('are read from all pages', async () => {
    const { github, handle, repo } = setup;
    const sha = await setup.push({ 'a.txt': 'd' }, 'many');
    for (let n = 0; n < 130; n += 1) {
      await github.reportCheck({ repo: handle, sha, name: `check ${n}`, status: 'completed', conclusion: 'failure' });
    }
    expect(await forge.checks(repo, sha)).toHaveLength(130);
  });

  it('leave out what Inquest wrote itself', async () => {
    const { repo } = setup;
    const sha = await setup.push({ 'a.txt': 'e' }, 'own');
    const report = { external_id: 'run_1', head_sha: sha, title: 't', summary: 's', annotations: [] };
    await forge.upsertCheckRun(repo, { ...report, status: 'in_progress', conclusion: null });
    expect(await forge.checks(repo, sha)).toEqual([]);
  });
});

describe('A pull request', () => {
  it('is found by its head, and by its number', async () => {
    const { github, handle, repo } = setup;
    const sha = await setup.push({ 'p.txt': 'p' }, 'pull');
    const pull = await github.openPullRequest({ repo: handle, head: 'pull', title: 'Add p', body: 'Fixes #1' });
    const expected = {
      number: pull.number,
      title: 'Add p',
      body: 'Fixes #1',
      head_sha: sha,
      head_branch: 'pull',
      base_branch: 'main',
      fork: false,
    };
    expect(await forge.pullRequestOf(repo, sha)).toMatchObject(expected);
    expect(await forge.pullRequest(repo, pull.number)).toMatchObject(expected);
  });

  it('is null when there is none', async () => {
    expect(await forge.pullRequestOf(setup.repo, setup.sha)).toBeNull();
    expect(await forge.pullRequest(setup.repo, 4711)).toBeNull();
  });
});

describe('What a repository holds', () => {
  it('an issue, or null', async () => {
    const { number } = await setup.github.createIssue({ repo: setup.handle, title: 'Total is wrong', body: 'It is.' });
    const expected = { number, title: 'Total is wrong', body: 'It is.', state: 'open', author_may_write: true };
    expect(await forge.issue(setup.repo, number)).toEqual(expected);
    expect(await forge.issue(setup.repo, 4711)).toBeNull();
  });

  it('whether the author of an issue belongs to the repository', async () => {
    setup.github.setRole(setup.handle, 'Grace', 'write');
    const mayWrite = async (author?: string) => {
      const { number } = await setup.github.createIssue({ repo: setup.handle, title: 'x', body: 'y', author });
      return (await forge.issue(setup.repo, number))?.author_may_write;
    };
    expect([await mayWrite(), await mayWrite('Grace'), await mayWrite('mallory')]).toEqual([true, true, false]);
  });

  it('the default branch, and the head of a branch with a slash in its name', async () => {
    const sha = await setup.push({ 'h.txt': 'h' }, 'fix/head');
    expect(await forge.defaultBranch(setup.repo)).toBe('main');
    expect(await forge.headOf(setup.repo, 'fix/head')).toBe(sha);
    expect(await forge.headOf(setup.repo, 'gone')).toBeNull();
  });

  it('the text of a file at a commit, and null for what is no text or not there', async () => {
    const sha = await setup.push({ 'spec.md': 'total([]) → 0\n', 'b.bin': '\u0000\u00ff' }, 'files');
    expect(await forge.file(setup.repo, 'spec.md', sha)).toBe('total([]) → 0\n');
    expect(await forge.file(setup.repo, 'none.md', sha)).toBeNull();
    expect(await forge.file(setup.repo, 'spec.md', setup.sha)).toBeNull();
  });
});

describe('The permission of a person', () => {
  it('is what GitHub says; none for a stranger', async () => {
    setup.github.setRole(setup.handle, 'ada', 'write');
    expect(await forge.permission(setup.repo, 'ada')).toBe('write');
    expect(await forge.permission(setup.repo, 'nobody-at-all')).toMatch(/none|read/);
  });
});

describe('Cloning', () => {
  it('has an address without credentials and a token that can only read this repository', async () => {
    const url = await forge.cloneUrl(setup.repo);
    expect(url).toBe(setup.handle.cloneUrl);
    const token = await forge.cloneToken(setup.repo);
    const granted = setup.github.state.tokens.find((one) => one.token === token);
    expect(granted?.permissions).toEqual({ contents: 'read', metadata: 'read' });
    expect(granted?.repositories.map(({ name }) => name)).toEqual(['shop']);
  });
});

describe('The App itself', () => {
  it('is known by its slug, the name of its bot', async () => {
    expect(await setup.app().identity()).toEqual({ slug: 'inquest', name: 'Inquest' });
  });
});

describe('Tokens', () => {
  it('are in no line of the log', async () => {
    await forge.cloneToken(setup.repo);
    const text = setup.logged.join('');
    expect(setup.github.state.tokens.filter(({ token }) => text.includes(token))).toEqual([]);
  });
});
