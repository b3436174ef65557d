/** Pull requests. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import { openPull } from '../domain/pulls.ts';
import { type ApiContext, authorOf, type Env, numberParam, readBody, z } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { commitJson, filesJson } from '../json/commit.ts';
import { fullPullJson, pullJson } from '../json/pull.ts';
import type { Issue, PullRequest, Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';

const newPull = z.object({ title: z.string(), head: z.string(), base: z.string(), body: z.string().nullish() });

export function pullRoutes(api: Hono<Env>, sim: Simulation): void {
  const { world, links } = sim;

  api.get('/repos/:owner/:repo/pulls', (c) => {
    const repository = accessTo(sim, c, 'pull_requests:read');
    const { state = 'open', head, base } = c.req.query();
    const found = world.issues
      .filter((issue) => issue.repository === repository && issue.pull !== null)
      .filter((issue) => state === 'all' || issue.state === state)
      .filter((issue) => head === undefined || head === `${repository.owner.login}:${issue.pull?.headBranch}`)
      .filter((issue) => base === undefined || base === issue.pull?.baseBranch)
      .reverse();
    return c.json(pageOfList(c, links, found).map((issue) => pullJson(links, world, issue)));
  });

  api.post('/repos/:owner/:repo/pulls', async (c) => {
    const repository = accessTo(sim, c, 'pull_requests:write');
    const request = await readBody(c, newPull);
    const head = request.head.replace(`${repository.owner.login}:`, '');
    const { author, viaApp } = authorOf(c.get('caller'));
    const body = request.body ?? null;
    const issue = await openPull(sim, {
      repository,
      author,
      viaApp,
      title: request.title,
      body,
      head,
      base: request.base,
    });
    return c.json(await fullPullJson(links, world, sim.git(repository), issue), 201);
  });

  api.get('/repos/:owner/:repo/pulls/:number', async (c) => {
    const repository = accessTo(sim, c, 'pull_requests:read');
    const { issue } = pullOf(sim, c, repository);
    return c.json(await fullPullJson(links, world, sim.git(repository), issue));
  });

  api.get('/repos/:owner/:repo/pulls/:number/files', async (c) => {
    const repository = accessTo(sim, c, 'pull_requests:read');
    const { pull } = pullOf(sim, c, repository);
    const git = sim.git(repository);
    const base = (await git.mergeBase(pull.baseSha, pull.headSha)) ?? pull.baseSha;
    return c.json(pageOfList(c, links, await filesJson(links, git, repository, base, pull.headSha)));
  });

  api.get('/repos/:owner/:repo/pulls/:number/commits', async (c) => {
    const repository = accessTo(sim, c, 'pull_requests:read');
    const { pull } = pullOf(sim, c, repository);
    const git = sim.git(repository);
    const shas = pageOfList(c, links, await git.log(pull.baseSha, pull.headSha));
    const commits = await Promise.all(shas.map((sha) => git.commit(sha)));
    return c.json(commits.map((commit) => commitJson(links, world, repository, commit)));
  });
}

function pullOf(sim: Simulation, c: ApiContext, repository: Repository): { issue: Issue; pull: PullRequest } {
  const issue = sim.world.issue(repository, numberParam(c, 'number'));
  if (!issue?.pull) throw notFound();
  return { issue, pull: issue.pull };
}
