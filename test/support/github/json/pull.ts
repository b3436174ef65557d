/** Pull requests in the API's forms. */
import type { GitRepository } from '../git/repository.ts';
import { apiOf, type Links, nodeId, pageOf, time } from '../links.ts';
import type { Issue } from '../model.ts';
import type { World } from '../world.ts';
import { accountJson, type Json } from './account.ts';
import { associationOf, labelJson } from './issue.ts';
import { repositoryJson } from './repository.ts';

/** As lists of pull requests carry it. */
export function pullJson(links: Links, world: World, issue: Issue): Json {
  const { repository, pull } = issue;
  if (!pull) throw new Error(`#${issue.number} is not a pull request`);
  const api = apiOf(links, repository);
  const url = `${api}/pulls/${issue.number}`;
  const issueUrl = `${api}/issues/${issue.number}`;
  const page = `${pageOf(links, repository)}/pull/${issue.number}`;
  const addresses = {
    url,
    html_url: page,
    issue_url: issueUrl,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${api}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: `${api}/statuses/${pull.headSha}`,
  };
  const side = (branch: string, sha: string): Json => ({
    label: `${repository.owner.login}:${branch}`,
    ref: branch,
    sha,
    user: accountJson(links, repository.owner),
    repo: { ...repositoryJson(links, world, repository), ...MERGING },
  });
  return {
    ...addresses,
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    number: issue.number,
    state: issue.state,
    locked: false,
    title: issue.title,
    user: accountJson(links, issue.author),
    body: issue.body,
    labels: issue.labels.map((label) => ({
      ...labelJson(links, repository, label),
      description: label.description ?? '',
    })),
    milestone: null,
    active_lock_reason: null,
    created_at: time(issue.createdAt),
    updated_at: time(issue.updatedAt),
    closed_at: issue.closedAt === null ? null : time(issue.closedAt),
    merged_at: null,
    merge_commit_sha: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    head: side(pull.headBranch, pull.headSha),
    base: side(pull.baseBranch, pull.baseSha),
    _links: Object.fromEntries(
      Object.entries({
        self: addresses.url,
        html: addresses.html_url,
        issue: addresses.issue_url,
        comments: addresses.comments_url,
        review_comments: addresses.review_comments_url,
        review_comment: addresses.review_comment_url,
        commits: addresses.commits_url,
        statuses: addresses.statuses_url,
      }).map(([name, href]) => [name, { href }]),
    ),
    author_association: associationOf(repository, issue.author),
    auto_merge: null,
    draft: false,
  };
}

const MERGING = {
  allow_squash_merge: true,
  allow_merge_commit: true,
  allow_rebase_merge: true,
  allow_auto_merge: false,
  allow_update_branch: false,
  delete_branch_on_merge: false,
  use_squash_pr_title_as_default: false,
  squash_merge_commit_message: 'COMMIT_MESSAGES',
  squash_merge_commit_title: 'COMMIT_OR_PR_TITLE',
  merge_commit_message: 'PR_TITLE',
  merge_commit_title: 'MERGE_MESSAGE',
} as const;

/** As the single pull request and the webhooks carry it. */
export async function fullPullJson(links: Links, world: World, git: GitRepository, issue: Issue): Promise<Json> {
  const { pull } = issue;
  const base = pull && (await git.mergeBase(pull.baseSha, pull.headSha));
  const changes = pull && base ? await git.changes(base, pull.headSha) : [];
  const sum = (key: 'additions' | 'deletions'): number => changes.reduce((total, change) => total + change[key], 0);
  return {
    ...pullJson(links, world, issue),
    merged: false,
    mergeable: null,
    rebaseable: null,
    mergeable_state: 'unknown',
    merged_by: null,
    comments: world.commentsOf(issue).length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: pull ? (await git.log(base ?? null, pull.headSha)).length : 0,
    additions: sum('additions'),
    deletions: sum('deletions'),
    changed_files: changes.length,
  };
}
