/** Check suites, check runs, annotations and commit statuses in the API's form. */
import type { GitRepository } from '../git/repository.ts';
import { apiOf, type Links, nodeId, pageOf, time } from '../links.ts';
import type { Annotation, CheckRun, CheckSuite, CommitStatus, Issue, Repository } from '../model.ts';
import type { World } from '../world.ts';
import { accountJson, appJson, type Json } from './account.ts';
import { simpleCommitJson } from './commit.ts';
import { minimalRepositoryJson } from './repository.ts';

export function minimalPullJson(links: Links, issue: Issue): Json {
  const { repository, pull } = issue;
  const repo = { id: repository.id, url: apiOf(links, repository), name: repository.name };
  return {
    url: `${apiOf(links, repository)}/pulls/${issue.number}`,
    id: pull?.id ?? issue.id,
    number: issue.number,
    head: { ref: pull?.headBranch, sha: pull?.headSha, repo },
    base: { ref: pull?.baseBranch, sha: pull?.baseSha, repo },
  };
}

/** Open pull requests whose head is the branch, as GitHub lists them on checks. */
export function pullsJson(links: Links, world: World, repository: Repository, branch: string | null): Json[] {
  if (branch === null) return [];
  return world.openPullsOf(repository, branch).map((issue) => minimalPullJson(links, issue));
}

export function checkRunPage(links: Links, run: CheckRun): string {
  return `${pageOf(links, run.suite.repository)}/runs/${run.id}`;
}

export function checkRunJson(links: Links, world: World, run: CheckRun): Json {
  const { suite } = run;
  const url = `${apiOf(links, suite.repository)}/check-runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CheckRun', run.id),
    head_sha: suite.headSha,
    external_id: run.externalId,
    url,
    html_url: checkRunPage(links, run),
    details_url: run.detailsUrl ?? checkRunPage(links, run),
    status: run.status,
    conclusion: run.conclusion,
    started_at: time(run.startedAt),
    completed_at: run.completedAt === null ? null : time(run.completedAt),
    output: { ...run.output, annotations_count: run.annotations.length, annotations_url: `${url}/annotations` },
    check_suite: { id: suite.id },
    app: appJson(links, suite.app),
    pull_requests: pullsJson(links, world, suite.repository, suite.headBranch),
  };
}

export function annotationJson(links: Links, run: CheckRun, annotation: Annotation): Json {
  const path = annotation.path.split('/').map(encodeURIComponent).join('/');
  return { ...annotation, blob_href: `${pageOf(links, run.suite.repository)}/blob/${run.suite.headSha}/${path}` };
}

/** What the API and the webhooks have in common. */
export function suiteCoreJson(links: Links, world: World, suite: CheckSuite): Json {
  const url = `${apiOf(links, suite.repository)}/check-suites/${suite.id}`;
  return {
    id: suite.id,
    node_id: nodeId('CheckSuite', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    status: suite.status,
    conclusion: suite.conclusion,
    url,
    before: suite.before,
    after: suite.headSha,
    pull_requests: pullsJson(links, world, suite.repository, suite.headBranch),
    app: appJson(links, suite.app),
    created_at: time(suite.createdAt),
    updated_at: time(suite.updatedAt),
  };
}

export async function checkSuiteJson(links: Links, world: World, git: GitRepository, suite: CheckSuite): Promise<Json> {
  const core = suiteCoreJson(links, world, suite);
  return {
    ...core,
    repository: minimalRepositoryJson(links, suite.repository),
    head_commit: simpleCommitJson(await git.commit(suite.headSha)),
    latest_check_runs_count: world.checkRunsOf(suite).length,
    check_runs_url: `${core.url}/check-runs`,
    rerequestable: true,
    runs_rerequestable: suite.app.slug !== 'github-actions',
  };
}

/** `creator` is on the single status and in lists, but not in the combined status. */
export function statusJson(links: Links, status: CommitStatus): Json {
  return { ...combinedPartJson(links, status), creator: accountJson(links, status.creator) };
}

export function combinedPartJson(links: Links, status: CommitStatus): Json {
  return {
    url: `${apiOf(links, status.repository)}/statuses/${status.sha}`,
    avatar_url: `${links.site}/avatars/${status.creator.id}`,
    id: status.id,
    node_id: nodeId('StatusContext', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: time(status.createdAt),
    updated_at: time(status.createdAt),
  };
}
