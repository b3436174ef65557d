/** Repositories, their branches, and who may do what with them. */
import type { Hono } from 'hono';
import { accessTo, roleOf } from '../auth/access.ts';
import type { Env } from '../http/context.ts';
import { GithubError } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { accountJson } from '../json/account.ts';
import { commitJson } from '../json/commit.ts';
import { fullRepositoryJson } from '../json/repository.ts';
import { apiOf, pageOf } from '../links.ts';
import type { Simulation } from '../simulation.ts';

/** What each role includes, least first. */
const ROLES = ['none', 'read', 'write', 'admin'] as const;

export function repositoryRoutes(api: Hono<Env>, sim: Simulation): void {
  const { world, links } = sim;

  api.get('/repos/:owner/:repo', (c) => {
    return c.json(fullRepositoryJson(links, world, accessTo(sim, c, 'metadata:read')));
  });

  api.get('/repos/:owner/:repo/branches', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const heads = [...(await sim.git(repository).refs('refs/heads/'))];
    const page = pageOfList(c, links, heads).map(([ref, sha]) => ({
      name: ref.slice('refs/heads/'.length),
      commit: { sha, url: `${apiOf(links, repository)}/commits/${sha}` },
      protected: false,
    }));
    return c.json(page);
  });

  api.get('/repos/:owner/:repo/branches/:branch{.+}', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const name = c.req.param('branch');
    const sha = await sim.git(repository).resolve(`refs/heads/${name}`);
    if (sha === null) throw new GithubError(404, 'Branch not found');
    const self = `${apiOf(links, repository)}/branches/${encodeURIComponent(name)}`;
    return c.json({
      name,
      commit: commitJson(links, world, repository, await sim.git(repository).commit(sha)),
      _links: { self, html: `${pageOf(links, repository)}/tree/${name}` },
      protected: false,
      protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
      protection_url: `${self}/protection`,
    });
  });

  api.get('/repos/:owner/:repo/collaborators/:username/permission', (c) => {
    const repository = accessTo(sim, c, 'metadata:read');
    const login = c.req.param('username');
    const account = world.findAccount(login);
    if (!account) throw new GithubError(404, `${login} is not a user`);
    const role = roleOf(repository, account.login);
    const rank = ROLES.indexOf(role);
    const permissions = { pull: rank >= 1, triage: rank >= 2, push: rank >= 2, maintain: rank >= 3, admin: rank >= 3 };
    return c.json({
      permission: role,
      role_name: role,
      user: { ...accountJson(links, account), permissions, role_name: role },
    });
  });
}
