/** The git database: refs, commits, trees and blobs. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import { type Env, readBody, z } from '../http/context.ts';
import { GithubError, notFound } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import type { Json } from '../json/account.ts';
import { gitCommitJson } from '../json/commit.ts';
import { apiOf, type Links, nodeId } from '../links.ts';
import type { Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';

export function gitDataRoutes(api: Hono<Env>, sim: Simulation): void {
  const { links } = sim;

  api.get('/repos/:owner/:repo/git/ref/:ref{.+}', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const ref = `refs/${c.req.param('ref')}`;
    const sha = (await sim.git(repository).refs()).get(ref);
    if (sha === undefined) throw notFound();
    return c.json(refJson(links, repository, ref, sha));
  });

  api.get('/repos/:owner/:repo/git/matching-refs/:ref{.+}', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const all = [...(await sim.git(repository).refs())];
    const matching = all.filter(([ref]) => ref.startsWith(`refs/${c.req.param('ref')}`));
    return c.json(pageOfList(c, links, matching).map(([ref, sha]) => refJson(links, repository, ref, sha)));
  });

  api.post('/repos/:owner/:repo/git/refs', async (c) => {
    const repository = accessTo(sim, c, 'contents:write');
    const { ref, sha } = await readBody(c, z.object({ ref: z.string(), sha: z.string() }));
    const git = sim.git(repository);
    if (!/^refs\/(heads|tags)\/\S+$/.test(ref)) throw new GithubError(422, 'Reference name is not valid');
    if ((await git.refs()).has(ref)) throw new GithubError(422, 'Reference already exists');
    if ((await git.resolve(sha)) === null) throw new GithubError(422, 'Object does not exist');
    await git.setRef(ref, sha);
    return c.json(refJson(links, repository, ref, sha), 201);
  });

  api.get('/repos/:owner/:repo/git/commits/:sha', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const git = sim.git(repository);
    const sha = await git.resolve(c.req.param('sha'));
    if (sha === null) throw notFound();
    return c.json(gitCommitJson(links, repository, await git.commit(sha)));
  });

  api.get('/repos/:owner/:repo/git/trees/:sha', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const deep = c.req.query('recursive') !== undefined;
    const name = c.req.param('sha');
    const git = sim.git(repository);
    const sha = (await git.resolve(name)) ?? (/^[0-9a-f]{40}$/.test(name) ? name : null);
    const tree = sha === null ? null : await git.tree(sha, ...(deep ? (['-r'] as const) : []));
    if (sha === null || tree === null) throw notFound();
    const url = `${apiOf(links, repository)}/git/trees/${sha}`;
    const entries = tree.map((one) => ({
      path: one.path,
      mode: one.mode,
      type: one.type,
      sha: one.sha,
      ...(one.type === 'blob' && { size: one.size }),
      url: `${apiOf(links, repository)}/git/${one.type}s/${one.sha}`,
    }));
    return c.json({ sha, url, tree: entries, truncated: false });
  });

  api.get('/repos/:owner/:repo/git/blobs/:sha', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const sha = c.req.param('sha');
    const bytes = await sim.git(repository).blob(sha);
    if (bytes === null) throw notFound();
    return c.json({
      sha,
      node_id: nodeId('Blob', sha),
      size: bytes.length,
      url: `${apiOf(links, repository)}/git/blobs/${sha}`,
      content: Buffer.from(bytes).toString('base64'),
      encoding: 'base64',
    });
  });
}

function refJson(links: Links, repository: Repository, ref: string, sha: string): Json {
  const api = apiOf(links, repository);
  return {
    ref,
    node_id: nodeId('Ref', ref),
    url: `${api}/git/${ref}`,
    object: { type: 'commit', sha, url: `${api}/git/commits/${sha}` },
  };
}
