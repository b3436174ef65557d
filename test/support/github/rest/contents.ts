/** Files and folders at a ref. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import type { TreeEntry } from '../git/repository.ts';
import type { Env } from '../http/context.ts';
import { GithubError, notFound } from '../http/errors.ts';
import type { Json } from '../json/account.ts';
import { apiOf, type Links, pageOf } from '../links.ts';
import type { Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';

const TYPES = { blob: 'file', tree: 'dir', commit: 'submodule' } as const;
/** Bytes: above one megabyte the content is left out, above a hundred the file is refused. */
const INLINE = 1024 * 1024;
const LARGEST = 100 * INLINE;

export function contentRoutes(api: Hono<Env>, sim: Simulation): void {
  for (const route of ['/repos/:owner/:repo/contents', '/repos/:owner/:repo/contents/:path{.+}'] as const) {
    api.get(route, async (c) => {
      const repository = accessTo(sim, c, 'contents:read');
      const git = sim.git(repository);
      const ref = c.req.query('ref') ?? repository.defaultBranch;
      const sha = await git.resolve(ref);
      if (sha === null) throw new GithubError(404, `No commit found for the ref ${ref}`);
      const found = await git.entries(sha, c.req.param('path') ?? '');
      if (!found) throw notFound();
      if (found.kind === 'folder') {
        return c.json(found.entries.map((entry) => entryJson(sim.links, repository, ref, entry)));
      }
      const [entry] = found.entries;
      const bytes = entry && (await git.blob(entry.sha));
      if (!entry || !bytes) throw notFound();
      if (entry.size > LARGEST) throw new GithubError(403, 'This API returns blobs up to 100 MB in size.');
      if (/\braw\b/.test(c.req.header('accept') ?? '')) {
        return c.body(Uint8Array.from(bytes), 200, { 'content-type': 'application/vnd.github.raw; charset=utf-8' });
      }
      const inline = entry.size <= INLINE;
      return c.json({
        ...entryJson(sim.links, repository, ref, entry),
        content: inline ? lines(Buffer.from(bytes).toString('base64')) : '',
        encoding: inline ? 'base64' : 'none',
      });
    });
  }
}

/** GitHub breaks base64 at sixty characters. */
function lines(base64: string): string {
  return base64.replace(/.{1,60}/g, '$&\n');
}

function entryJson(links: Links, repository: Repository, ref: string, entry: TreeEntry): Json {
  const path = entry.path.split('/').map(encodeURIComponent).join('/');
  const url = `${apiOf(links, repository)}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const folder = entry.type === 'tree';
  const git = `${apiOf(links, repository)}/git/${folder ? 'trees' : 'blobs'}/${entry.sha}`;
  const html = `${pageOf(links, repository)}/${folder ? 'tree' : 'blob'}/${ref}/${path}`;
  return {
    name: entry.path.split('/').at(-1),
    path: entry.path,
    sha: entry.sha,
    size: entry.size,
    url,
    html_url: html,
    git_url: git,
    download_url: folder ? null : `${pageOf(links, repository)}/raw/${ref}/${path}`,
    type: entry.mode === '120000' ? 'symlink' : TYPES[entry.type],
    _links: { self: url, git, html },
  };
}
