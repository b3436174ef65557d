/** Issues. Pull requests are issues too, as on GitHub. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import { changeIssue, openIssue } from '../domain/issues.ts';
import { type ApiContext, authorOf, type Env, numberParam, readBody, z } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { issueJson } from '../json/issue.ts';
import type { Issue, Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';

const labelNames = z.array(z.union([z.string(), z.object({ name: z.string() }).transform((label) => label.name)]));
const newIssue = z.object({ title: z.string().min(1), body: z.string().nullish(), labels: labelNames.optional() });
const issueChange = z.object({
  title: z.string().min(1).optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  labels: labelNames.optional(),
});

/** The issue of the path, or 404. */
export function issueOf(sim: Simulation, c: ApiContext, repository: Repository): Issue {
  const issue = sim.world.issue(repository, numberParam(c, 'number'));
  if (!issue) throw notFound();
  return issue;
}

export function issueRoutes(api: Hono<Env>, sim: Simulation): void {
  const { world, links } = sim;

  api.get('/repos/:owner/:repo/issues', (c) => {
    const repository = accessTo(sim, c, 'issues:read');
    const { state = 'open', labels, creator, since } = c.req.query();
    const wanted = labels?.split(',') ?? [];
    const oldest = since === undefined ? 0 : Date.parse(since);
    const found = world.issues
      .filter((issue) => issue.repository === repository && (state === 'all' || issue.state === state))
      .filter((issue) => wanted.every((name) => issue.labels.some((label) => label.name === name)))
      .filter((issue) => creator === undefined || issue.author.login === creator)
      .filter((issue) => issue.updatedAt >= oldest)
      .sort((a, b) => b.createdAt - a.createdAt || b.number - a.number);
    if (c.req.query('direction') === 'asc') found.reverse();
    return c.json(pageOfList(c, links, found).map((issue) => issueJson(links, world, issue)));
  });

  api.post('/repos/:owner/:repo/issues', async (c) => {
    const repository = accessTo(sim, c, 'issues:write');
    const request = await readBody(c, newIssue);
    const by = authorOf(c.get('caller'));
    const { title, labels = [] } = request;
    const issue = await openIssue(sim, { repository, ...by, title, body: request.body ?? null, labels });
    return c.json(issueJson(links, world, issue), 201);
  });

  api.get('/repos/:owner/:repo/issues/:number', (c) => {
    const repository = accessTo(sim, c, 'issues:read', 'pull_requests:read');
    return c.json(issueJson(links, world, issueOf(sim, c, repository)));
  });

  api.patch('/repos/:owner/:repo/issues/:number', async (c) => {
    const repository = accessTo(sim, c, 'issues:write', 'pull_requests:write');
    const issue = issueOf(sim, c, repository);
    await changeIssue(sim, issue, authorOf(c.get('caller')).author, await readBody(c, issueChange));
    return c.json(issueJson(links, world, issue));
  });
}
