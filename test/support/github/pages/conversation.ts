/** The page of an issue or a pull request: what was asked, what was answered, and how its checks went. */
import { html, raw } from 'hono/html';
import { checkRunPage } from '../json/check.ts';
import { type Links, pageOf, pageOfIssue } from '../links.ts';
import type { Account, CheckRun, CommitStatus, Issue, Reaction } from '../model.ts';
import type { World } from '../world.ts';
import { annotationsOf, authorOf, avatarOf, dateOf, type Html, markOf, page } from './layout.ts';
import { renderMarkdown } from './markdown.ts';

export function conversationPage(links: Links, world: World, issue: Issue): Html {
  const { repository, pull } = issue;
  const comments = world.commentsOf(issue).map((comment) =>
    entry(links, issue, {
      id: `issuecomment-${comment.id}`,
      author: comment.author,
      at: comment.createdAt,
      edited: comment.updatedAt !== comment.createdAt,
      body: comment.body,
      reactions: comment.reactions,
    }),
  );
  const first = { id: `issue-${issue.id}`, author: issue.author, at: issue.createdAt, edited: false };
  const content = html`
<h1 class="title">${issue.title} <span class="number">#${issue.number}</span></h1>
<p class="meta"><span class="state ${issue.state}">${issue.state === 'open' ? 'Open' : 'Closed'}</span>
${authorOf(issue.author)} ${about(links, issue)}
${issue.labels.map((label) => html`<span class="label">${label.name}</span>`)}</p>
${entry(links, issue, { ...first, body: issue.body ?? '', reactions: issue.reactions })}
${comments}
${pull ? checksBox(links, world, issue, pull.headSha) : ''}`;
  return page(links, repository, pull ? 'pulls' : 'issues', `${issue.title} · #${issue.number}`, content);
}

function about(links: Links, issue: Issue): Html {
  if (!issue.pull) return html`opened this issue on ${dateOf(issue.createdAt)}`;
  return html`wants to merge into <span class="branch">${issue.pull.baseBranch}</span> from
<span class="branch">${issue.pull.headBranch}</span> · <a href="${pageOfIssue(links, issue)}/files">Files changed</a>`;
}

interface Entry {
  readonly id: string;
  readonly author: Account;
  readonly at: number;
  readonly edited: boolean;
  readonly body: string;
  readonly reactions: readonly Reaction[];
}

const FACES: Readonly<Record<string, string>> = {
  '+1': '👍',
  '-1': '👎',
  laugh: '😄',
  confused: '😕',
  heart: '❤️',
  hooray: '🎉',
  rocket: '🚀',
  eyes: '👀',
};

function entry(links: Links, issue: Issue, one: Entry): Html {
  const counts = Object.entries(FACES)
    .map(([content, face]) => [face, one.reactions.filter((reaction) => reaction.content === content).length] as const)
    .filter(([, count]) => count > 0);
  return html`<article class="entry" id="${one.id}">${avatarOf(links, one.author)}
<div class="box"><header>${authorOf(one.author)} commented on <a href="#${one.id}">${dateOf(one.at)}</a>${one.edited ? ' · edited' : ''}</header>
<div class="body">${raw(renderMarkdown(links, issue.repository, one.body) || '<p><em>No description provided.</em></p>')}</div>
${counts.length > 0 ? html`<div class="reactions">${counts.map(([face, count]) => html`<span>${face} ${count}</span>`)}</div>` : ''}
</div></article>`;
}

/** The newest check run of each name, and the newest status of each context. */
function checksBox(links: Links, world: World, issue: Issue, sha: string): Html {
  const { repository } = issue;
  const runs = world.checkRuns.filter((run) => run.suite.repository === repository && run.suite.headSha === sha);
  const newest = [...new Map(runs.map((run) => [`${run.suite.app.slug} ${run.name}`, run])).values()];
  const statuses = world.statuses.filter((one) => one.repository === repository && one.sha === sha);
  const contexts = [...new Map(statuses.map((one) => [one.context, one])).values()];
  const rows = [...newest.map((run) => checkRow(links, run)), ...contexts.map(statusRow)];
  return html`<section class="box checks"><header><strong>${headline(newest, contexts)}</strong>
· <a href="${pageOf(links, repository)}/commit/${sha}">${sha.slice(0, 7)}</a></header><ul>${rows}</ul>
${newest.flatMap((run) => (run.suite.app.slug === 'github-actions' ? [] : annotationsOf(links, run)))}</section>`;
}

function headline(runs: readonly CheckRun[], statuses: readonly CommitStatus[]): string {
  if (runs.length + statuses.length === 0) return 'No checks have reported yet';
  const failed = (name: string | null): boolean => ['failure', 'timed_out', 'error'].includes(name ?? '');
  if (runs.some((run) => failed(run.conclusion)) || statuses.some(({ state }) => failed(state))) {
    return 'Some checks were not successful';
  }
  const waiting = runs.some((run) => run.status !== 'completed') || statuses.some(({ state }) => state === 'pending');
  return waiting ? "Some checks haven't completed yet" : 'All checks have passed';
}

function checkRow(links: Links, run: CheckRun): Html {
  return html`<li>${markOf(run.conclusion)} <span class="grow"><strong>${run.suite.app.name} / ${run.name}</strong>
<span class="neutral">${run.output.title ?? run.conclusion ?? run.status}</span></span>
<a href="${checkRunPage(links, run)}">Details</a></li>`;
}

function statusRow(status: CommitStatus): Html {
  const conclusion = status.state === 'error' ? 'failure' : status.state;
  return html`<li>${markOf(conclusion)} <span class="grow"><strong>${status.context}</strong> ${status.description ?? ''}</span>
${status.targetUrl === null ? '' : html`<a href="${status.targetUrl}">Details</a>`}</li>`;
}
