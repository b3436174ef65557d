/** Comments as people see them: GitHub's Markdown, made safe, with mentions and references linked. */
import { Marked } from 'marked';
import { type Links, pageOf } from '../links.ts';
import type { Repository } from '../model.ts';
import { sanitize } from './sanitize.ts';

/** In comments, as on GitHub, a line break is a line break. */
const marked = new Marked({ gfm: true, breaks: true, async: false });

const REFERENCE = /(^|[\s(])(?:@([a-zA-Z\d][a-zA-Z\d-]{0,38})|#(\d{1,9}))\b/g;

export function renderMarkdown(links: Links, repository: Repository, text: string): string {
  const html = marked.parse(text, { async: false });
  return sanitize(html, (part) =>
    part.replace(REFERENCE, (_, before: string, login: string | undefined, number: string | undefined) => {
      if (login !== undefined) return `${before}<a class="mention" href="${links.site}/${login}">@${login}</a>`;
      return `${before}<a class="reference" href="${pageOf(links, repository)}/issues/${number}">#${number}</a>`;
    }),
  );
}
