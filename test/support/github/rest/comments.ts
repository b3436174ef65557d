/** Comments on issues and pull requests. */
import type { Hono } from 'hono';
import { accessTo, roleOf } from '../auth/access.ts';
import { addComment, changeComment, removeComment } from '../domain/issues.ts';
import { type ApiContext, authorOf, type Env, numberParam, readBody, z } from '../http/context.ts';
import { GithubError, notAccessible, notFound } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { commentJson } from '../json/issue.ts';
import type { Comment, Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { issueOf } from './issues.ts';

const READ = ['issues:read', 'pull_requests:read'] as const;
const WRITE = ['issues:write', 'pull_requests:write'] as const;
const bodyOf = z.object({ body: z.string().min(1) });

export function commentRoutes(api: Hono<Env>, sim: Simulation): void {
  const { world, links } = sim;

  api.get('/repos/:owner/:repo/issues/comments', (c) => {
    const repository = accessTo(sim, c, ...READ);
    const all = world.comments.filter((comment) => comment.issue.repository === repository);
    return c.json(pageOfList(c, links, all).map((comment) => commentJson(links, comment)));
  });

  api.get('/repos/:owner/:repo/issues/:number/comments', (c) => {
    const issue = issueOf(sim, c, accessTo(sim, c, ...READ));
    const { since } = c.req.query();
    const oldest = since === undefined ? 0 : Date.parse(since);
    const all = world.commentsOf(issue).filter((comment) => comment.updatedAt >= oldest);
    return c.json(pageOfList(c, links, all).map((comment) => commentJson(links, comment)));
  });

  api.post('/repos/:owner/:repo/issues/:number/comments', async (c) => {
    const issue = issueOf(sim, c, accessTo(sim, c, ...WRITE));
    const { body } = await readBody(c, bodyOf);
    const comment = addComment(sim, issue, { ...authorOf(c.get('caller')), body });
    return c.json(commentJson(links, comment), 201);
  });

  api.get('/repos/:owner/:repo/issues/comments/:comment_id', (c) => {
    return c.json(commentJson(links, commentOf(sim, c, accessTo(sim, c, ...READ))));
  });

  api.patch('/repos/:owner/:repo/issues/comments/:comment_id', async (c) => {
    const comment = ownComment(sim, c, accessTo(sim, c, ...WRITE));
    const { body } = await readBody(c, bodyOf);
    changeComment(sim, comment, authorOf(c.get('caller')).author, body);
    return c.json(commentJson(links, comment));
  });

  api.delete('/repos/:owner/:repo/issues/comments/:comment_id', (c) => {
    removeComment(sim, ownComment(sim, c, accessTo(sim, c, ...WRITE)));
    return c.body(null, 204);
  });
}

export function commentOf(sim: Simulation, c: ApiContext, repository: Repository): Comment {
  const id = numberParam(c, 'comment_id');
  const comment = sim.world.comments.find((one) => one.id === id && one.issue.repository === repository);
  if (!comment) throw notFound();
  return comment;
}

/** An app changes its own comments only; so do people without write access. */
function ownComment(sim: Simulation, c: ApiContext, repository: Repository): Comment {
  const comment = commentOf(sim, c, repository);
  const caller = c.get('caller');
  const { author } = authorOf(caller);
  if (comment.author === author) return comment;
  if (caller.kind === 'installation') throw notAccessible();
  if (['write', 'admin'].includes(roleOf(repository, author.login))) return comment;
  throw new GithubError(403, 'Must have admin rights to Repository.');
}
