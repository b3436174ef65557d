/** What a caller may do with a repository. */
import type { ApiContext, Caller } from '../http/context.ts';
import { GithubError, notAccessible, notFound, unauthorized } from '../http/errors.ts';
import type { Level, Permissions, Repository, RepositoryRole } from '../model.ts';
import type { Simulation } from '../simulation.ts';

/** `checks:write`; of several, one is enough. */
export type Need = `${string}:${Level}`;

/** The repository of the path, when the caller has one of the permissions on it. Throws as GitHub answers otherwise. */
export function accessTo(sim: Simulation, c: ApiContext, ...needs: readonly Need[]): Repository {
  const repository = sim.world.repository(c.req.param('owner') ?? '', c.req.param('repo') ?? '');
  c.header('x-accepted-github-permissions', needs.map((need) => need.replace(':', '=')).join('; '));
  if (!repository) throw notFound();
  grant(c.get('caller'), repository, needs);
  return repository;
}

export function grant(caller: Caller, repository: Repository, needs: readonly Need[]): void {
  const writing = needs.every((need) => need.endsWith(':write'));
  if (caller.kind === 'installation') grantInstallation(caller.token, repository, needs, writing);
  else if (caller.kind === 'user') grantUser(roleOf(repository, caller.account.login), needs, writing);
  else if (repository.private) throw notFound();
  else if (writing) throw caller.kind === 'app' ? notAccessible() : unauthorized();
}

function grantInstallation(
  token: { repositories: readonly Repository[]; permissions: Permissions },
  repository: Repository,
  needs: readonly Need[],
  writing: boolean,
): void {
  if (!token.repositories.includes(repository)) {
    if (repository.private) throw notFound();
    if (writing) throw notAccessible();
    return;
  }
  if (!needs.some((need) => holds(token.permissions, need))) throw notAccessible();
}

function holds(permissions: Permissions, need: Need): boolean {
  const [name = '', level] = need.split(':');
  const held = name === 'metadata' ? 'read' : permissions[name];
  return held === 'write' || held === level;
}

/** Anybody may open issues and comment on a public repository; the rest takes a role. */
function grantUser(role: RepositoryRole, needs: readonly Need[], writing: boolean): void {
  if (role === 'none') throw notFound();
  if (!writing || role !== 'read' || needs.includes('issues:write')) return;
  throw new GithubError(403, 'Must have push access to repository');
}

/** The role of a login: the owner administers, and everybody reads what is public. */
export function roleOf(repository: Repository, login: string): RepositoryRole {
  if (repository.owner.login.toLowerCase() === login.toLowerCase()) return 'admin';
  return repository.roles.get(login.toLowerCase()) ?? (repository.private ? 'none' : 'read');
}
