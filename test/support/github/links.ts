/** Addresses: of the pages, of the API, and of the store that downloads are redirected to. */
import type { Issue, Repository } from './model.ts';

export interface Links {
  /** Origin of pages and git. */
  readonly site: string;
  /** Base of the REST API. */
  readonly api: string;
  /** Origin of downloads: another one, as on GitHub, so that clients drop their credentials on the way. */
  readonly storage: string;
}

export const apiOf = (links: Links, repository: Repository): string =>
  `${links.api}/repos/${repository.owner.login}/${repository.name}`;

export const pageOf = (links: Links, repository: Repository): string =>
  `${links.site}/${repository.owner.login}/${repository.name}`;

export const pageOfIssue = (links: Links, issue: Issue): string =>
  `${pageOf(links, issue.repository)}/${issue.pull ? 'pull' : 'issues'}/${issue.number}`;

/** GitHub's global id; opaque to clients. */
export const nodeId = (kind: string, id: number | string): string => Buffer.from(`${kind}:${id}`).toString('base64');

/** GitHub writes whole seconds. */
export const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
