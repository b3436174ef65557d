import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openShop, type Shop } from './shop.ts';

describe("every answer is as GitHub's own description says", () => {
  let shop: Shop;
  let ids: Record<string, string | number>;

  beforeAll(async () => {
    shop = await openShop();
    const { github, repo, sha } = shop;
    const issue = await github.createIssue({ repo, title: 'Prices are off', body: 'By one.', labels: ['bug'] });
    const pull = await github.openPullRequest({ repo, head: 'fix', title: 'Fix prices', body: 'Fixes #1' });
    const comment = await github.commentIssue({ repo, number: issue.number, body: '/inquest debug' });
    await github.addLabel({ repo, number: pull.number, label: 'inquest:debug' });
    await github.addLabel({ repo, number: issue.number, label: 'inquest:debug' });
    const run = await github.playWorkflow({
      repo,
      branch: 'fix',
      jobs: [{ name: 'test', conclusion: 'failure', log: 'not ok 1\n', annotations: [{}] }],
      artifacts: { junit: { 'junit.xml': '<testsuites/>' } },
    });
    await run.done;
    await github.reportStatus({ repo, sha: sha.fix, state: 'failure', context: 'ci/old' });
    await github.reportCheck({ repo, sha: sha.fix, name: 'lint', conclusion: 'failure' });
    ids = {
      sha: sha.fix,
      pull: pull.number,
      comment: comment.id,
      run: run.id,
      job: run.jobIds[0] ?? 0,
      artifact: github.state.artifacts()[0]?.id ?? 0,
      suite: github.state.checkSuites[0]?.id ?? 0,
      installation: shop.installation,
    };
  });

  afterAll(() => shop.close());

  const check = { name: 'Inquest', head_sha: '{sha}' };
  const REPO = '/repos/ada/shop';
  const requests: readonly (readonly [string, number, object?])[] = [
    ['GET /app', 200],
    ['GET /app/installations', 200],
    ['GET /app/installations/{installation}', 200],
    ['POST /app/installations/{installation}/access_tokens', 201],
    ['GET /installation/repositories', 200],
    ['GET /users/ada', 200],
    [`GET ${REPO}`, 200],
    [`GET ${REPO}/installation`, 200],
    [`GET ${REPO}/branches`, 200],
    [`GET ${REPO}/branches/fix`, 200],
    [`GET ${REPO}/collaborators/ada/permission`, 200],
    [`GET ${REPO}/contents/src/price%20list.js?ref=fix`, 200],
    [`GET ${REPO}/contents/src`, 200],
    [`GET ${REPO}/contents/`, 200],
    [`GET ${REPO}/contents/none`, 404],
    [`GET ${REPO}/git/ref/heads/fix`, 200],
    [`GET ${REPO}/git/ref/heads/none`, 404],
    [`GET ${REPO}/git/matching-refs/heads`, 200],
    [`GET ${REPO}/git/commits/{sha}`, 200],
    [`GET ${REPO}/git/trees/{sha}?recursive=1`, 200],
    [`GET ${REPO}/commits`, 200],
    [`GET ${REPO}/commits/{sha}`, 200],
    [`GET ${REPO}/commits/none`, 422],
    [`GET ${REPO}/commits/{sha}/pulls`, 200],
    [`GET ${REPO}/commits/{sha}/check-runs`, 200],
    [`GET ${REPO}/commits/{sha}/check-suites`, 200],
    [`GET ${REPO}/commits/{sha}/status`, 200],
    [`GET ${REPO}/commits/{sha}/statuses`, 200],
    [`GET ${REPO}/compare/main...fix`, 200],
    [`GET ${REPO}/check-suites/{suite}`, 200],
    [`GET ${REPO}/check-suites/{suite}/check-runs`, 200],
    [`GET ${REPO}/check-runs/{job}`, 200],
    [`GET ${REPO}/check-runs/{job}/annotations`, 200],
    [`GET ${REPO}/check-runs/1`, 404],
    [`POST ${REPO}/check-runs`, 201, { ...check, status: 'in_progress' }],
    [`POST ${REPO}/check-runs`, 201, { ...check, conclusion: 'neutral', output: { title: 'a', summary: 'b' } }],
    [`POST ${REPO}/check-runs`, 422, { ...check, status: 'completed' }],
    [`POST ${REPO}/statuses/{sha}`, 403, { state: 'success' }],
    [`GET ${REPO}/actions/runs?head_sha={sha}`, 200],
    [`GET ${REPO}/actions/runs/{run}`, 200],
    [`GET ${REPO}/actions/runs/{run}/jobs`, 200],
    [`GET ${REPO}/actions/runs/{run}/artifacts`, 200],
    [`GET ${REPO}/actions/jobs/{job}`, 200],
    [`GET ${REPO}/actions/artifacts/{artifact}`, 200],
    [`GET ${REPO}/pulls?state=all`, 200],
    [`GET ${REPO}/pulls/{pull}`, 200],
    [`GET ${REPO}/pulls/{pull}/files`, 200],
    [`GET ${REPO}/pulls/{pull}/commits`, 200],
    [`GET ${REPO}/pulls/1`, 404],
    [`POST ${REPO}/pulls`, 422, { title: 'Again', head: 'fix', base: 'main' }],
    [`GET ${REPO}/issues`, 200],
    [`GET ${REPO}/issues/1`, 200],
    [`GET ${REPO}/issues/{pull}`, 200],
    [`POST ${REPO}/issues`, 201, { title: 'More', body: 'text', labels: ['bug'] }],
    [`POST ${REPO}/issues`, 422, { body: 'no title' }],
    [`PATCH ${REPO}/issues/1`, 200, { body: 'other', state: 'closed', labels: [] }],
    [`GET ${REPO}/issues/1/comments`, 200],
    [`GET ${REPO}/issues/comments`, 200],
    [`GET ${REPO}/issues/comments/{comment}`, 200],
    [`PATCH ${REPO}/issues/comments/{comment}`, 403, { body: 'not mine' }],
    [`POST ${REPO}/issues/1/comments`, 201, { body: 'hello' }],
    [`GET ${REPO}/issues/1/labels`, 200],
    [`POST ${REPO}/issues/1/labels`, 200, { labels: ['seen'] }],
    [`DELETE ${REPO}/issues/1/labels/seen`, 200],
    [`GET ${REPO}/labels`, 200],
    [`POST ${REPO}/labels`, 201, { name: 'new', color: 'ff0000' }],
    [`POST ${REPO}/labels`, 422, { name: 'new', color: 'ff0000' }],
    [`POST ${REPO}/issues/comments/{comment}/reactions`, 201, { content: 'eyes' }],
    [`POST ${REPO}/issues/comments/{comment}/reactions`, 200, { content: 'eyes' }],
    [`GET ${REPO}/issues/comments/{comment}/reactions`, 200],
    [`POST ${REPO}/issues/1/reactions`, 201, { content: '+1' }],
    [`GET ${REPO}/nothing/like/this`, 404],
  ];

  it.each(requests)('%s is answered %i', async (route, status, body = {}) => {
    const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
    const request = JSON.parse(fill(JSON.stringify(body))) as object;
    const answer = await shop.octokit.request(fill(route), request as Record<string, unknown>).catch((error) => error);
    expect(answer.response?.data?.message ?? '').not.toContain('This is not GitHub');
    expect(answer.status).toBe(status);
  });

  it('and so is every webhook', async () => {
    await shop.github.idle();
    expect(shop.check.mismatches).toEqual([]);
    const events = [...shop.check.checked].filter((one) => !one.includes(' ')).sort();
    expect(events).toEqual(
      expect.arrayContaining([
        'check_run.completed',
        'check_run.created',
        'check_suite.completed',
        'check_suite.requested',
        'installation.created',
        'issue_comment.created',
        'issues.closed',
        'issues.edited',
        'issues.labeled',
        'issues.opened',
        'issues.unlabeled',
        'pull_request.labeled',
        'pull_request.opened',
        'push',
        'status',
        'workflow_job.completed',
        'workflow_job.in_progress',
        'workflow_job.queued',
        'workflow_run.completed',
        'workflow_run.in_progress',
        'workflow_run.requested',
      ]),
    );
  });
});
