import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openShop, type Shop } from './shop.ts';

describe('answers of the API', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await openShop();
    for (let index = 1; index <= 7; index += 1)
      await shop.github.createIssue({ repo: shop.repo, title: `Issue ${index}` });
  });
  afterAll(() => shop.close());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => {
    const authorization = `token ${shop.github.tokenOf('ada')}`;
    return fetch(`${shop.github.apiUrl}${path}`, { headers: { authorization, ...headers } });
  };

  it('come in pages, with links to the others', async () => {
    const response = await get('/repos/ada/shop/issues?per_page=3&page=2');
    const base = `${shop.github.apiUrl}/repos/ada/shop/issues?per_page=3&page=`;
    expect(((await response.json()) as { number: number }[]).map(({ number }) => number)).toEqual([4, 3, 2]);
    expect(response.headers.get('link')).toBe(
      `<${base}1>; rel="prev", <${base}3>; rel="next", <${base}3>; rel="last", <${base}1>; rel="first"`,
    );
  });

  it('carry no links when there is one page', async () => {
    expect((await get('/repos/ada/shop/issues')).headers.get('link')).toBeNull();
  });

  it('are 304, and free, when nothing has changed', async () => {
    const first = await get('/repos/ada/shop');
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/repos/ada/shop', { 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect(again.headers.get('x-ratelimit-remaining')).toBe(first.headers.get('x-ratelimit-remaining'));
    await shop.github.createIssue({ repo: shop.repo, title: 'One more' });
    expect((await get('/repos/ada/shop', { 'if-none-match': etag })).status).toBe(200);
  });

  it('count requests, and name each', async () => {
    const [first, second] = [await get('/repos/ada/shop/labels'), await get('/repos/ada/shop/labels')];
    const left = (response: Response): number => Number(response.headers.get('x-ratelimit-remaining'));
    expect(left(first) - left(second)).toBe(1);
    expect(first.headers.get('x-ratelimit-limit')).toBe('5000');
    expect(first.headers.get('x-github-request-id')).toMatch(/^[0-9A-F]{4}(:[0-9A-F]{4}){4}$/);
  });

  it('give a file as it is when asked for raw', async () => {
    const response = await get('/repos/ada/shop/contents/README.md', { accept: 'application/vnd.github.raw+json' });
    expect(await response.text()).toBe('# Shop\n');
  });

  it('refuse a body that is no JSON', async () => {
    const response = await fetch(`${shop.github.apiUrl}/repos/ada/shop/issues`, {
      method: 'POST',
      headers: { authorization: `token ${shop.github.tokenOf('ada')}` },
      body: '{',
    });
    expect([response.status, await response.json()]).toMatchObject([400, { message: 'Problems parsing JSON' }]);
  });

  it('refuse more than fifty annotations, and take fifty', async () => {
    const annotation = { path: 'a', start_line: 1, end_line: 1, annotation_level: 'failure', message: 'm' };
    const post = (count: number) => {
      const output = { title: 't', summary: 's', annotations: Array(count).fill(annotation) };
      return shop.octokit.request('POST /repos/{owner}/{repo}/check-runs', {
        ...shop.path,
        name: 'Inquest',
        head_sha: shop.sha.fix,
        output,
      } as never);
    };
    await expect(post(51)).rejects.toMatchObject({ status: 422 });
    const { data } = await post(50);
    expect(data).toMatchObject({ output: { annotations_count: 50 } });
  });

  it('refuse a comment of more than 65,536 characters', async () => {
    const post = (length: number) =>
      shop.octokit.request('POST /repos/ada/shop/issues/1/comments', { body: 'x'.repeat(length) });
    await expect(post(65_537)).rejects.toMatchObject({ status: 422 });
    expect((await post(65_536)).status).toBe(201);
  });

  it('are trouble when trouble is ordered, for as long as it is ordered', async () => {
    const { faults } = shop.github;
    faults.next({ match: { method: 'GET', path: '/repos/ada/shop' }, kind: 'secondary_limit', retryAfterSeconds: 7 });
    faults.next({ match: /labels$/, kind: 'bad_gateway', times: 2 });
    faults.next({ match: /issues$/, kind: 'rate_limited' });
    const limited = await get('/repos/ada/shop');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([403, '7']);
    expect(await limited.json()).toMatchObject({ message: expect.stringContaining('secondary rate limit') });
    expect((await get('/repos/ada/shop')).status).toBe(200);
    const labels = [1, 2, 3].map(async () => (await get('/repos/ada/shop/labels')).status);
    expect((await Promise.all(labels)).sort()).toEqual([200, 502, 502]);
    const slow = await get('/repos/ada/shop/issues');
    expect([slow.status, slow.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
  });

  it('never stray from the description', () => {
    expect(shop.check.mismatches).toEqual([]);
  });
});
