/** Labels of a repository and of its issues. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import { addLabels, labelOf, removeLabel } from '../domain/issues.ts';
import { authorOf, type Env, readBody, z } from '../http/context.ts';
import { GithubError, invalid, notFound } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { labelJson } from '../json/issue.ts';
import type { Simulation } from '../simulation.ts';
import { issueOf } from './issues.ts';

const newLabel = z.object({
  name: z.string().min(1),
  color: z
    .string()
    .regex(/^[0-9a-f]{6}$/i)
    .optional(),
  description: z.string().nullish(),
});
const names = z.union([
  z.object({ labels: z.array(z.string()) }).transform(({ labels }) => labels),
  z.array(z.string()),
]);

export function labelRoutes(api: Hono<Env>, sim: Simulation): void {
  const { links } = sim;

  api.get('/repos/:owner/:repo/labels', (c) => {
    const repository = accessTo(sim, c, 'issues:read');
    return c.json(pageOfList(c, links, repository.labels).map((label) => labelJson(links, repository, label)));
  });

  api.post('/repos/:owner/:repo/labels', async (c) => {
    const repository = accessTo(sim, c, 'issues:write');
    const { name, color, description } = await readBody(c, newLabel);
    if (repository.labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) {
      throw invalid('Label', 'name', 'already_exists');
    }
    const label = labelOf(sim, repository, name, color, description ?? null);
    return c.json(labelJson(links, repository, label), 201);
  });

  api.get('/repos/:owner/:repo/labels/:name', (c) => {
    const repository = accessTo(sim, c, 'issues:read');
    const label = repository.labels.find((one) => one.name === c.req.param('name'));
    if (!label) throw notFound();
    return c.json(labelJson(links, repository, label));
  });

  api.get('/repos/:owner/:repo/issues/:number/labels', (c) => {
    const repository = accessTo(sim, c, 'issues:read', 'pull_requests:read');
    const { labels } = issueOf(sim, c, repository);
    return c.json(pageOfList(c, links, labels).map((label) => labelJson(links, repository, label)));
  });

  api.post('/repos/:owner/:repo/issues/:number/labels', async (c) => {
    const repository = accessTo(sim, c, 'issues:write', 'pull_requests:write');
    const issue = issueOf(sim, c, repository);
    await addLabels(sim, issue, authorOf(c.get('caller')).author, await readBody(c, names));
    return c.json(issue.labels.map((label) => labelJson(links, repository, label)));
  });

  api.delete('/repos/:owner/:repo/issues/:number/labels/:name', async (c) => {
    const repository = accessTo(sim, c, 'issues:write', 'pull_requests:write');
    const issue = issueOf(sim, c, repository);
    const removed = await removeLabel(sim, issue, authorOf(c.get('caller')).author, c.req.param('name'));
    if (!removed) throw new GithubError(404, 'Label does not exist');
    return c.json(issue.labels.map((label) => labelJson(links, repository, label)));
  });
}
