/** Pages that show text: a file with its lines numbered, the changes of a pull request or commit, a check with its log. */
import { html, raw } from 'hono/html';
import type { FileChange } from '../git/repository.ts';
import { type Links, pageOf } from '../links.ts';
import type { CheckRun, Repository } from '../model.ts';
import type { World } from '../world.ts';
import { annotationsOf, type Html, markOf, page } from './layout.ts';
import { renderMarkdown } from './markdown.ts';

export function blobPage(links: Links, repository: Repository, sha: string, path: string, text: string): Html {
  const content = html`<div class="box"><header><strong>${path}</strong> at
<a href="${pageOf(links, repository)}/commit/${sha}">${sha.slice(0, 7)}</a></header>${numbered(text)}</div>
<script src="/assets/lines.js"></script>`;
  return page(links, repository, 'code', path, content);
}

function numbered(text: string): Html {
  const lines = text.replace(/\n$/, '').split('\n');
  const rows = lines.map((line, index) => {
    return html`<tr id="L${index + 1}"><td class="n">${index + 1}</td><td>${line}</td></tr>`;
  });
  return html`<table class="code">${rows}</table>`;
}

const KINDS: Readonly<Record<string, string>> = { '+': 'add', '-': 'del', '@': 'hunk' };

export function changesPage(links: Links, repository: Repository, title: string, changes: readonly FileChange[]): Html {
  const files = changes.map((change) => {
    const rows = (change.patch ?? 'Binary file').split('\n').map((line) => {
      return html`<tr class="${KINDS[line[0] ?? ''] ?? ''}"><td>${line}</td></tr>`;
    });
    return html`<div class="entry"><div class="box"><header><strong>${change.path}</strong>
+${change.additions} −${change.deletions}</header><table class="code">${rows}</table></div></div>`;
  });
  return page(links, repository, 'pulls', title, html`<h1 class="title">${title}</h1>${files}`);
}

/** ANSI colours: of no use on the page. */
const ANSI = /\u001b\[[0-9;]*m/g;

export function checkRunView(links: Links, world: World, run: CheckRun): Html {
  const { repository } = run.suite;
  const job = world.jobs().find((one) => one.id === run.id);
  const output = [run.output.summary, run.output.text].filter(Boolean).join('\n\n');
  const log = job?.log
    ? Buffer.from(job.log)
        .toString('utf8')
        .replace(ANSI, '')
        .replace(/^\ufeff/, '')
    : null;
  const content = html`<h1 class="title">${markOf(run.conclusion)} ${run.name}</h1>
<p class="meta">${run.suite.app.name} · ${run.conclusion ?? run.status} ·
<a href="${pageOf(links, repository)}/commit/${run.suite.headSha}">${run.suite.headSha.slice(0, 7)}</a>
${run.suite.headBranch === null ? '' : html`<span class="branch">${run.suite.headBranch}</span>`}</p>
${run.output.title === null ? '' : html`<h2>${run.output.title}</h2>`}
${output === '' ? '' : html`<div class="box body">${raw(renderMarkdown(links, repository, output))}</div>`}
${annotationsOf(links, run)}
${log === null ? '' : html`<div class="log">${numbered(log)}</div><script src="/assets/lines.js"></script>`}`;
  return page(links, repository, 'pulls', run.name, content);
}
