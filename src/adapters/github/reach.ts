/** What every call needs to know: the client of the installation, the repository, who we are, and the limits. */
import type { RepoRef } from '../../pipeline/run.ts';
import type { ForgeLimits } from './limits.ts';
import type { GitHubClient } from './octokit.ts';

export interface Reach {
  readonly client: GitHubClient;
  readonly repo: RepoRef;
  /** The two parameters of every route below `/repos`. */
  readonly at: { readonly owner: string; readonly repo: string };
  readonly appId: number;
  /** Login of Inquest's own bot. */
  readonly botLogin: string;
  readonly limits: ForgeLimits;
}

/** `owner/name`, for messages. */
export function nameOf({ repo }: Reach): string {
  return `${repo.owner}/${repo.name}`;
}
