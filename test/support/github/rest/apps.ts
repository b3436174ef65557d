/** Apps, their installations, and the tokens of an installation. */
import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import { type ApiContext, type Env, numberParam, readBody, z } from '../http/context.ts';
import { GithubError, notFound, unauthorized } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { accountJson, appJson, installationJson } from '../json/account.ts';
import { repositoryJson } from '../json/repository.ts';
import { time } from '../links.ts';
import type { AppIdentity, Installation, Permissions } from '../model.ts';
import type { Simulation } from '../simulation.ts';

/** GitHub's lifetime of an installation token, in milliseconds. */
const TOKEN_LIFETIME = 3_600_000;

const tokenRequest = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
});

export function appRoutes(api: Hono<Env>, sim: Simulation): void {
  const { world, links } = sim;

  api.get('/app', (c) => {
    const app = appOf(c);
    return c.json({
      ...appJson(links, app),
      installations_count: world.installations.filter((one) => one.app === app).length,
    });
  });

  api.get('/app/installations', (c) => {
    const app = appOf(c);
    const all = world.installations.filter((one) => one.app === app);
    return c.json(pageOfList(c, links, all).map((one) => installationJson(links, one)));
  });

  api.get('/app/installations/:id', (c) => c.json(installationJson(links, installationOf(sim, c))));

  api.post('/app/installations/:id/access_tokens', async (c) => {
    const installation = installationOf(sim, c);
    const request = await readBody(c, tokenRequest);
    const repositories = chooseRepositories(installation, request);
    const permissions = choosePermissions(installation, request.permissions);
    const token = `ghs_${randomBytes(18).toString('hex')}`;
    const expiresAt = world.now() + TOKEN_LIFETIME;
    world.tokens.push({ token, installation, repositories, permissions, expiresAt });
    const narrowed = request.repositories !== undefined || request.repository_ids !== undefined;
    return c.json(
      {
        token,
        expires_at: time(expiresAt),
        permissions,
        repository_selection: 'selected',
        ...(narrowed && { repositories: repositories.map((one) => repositoryJson(links, world, one)) }),
      },
      201,
    );
  });

  api.get('/repos/:owner/:repo/installation', (c) => {
    const app = appOf(c);
    const repository = world.repository(c.req.param('owner'), c.req.param('repo'));
    const installation = repository && world.installationOf(repository);
    if (installation?.app !== app) throw notFound();
    return c.json(installationJson(links, installation));
  });

  api.get('/installation/repositories', (c) => {
    const caller = c.get('caller');
    if (caller.kind !== 'installation') throw unauthorized();
    const all = caller.token.repositories;
    return c.json({
      total_count: all.length,
      repository_selection: 'selected',
      repositories: pageOfList(c, links, all).map((one) => repositoryJson(links, world, one)),
    });
  });

  api.get('/users/:username', (c) => {
    const account = world.findAccount(c.req.param('username'));
    if (!account) throw notFound();
    const nothing = { name: null, company: null, blog: '', location: null, email: null, hireable: null, bio: null };
    const counts = { public_repos: 0, public_gists: 0, followers: 0, following: 0 };
    const since = time(0);
    return c.json({ ...accountJson(links, account), ...nothing, ...counts, created_at: since, updated_at: since });
  });
}

function appOf(c: ApiContext): AppIdentity {
  const caller = c.get('caller');
  if (caller.kind === 'app') return caller.app;
  if (caller.kind === 'anonymous') throw unauthorized('A JSON web token could not be decoded');
  throw new GithubError(401, 'A JSON web token could not be decoded');
}

function installationOf(sim: Simulation, c: ApiContext): Installation {
  const app = appOf(c);
  const id = numberParam(c, 'id');
  const installation = sim.world.installations.find((one) => one.id === id && one.app === app);
  if (!installation) throw notFound();
  return installation;
}

function chooseRepositories(
  installation: Installation,
  request: z.output<typeof tokenRequest>,
): Installation['repositories'] {
  const { repositories: names, repository_ids: ids } = request;
  if (names === undefined && ids === undefined) return [...installation.repositories];
  const chosen = installation.repositories.filter((one) => ids?.includes(one.id) || names?.includes(one.name));
  if (chosen.length < new Set([...(names ?? []), ...(ids ?? [])]).size) {
    throw new GithubError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  }
  return chosen;
}

function choosePermissions(installation: Installation, asked: Permissions | undefined): Permissions {
  if (asked === undefined) return installation.permissions;
  for (const [name, level] of Object.entries(asked)) {
    const held = installation.permissions[name];
    if (held !== 'write' && held !== level) {
      throw new GithubError(422, 'The permissions requested are not granted to this installation.');
    }
  }
  return { metadata: 'read', ...asked };
}
