/** Lists in pages of `per_page` (30 unless asked, at most 100), with GitHub's `Link` header. */
import type { Links } from '../links.ts';
import type { ApiContext } from './context.ts';

/** The asked page of the list; sets `Link` when there are more pages. */
export function pageOfList<T>(c: ApiContext, links: Links, all: readonly T[]): T[] {
  const size = within(c.req.query('per_page'), 30, 100);
  const page = within(c.req.query('page'), 1, Number.MAX_SAFE_INTEGER);
  const last = Math.max(1, Math.ceil(all.length / size));
  const relations: [string, number][] = [];
  if (page > 1) relations.push(['prev', Math.min(page - 1, last)]);
  if (page < last) relations.push(['next', page + 1], ['last', last]);
  if (page > 1) relations.push(['first', 1]);
  if (last > 1) c.header('link', relations.map(([rel, to]) => `<${addressOf(c, links, to)}>; rel="${rel}"`).join(', '));
  return all.slice((page - 1) * size, page * size);
}

function within(text: string | undefined, fallback: number, most: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : fallback;
}

function addressOf(c: ApiContext, links: Links, page: number): string {
  const { pathname, search } = new URL(c.req.url);
  const query = new URLSearchParams(search);
  query.set('page', String(page));
  return `${new URL(links.api).origin}${pathname}?${query}`;
}
