/** Repositories in the API's forms: minimal, full, and as webhooks carry them. */
import { apiOf, type Links, nodeId, pageOf, time } from '../links.ts';
import type { Repository } from '../model.ts';
import type { World } from '../world.ts';
import { accountJson, type Json } from './account.ts';

/** Addresses that hang off the repository's own, each with its URI template. */
const PARTS: Readonly<Record<string, string>> = {
  archive_url: '{archive_format}{/ref}',
  assignees_url: 'assignees{/user}',
  blobs_url: 'git/blobs{/sha}',
  branches_url: 'branches{/branch}',
  collaborators_url: 'collaborators{/collaborator}',
  comments_url: 'comments{/number}',
  commits_url: 'commits{/sha}',
  compare_url: 'compare/{base}...{head}',
  contents_url: 'contents/{+path}',
  contributors_url: 'contributors',
  deployments_url: 'deployments',
  downloads_url: 'downloads',
  events_url: 'events',
  forks_url: 'forks',
  git_commits_url: 'git/commits{/sha}',
  git_refs_url: 'git/refs{/sha}',
  git_tags_url: 'git/tags{/sha}',
  hooks_url: 'hooks',
  issue_comment_url: 'issues/comments{/number}',
  issue_events_url: 'issues/events{/number}',
  issues_url: 'issues{/number}',
  keys_url: 'keys{/key_id}',
  labels_url: 'labels{/name}',
  languages_url: 'languages',
  merges_url: 'merges',
  milestones_url: 'milestones{/number}',
  notifications_url: 'notifications{?since,all,participating}',
  pulls_url: 'pulls{/number}',
  releases_url: 'releases{/id}',
  stargazers_url: 'stargazers',
  statuses_url: 'statuses/{sha}',
  subscribers_url: 'subscribers',
  subscription_url: 'subscription',
  tags_url: 'tags',
  teams_url: 'teams',
  trees_url: 'git/trees{/sha}',
};

export function minimalRepositoryJson(links: Links, repository: Repository): Json {
  const api = apiOf(links, repository);
  const parts = Object.entries(PARTS).map(([key, part]) => [key, `${api}/${part}`]);
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: `${repository.owner.login}/${repository.name}`,
    owner: accountJson(links, repository.owner),
    private: repository.private,
    html_url: pageOf(links, repository),
    description: repository.description,
    fork: false,
    url: api,
    ...Object.fromEntries(parts),
  };
}

export function repositoryJson(links: Links, world: World, repository: Repository): Json {
  const page = pageOf(links, repository);
  const open = world.issues.filter((issue) => issue.repository === repository && issue.state === 'open').length;
  return {
    ...minimalRepositoryJson(links, repository),
    git_url: `${page.replace(/^https?/, 'git')}.git`,
    ssh_url: `git@${new URL(links.site).hostname}:${repository.owner.login}/${repository.name}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    size: 0,
    default_branch: repository.defaultBranch,
    open_issues: open,
    open_issues_count: open,
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.private ? 'private' : 'public',
    created_at: time(repository.createdAt),
    updated_at: time(repository.createdAt),
    pushed_at: time(repository.pushedAt),
  };
}

export function fullRepositoryJson(links: Links, world: World, repository: Repository): Json {
  return { ...repositoryJson(links, world, repository), subscribers_count: 0, network_count: 0 };
}
