/** Lists of GitHub's API, page by page up to a bound. */
import { z } from 'zod';

/** Items of the pages that Octokit's `paginate.iterator` yields, each checked; stops after `maxPages`. */
export async function* itemsOf<T>(
  pages: AsyncIterable<{ data: unknown }>,
  schema: z.ZodType<T>,
  maxPages: number,
): AsyncGenerator<T> {
  let read = 0;
  for await (const page of pages) {
    yield* z.array(schema).parse(page.data);
    read += 1;
    if (read >= maxPages) return;
  }
}

/** All items, at most `limit` of them. */
export async function collect<T>(items: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) {
    collected.push(item);
    if (collected.length >= limit) break;
  }
  return collected;
}

/** The first item that fits, or null. */
export async function firstOf<T>(items: AsyncIterable<T>, fits: (item: T) => boolean): Promise<T | null> {
  for await (const item of items) if (fits(item)) return item;
  return null;
}
