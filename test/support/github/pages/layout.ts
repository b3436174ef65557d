/** The frame around every page, and the small parts that several pages show. */
import { html, raw } from 'hono/html';
import { type Links, pageOf } from '../links.ts';
import type { Account, CheckRun, Repository } from '../model.ts';

export type Html = ReturnType<typeof html>;

export type Tab = 'issues' | 'pulls' | 'code';

const TABS: readonly (readonly [Tab, string, string])[] = [
  ['issues', 'Issues', '/issues'],
  ['pulls', 'Pull requests', '/pulls'],
];

export function page(links: Links, repository: Repository, tab: Tab, title: string, content: Html): Html {
  const home = pageOf(links, repository);
  const tabs = TABS.map(([name, text, path]) => {
    return html`<a href="${home}${path}" ${name === tab ? raw('aria-current="page"') : ''}>${text}</a>`;
  });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${repository.owner.login}/${repository.name}</title>
<link rel="stylesheet" href="/assets/style.css">
</head>
<body>
<div class="top">
<div class="name"><a href="${links.site}/">${repository.owner.login}</a> / <a href="${home}/pulls">${repository.name}</a></div>
<nav class="tabs">${tabs}</nav>
</div>
<main>${content}</main>
</body>
</html>`;
}

export function authorOf(account: Account): Html {
  const name = account.type === 'Bot' ? account.login.replace(/\[bot\]$/, '') : account.login;
  return html`<strong>${name}</strong>${account.type === 'Bot' ? html`<span class="badge">bot</span>` : ''}`;
}

export function avatarOf(links: Links, account: Account): Html {
  return html`<img src="${links.site}/avatars/${account.id}" alt="@${account.login}">`;
}

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** `Dec 1, 2026`. */
export function dateOf(ms: number): string {
  return DATE.format(ms);
}

const MARKS: Readonly<Record<string, string>> = {
  success: '✓',
  failure: '✗',
  timed_out: '✗',
  cancelled: '⊘',
  neutral: '◼',
  skipped: '⊘',
  pending: '●',
};

export function markOf(conclusion: string | null): Html {
  const name = conclusion ?? 'pending';
  return html`<span class="${name}" title="${name}">${MARKS[name] ?? '●'}</span>`;
}

export function annotationsOf(links: Links, run: CheckRun): Html[] {
  return run.annotations.map((one) => {
    const lines = one.start_line === one.end_line ? `#L${one.start_line}` : `#L${one.start_line}-L${one.end_line}`;
    const at = `${pageOf(links, run.suite.repository)}/blob/${run.suite.headSha}/${one.path.split('/').map(encodeURIComponent).join('/')}${lines}`;
    return html`<div class="annotation ${one.annotation_level}">
<strong>${one.title ?? one.annotation_level}</strong> <a href="${at}">${one.path}${lines}</a>
<pre>${one.message}</pre></div>`;
  });
}
