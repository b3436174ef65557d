/** Commits, trees' entries and file changes in the API's form. */
import type { GitCommit, GitRepository } from '../git/repository.ts';
import { apiOf, type Links, nodeId, pageOf } from '../links.ts';
import type { Repository } from '../model.ts';
import type { World } from '../world.ts';
import { accountJson, type Json } from './account.ts';

export function simpleCommitJson(commit: GitCommit): Json {
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.committer.date,
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
  };
}

const UNSIGNED = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

/** The account is known by the address that GitHub hands out: `login@users.noreply…`. */
function authorJson(links: Links, world: World, email: string): Json | null {
  const account = world.findAccount(email.split('@')[0] ?? '');
  return account ? accountJson(links, account) : null;
}

export function commitJson(links: Links, world: World, repository: Repository, commit: GitCommit): Json {
  const api = apiOf(links, repository);
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      url: `${api}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: UNSIGNED,
    },
    url: `${api}/commits/${commit.sha}`,
    html_url: `${pageOf(links, repository)}/commit/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    author: authorJson(links, world, commit.author.email),
    committer: authorJson(links, world, commit.committer.email),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${api}/commits/${sha}`,
      html_url: `${pageOf(links, repository)}/commit/${sha}`,
    })),
  };
}

export function gitCommitJson(links: Links, repository: Repository, commit: GitCommit): Json {
  const api = apiOf(links, repository);
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    url: `${api}/git/commits/${commit.sha}`,
    html_url: `${pageOf(links, repository)}/commit/${commit.sha}`,
    author: commit.author,
    committer: commit.committer,
    tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
    message: commit.message,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${api}/git/commits/${sha}`,
      html_url: `${pageOf(links, repository)}/commit/${sha}`,
    })),
    verification: UNSIGNED,
  };
}

/** Files changed between two commits, as compare, commits and pull requests list them. */
export async function filesJson(
  links: Links,
  git: GitRepository,
  repository: Repository,
  from: string,
  to: string,
): Promise<Json[]> {
  const api = apiOf(links, repository);
  const urlPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
  return (await git.changes(from, to)).map((change) => ({
    sha: change.blob,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${pageOf(links, repository)}/blob/${to}/${urlPath(change.path)}`,
    raw_url: `${pageOf(links, repository)}/raw/${to}/${urlPath(change.path)}`,
    contents_url: `${api}/contents/${urlPath(change.path)}?ref=${to}`,
    ...(change.patch === null ? {} : { patch: change.patch }),
  }));
}
