/** Commits, comparisons, and the pull requests of a commit. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import type { GitRepository } from '../git/repository.ts';
import type { ApiContext, Env } from '../http/context.ts';
import { GithubError, notFound } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { commitJson, filesJson } from '../json/commit.ts';
import { pullJson } from '../json/pull.ts';
import { apiOf, pageOf } from '../links.ts';
import type { Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';

/** The commit that the path's `ref` names, or GitHub's answer when there is none. */
export async function refOf(sim: Simulation, c: ApiContext, repository: Repository): Promise<string> {
  const ref = c.req.param('ref') ?? '';
  const sha = await sim.git(repository).resolve(ref);
  if (sha === null) throw new GithubError(422, `No commit found for SHA: ${ref}`);
  return sha;
}

export function commitRoutes(api: Hono<Env>, sim: Simulation): void {
  const { world, links } = sim;

  api.get('/repos/:owner/:repo/commits', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const git = sim.git(repository);
    const sha = await git.resolve(c.req.query('sha') ?? repository.defaultBranch);
    if (sha === null) throw notFound();
    const page = pageOfList(c, links, (await git.log(null, sha, 1000)).reverse());
    return c.json(await commitsJson(sim, git, repository, page));
  });

  api.get('/repos/:owner/:repo/commits/:ref', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const git = sim.git(repository);
    const commit = await git.commit(await refOf(sim, c, repository));
    const parent = commit.parents[0] ?? EMPTY_TREE;
    const files = await filesJson(links, git, repository, parent, commit.sha);
    const sum = (key: string): number => files.reduce((total, file) => total + Number(file[key]), 0);
    const stats = { additions: sum('additions'), deletions: sum('deletions'), total: sum('changes') };
    return c.json({ ...commitJson(links, world, repository, commit), stats, files });
  });

  api.get('/repos/:owner/:repo/commits/:ref/branches-where-head', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const git = sim.git(repository);
    const sha = await refOf(sim, c, repository);
    const heads = await git.refs('refs/heads/');
    const names = [...heads].filter(([, head]) => head === sha).map(([ref]) => ref.replace('refs/heads/', ''));
    const commit = { sha, url: `${apiOf(links, repository)}/commits/${sha}` };
    return c.json(names.map((name) => ({ name, commit, protected: false })));
  });

  api.get('/repos/:owner/:repo/commits/:ref/pulls', async (c) => {
    const repository = accessTo(sim, c, 'pull_requests:read', 'contents:read');
    const git = sim.git(repository);
    const sha = await refOf(sim, c, repository);
    const found = [];
    for (const issue of world.issues) {
      if (issue.repository !== repository || !issue.pull) continue;
      const { headSha, baseSha } = issue.pull;
      const base = await git.mergeBase(headSha, baseSha);
      if ((await git.log(base, headSha)).includes(sha)) found.push(issue);
    }
    return c.json(pageOfList(c, links, found).map((issue) => pullJson(links, world, issue)));
  });

  api.get('/repos/:owner/:repo/compare/:basehead{.+}', async (c) => {
    const repository = accessTo(sim, c, 'contents:read');
    const git = sim.git(repository);
    const [base = '', head = ''] = c.req.param('basehead').split('...');
    const [from, to] = [await git.resolve(base), await git.resolve(head)];
    const fork = from && to && (await git.mergeBase(from, to));
    if (!from || !to || !fork) throw notFound();
    const ahead = await git.log(from, to);
    const behind = await git.log(to, from);
    const page = `${pageOf(links, repository)}/compare/${base}...${head}`;
    const [baseCommit, forkCommit] = await commitsJson(sim, git, repository, [from, fork]);
    return c.json({
      url: `${apiOf(links, repository)}/compare/${base}...${head}`,
      html_url: page,
      permalink_url: `${pageOf(links, repository)}/compare/${from}...${to}`,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      base_commit: baseCommit,
      merge_base_commit: forkCommit,
      status: relation(ahead.length, behind.length),
      ahead_by: ahead.length,
      behind_by: behind.length,
      total_commits: ahead.length,
      commits: await commitsJson(sim, git, repository, pageOfList(c, links, ahead)),
      files: await filesJson(links, git, repository, fork, to),
    });
  });
}

/** What a first commit is compared with. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function relation(ahead: number, behind: number): string {
  if (ahead > 0 && behind > 0) return 'diverged';
  if (ahead > 0) return 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}

async function commitsJson(
  sim: Simulation,
  git: GitRepository,
  repository: Repository,
  shas: readonly string[],
): Promise<Record<string, unknown>[]> {
  const commits = await Promise.all(shas.map((sha) => git.commit(sha)));
  return commits.map((commit) => commitJson(sim.links, sim.world, repository, commit));
}
