/** The pages that a browser sees: pull requests, issues, checks, files. To be looked at; nothing can be changed here. */
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { pageOf, pageOfIssue } from '../links.ts';
import type { Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { blobPage, changesPage, checkRunView } from './code.ts';
import { conversationPage } from './conversation.ts';
import { authorOf, page } from './layout.ts';
import { LINES_SCRIPT, STYLE } from './style.ts';

/** Whatever slips through the sanitiser cannot run. */
const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https:; base-uri 'none'";
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export function createSite(sim: Simulation): Hono {
  const { world, links } = sim;
  const site = new Hono();
  site.use(async (c, next) => {
    await next();
    if (c.res.headers.get('content-type')?.startsWith('text/html')) c.header('content-security-policy', POLICY);
  });

  site.get('/assets/style.css', (c) => c.body(STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  site.get('/assets/lines.js', (c) => c.body(LINES_SCRIPT, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  site.get('/avatars/:id', (c) => c.body(avatar(Number(c.req.param('id'))), 200, { 'content-type': 'image/svg+xml' }));

  site.get('/', (c) => {
    const items = world.repositories.map(
      (one) => html`<li><a href="${pageOf(links, one)}/pulls">${one.owner.login}/${one.name}</a></li>`,
    );
    return c.html(html`<!doctype html><meta charset="utf-8"><title>Repositories</title>
<link rel="stylesheet" href="/assets/style.css"><main><h1 class="title">Repositories</h1><ul>${items}</ul></main>`);
  });

  site.get('/:owner/:repo', (c) => {
    const repository = repositoryOf(c);
    return repository ? c.redirect(`${pageOf(links, repository)}/pulls`) : c.notFound();
  });

  for (const tab of ['pulls', 'issues'] as const) {
    site.get(`/:owner/:repo/${tab}`, (c) => {
      const repository = repositoryOf(c);
      if (!repository) return c.notFound();
      const found = world.issues.filter(
        (one) => one.repository === repository && (one.pull !== null) === (tab === 'pulls'),
      );
      const rows = found.reverse().map(
        (issue) => html`<li><span class="state ${issue.state}">${issue.state}</span>
<span class="grow"><a href="${pageOfIssue(links, issue)}"><strong>${issue.title}</strong></a><br>#${issue.number} by ${authorOf(issue.author)}</span>
<span class="neutral">${told(world.commentsOf(issue).length)}</span></li>`,
      );
      const title = tab === 'pulls' ? 'Pull requests' : 'Issues';
      return c.html(
        page(
          links,
          repository,
          tab,
          title,
          html`<div class="box"><header><strong>${title}</strong></header><ul class="list">${rows}</ul></div>`,
        ),
      );
    });
  }

  site.get('/:owner/:repo/:kind{pull|issues}/:number{[0-9]+}', (c) => {
    const repository = repositoryOf(c);
    const issue = repository && world.issue(repository, Number(c.req.param('number')));
    if (!issue) return c.notFound();
    const kind = issue.pull ? 'pull' : 'issues';
    return c.req.param('kind') === kind
      ? c.html(conversationPage(links, world, issue))
      : c.redirect(pageOfIssue(links, issue));
  });

  site.get('/:owner/:repo/pull/:number{[0-9]+}/files', async (c) => {
    const repository = repositoryOf(c);
    const issue = repository && world.issue(repository, Number(c.req.param('number')));
    if (!issue?.pull) return c.notFound();
    const git = sim.git(issue.repository);
    const { baseSha, headSha } = issue.pull;
    const base = (await git.mergeBase(baseSha, headSha)) ?? baseSha;
    return c.html(changesPage(links, issue.repository, issue.title, await git.changes(base, headSha)));
  });

  site.get('/:owner/:repo/commit/:sha', async (c) => {
    const repository = repositoryOf(c);
    const sha = repository && (await sim.git(repository).resolve(c.req.param('sha')));
    if (!repository || !sha) return c.notFound();
    const git = sim.git(repository);
    const { message, parents } = await git.commit(sha);
    const title = message.split('\n')[0] ?? sha;
    return c.html(changesPage(links, repository, title, await git.changes(parents[0] ?? EMPTY_TREE, sha)));
  });

  for (const path of ['/:owner/:repo/runs/:id{[0-9]+}', '/:owner/:repo/actions/runs/:run/job/:id{[0-9]+}'] as const) {
    site.get(path, (c) => {
      const repository = repositoryOf(c);
      const id = Number(c.req.param('id'));
      const run = world.checkRuns.find((one) => one.id === id && one.suite.repository === repository);
      return run ? c.html(checkRunView(links, world, run)) : c.notFound();
    });
  }

  site.get('/:owner/:repo/actions/runs/:id{[0-9]+}', (c) => {
    const repository = repositoryOf(c);
    const run = world.workflowRuns.find((one) => one.id === Number(c.req.param('id')) && one.repository === repository);
    const job = run?.jobs[0];
    return run && job
      ? c.redirect(`${pageOf(links, run.repository)}/actions/runs/${run.id}/job/${job.id}`)
      : c.notFound();
  });

  for (const kind of ['blob', 'raw'] as const) {
    site.get(`/:owner/:repo/${kind}/:ref/:path{.+}`, async (c) => {
      const repository = repositoryOf(c);
      const sha = repository && (await sim.git(repository).resolve(c.req.param('ref')));
      const path = c.req.param('path');
      const text = repository && sha ? await sim.git(repository).text(sha, path) : null;
      if (!repository || !sha || text === null) return c.notFound();
      return kind === 'raw' ? c.text(text) : c.html(blobPage(links, repository, sha, path, text));
    });
  }

  function repositoryOf(c: Context): Repository | undefined {
    return world.repository(c.req.param('owner') ?? '', c.req.param('repo') ?? '');
  }

  return site;
}

/** A disc in the account's own colour. */
function avatar(id: number): string {
  const hue = (id * 47) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="hsl(${hue} 55% 60%)"/><circle cx="20" cy="16" r="7" fill="#fff"/><path d="M6 36a14 14 0 0 1 28 0z" fill="#fff"/></svg>`;
}

function told(comments: number): string {
  return comments === 1 ? '1 comment' : `${comments} comments`;
}
