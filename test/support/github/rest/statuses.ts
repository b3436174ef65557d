/** Commit statuses: what CI systems without check runs report. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import { reportStatus } from '../domain/checks.ts';
import { authorOf, type Env, readBody, z } from '../http/context.ts';
import { GithubError } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { combinedPartJson, statusJson } from '../json/check.ts';
import { minimalRepositoryJson } from '../json/repository.ts';
import { apiOf } from '../links.ts';
import type { CommitStatus, Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { refOf } from './commits.ts';

const newStatus = z.object({
  state: z.enum(['error', 'failure', 'pending', 'success']),
  context: z.string().default('default'),
  description: z.string().max(140).nullish(),
  target_url: z.string().nullish(),
});

export function statusRoutes(api: Hono<Env>, sim: Simulation): void {
  const { links } = sim;

  api.get('/repos/:owner/:repo/commits/:ref/status', async (c) => {
    const repository = accessTo(sim, c, 'statuses:read');
    const sha = await refOf(sim, c, repository);
    const latest = [...new Map(statusesOf(sim, repository, sha).map((one) => [one.context, one])).values()];
    const url = `${apiOf(links, repository)}/commits/${sha}`;
    return c.json({
      state: combined(latest),
      statuses: pageOfList(c, links, latest).map((one) => combinedPartJson(links, one)),
      sha,
      total_count: latest.length,
      repository: minimalRepositoryJson(links, repository),
      commit_url: url,
      url: `${url}/status`,
    });
  });

  api.get('/repos/:owner/:repo/commits/:ref/statuses', async (c) => {
    const repository = accessTo(sim, c, 'statuses:read');
    const all = [...statusesOf(sim, repository, await refOf(sim, c, repository))].reverse();
    return c.json(pageOfList(c, links, all).map((one) => statusJson(links, one)));
  });

  api.post('/repos/:owner/:repo/statuses/:ref', async (c) => {
    const repository = accessTo(sim, c, 'statuses:write');
    const sha = c.req.param('ref');
    if ((await sim.git(repository).resolve(sha)) !== sha) throw new GithubError(422, `No commit found for SHA: ${sha}`);
    const request = await readBody(c, newStatus);
    const status = await reportStatus(sim, {
      repository,
      sha,
      creator: authorOf(c.get('caller')).author,
      state: request.state,
      context: request.context,
      description: request.description ?? null,
      targetUrl: request.target_url ?? null,
    });
    return c.json(statusJson(links, status), 201);
  });
}

function statusesOf(sim: Simulation, repository: Repository, sha: string): readonly CommitStatus[] {
  return sim.world.statuses.filter((one) => one.repository === repository && one.sha === sha);
}

function combined(statuses: readonly CommitStatus[]): 'failure' | 'pending' | 'success' {
  if (statuses.some(({ state }) => state === 'failure' || state === 'error')) return 'failure';
  const done = statuses.length > 0 && statuses.every(({ state }) => state === 'success');
  return done ? 'success' : 'pending';
}
