/** Issues, labels, comments and reactions in the API's form. */
import { apiOf, type Links, nodeId, pageOfIssue, time } from '../links.ts';
import type { Account, Comment, Issue, Label, Reaction, Repository } from '../model.ts';
import type { World } from '../world.ts';
import { accountJson, appJson, type Json } from './account.ts';

export function labelJson(links: Links, repository: Repository, label: Label): Json {
  return {
    id: label.id,
    node_id: nodeId('Label', label.id),
    url: `${apiOf(links, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}

export function associationOf(repository: Repository, account: Account): string {
  if (account === repository.owner) return 'OWNER';
  return repository.roles.has(account.login.toLowerCase()) ? 'COLLABORATOR' : 'NONE';
}

export function issueJson(links: Links, world: World, issue: Issue): Json {
  const { repository } = issue;
  const url = `${apiOf(links, repository)}/issues/${issue.number}`;
  const page = pageOfIssue(links, issue);
  return {
    url,
    repository_url: apiOf(links, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: page,
    id: issue.id,
    node_id: nodeId('Issue', issue.id),
    number: issue.number,
    title: issue.title,
    user: accountJson(links, issue.author),
    labels: issue.labels.map((label) => labelJson(links, repository, label)),
    state: issue.state,
    state_reason: issue.state === 'closed' ? 'completed' : null,
    locked: false,
    active_lock_reason: null,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: world.commentsOf(issue).length,
    created_at: time(issue.createdAt),
    updated_at: time(issue.updatedAt),
    closed_at: issue.closedAt === null ? null : time(issue.closedAt),
    author_association: associationOf(repository, issue.author),
    body: issue.body,
    performed_via_github_app: issue.viaApp && appJson(links, issue.viaApp),
    reactions: rollupJson(`${url}/reactions`, issue.reactions),
    ...(issue.pull && {
      draft: false,
      pull_request: {
        url: `${apiOf(links, repository)}/pulls/${issue.number}`,
        html_url: page,
        diff_url: `${page}.diff`,
        patch_url: `${page}.patch`,
        merged_at: null,
      },
    }),
  };
}

export function commentJson(links: Links, comment: Comment): Json {
  const { issue } = comment;
  const url = `${apiOf(links, issue.repository)}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${pageOfIssue(links, issue)}#issuecomment-${comment.id}`,
    issue_url: `${apiOf(links, issue.repository)}/issues/${issue.number}`,
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    user: accountJson(links, comment.author),
    created_at: time(comment.createdAt),
    updated_at: time(comment.updatedAt),
    author_association: associationOf(issue.repository, comment.author),
    body: comment.body,
    performed_via_github_app: comment.viaApp && appJson(links, comment.viaApp),
    reactions: rollupJson(`${url}/reactions`, comment.reactions),
  };
}

export const REACTIONS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const;

function rollupJson(url: string, reactions: readonly Reaction[]): Json {
  const counts = REACTIONS.map((content) => [content, reactions.filter((one) => one.content === content).length]);
  return { url, total_count: reactions.length, ...Object.fromEntries(counts) };
}

export function reactionJson(links: Links, reaction: Reaction): Json {
  return {
    id: reaction.id,
    node_id: nodeId('Reaction', reaction.id),
    user: accountJson(links, reaction.user),
    content: reaction.content,
    created_at: time(reaction.createdAt),
  };
}
