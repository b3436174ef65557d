/** Reactions to comments and issues: the same one twice is one. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import { type ApiContext, authorOf, type Env, numberParam, readBody, z } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { REACTIONS, reactionJson } from '../json/issue.ts';
import type { Reaction, Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { commentOf } from './comments.ts';
import { issueOf } from './issues.ts';

const READ = ['issues:read', 'pull_requests:read'] as const;
const WRITE = ['issues:write', 'pull_requests:write'] as const;

type Target = (sim: Simulation, c: ApiContext, repository: Repository) => { readonly reactions: Reaction[] };

const TARGETS: readonly (readonly [string, Target])[] = [
  ['/repos/:owner/:repo/issues/comments/:comment_id/reactions', commentOf],
  ['/repos/:owner/:repo/issues/:number/reactions', issueOf],
];

export function reactionRoutes(api: Hono<Env>, sim: Simulation): void {
  for (const [path, targetOf] of TARGETS) {
    api.get(path, (c) => {
      const { reactions } = targetOf(sim, c, accessTo(sim, c, ...READ));
      const { content } = c.req.query();
      const found = reactions.filter((one) => content === undefined || one.content === content);
      return c.json(pageOfList(c, sim.links, found).map((one) => reactionJson(sim.links, one)));
    });

    api.post(path, async (c) => {
      const { reactions } = targetOf(sim, c, accessTo(sim, c, ...WRITE));
      const { content } = await readBody(c, z.object({ content: z.enum(REACTIONS) }));
      const { author: user } = authorOf(c.get('caller'));
      const known = reactions.find((one) => one.user === user && one.content === content);
      if (known) return c.json(reactionJson(sim.links, known), 200);
      const reaction = { id: sim.world.nextId(), user, content, createdAt: sim.world.now() };
      reactions.push(reaction);
      return c.json(reactionJson(sim.links, reaction), 201);
    });

    api.delete(`${path}/:reaction_id`, (c) => {
      const { reactions } = targetOf(sim, c, accessTo(sim, c, ...WRITE));
      const index = reactions.findIndex((one) => one.id === numberParam(c, 'reaction_id'));
      if (index === -1) throw notFound();
      reactions.splice(index, 1);
      return c.body(null, 204);
    });
  }
}
