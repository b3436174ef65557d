import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sanitize } from '../support/github/pages/sanitize.ts';
import { openShop, type Shop } from './shop.ts';

describe('the HTML of a comment', () => {
  const clean = (html: string): string => sanitize(html, (text) => text);

  const CASES: readonly (readonly [string, string, string])[] = [
    ['scripts go, with what is inside', 'a<script>alert(1)</script>b', 'ab'],
    ['handlers go', '<img src="https://x/y.png" onerror="alert(1)">', '<img src="https://x/y.png">'],
    ['addresses that run go', '<a href="javascript:alert(1)">x</a>', '<a rel="nofollow">x</a>'],
    ['unknown tags go, their content stays', '<form><b>x</b></form>', '<b>x</b>'],
    ['comments go', 'a<!-- marker -->b', 'ab'],
    ['style and class go', '<p style="color:red" class="top">x</p>', '<p>x</p>'],
    ['what is open is closed', '<details><summary>x', '<details><summary>x</summary></details>'],
    ['what was never open is not closed', 'x</div></main>', 'x'],
    ['a lone angle bracket is text', '1 < 2', '1 &lt; 2'],
    ['details may be open', '<details open>x</details>', '<details open="">x</details>'],
  ];

  it.each(CASES)('%s', (_, html, expected) => {
    expect(clean(html)).toBe(expected);
  });

  it('never holds a tag that is not allowed, whatever goes in', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '<script',
        '</script>',
        '<!--',
        '-->',
        '"',
        "'",
        '<a href=',
        'javascript:',
        '<img src=x onerror=y>',
        '<svg/onload=z>',
        '/',
      ),
      fc.string(),
    );
    const property = fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const html = clean(pieces.join(''));
      expect(html).not.toMatch(/<(?:script|svg|style|iframe)/i);
      expect(html).not.toMatch(/<[^>]*\son\w+\s*=\s*[^"\s]/i);
      expect(html).not.toMatch(/<[^>]*(?:href|src)="\s*javascript:/i);
    });
    fc.assert(property, { seed: 7, numRuns: 300 });
  });
});

describe('pages', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await openShop();
    const { github, repo, sha } = shop;
    await github.createIssue({ repo, title: 'First <b>', body: 'See @ada and `@nobody`.' });
    await github.openPullRequest({ repo, head: 'fix', title: 'Fix', body: 'Fixes #1' });
    const body =
      '<details><summary>More</summary>\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n</details>\n<script>alert(1)</script>';
    await shop.octokit.request('POST /repos/ada/shop/issues/2/comments', { body });
    await shop.octokit.request('POST /repos/ada/shop/check-runs', {
      name: 'Inquest',
      head_sha: sha.fix,
      conclusion: 'neutral',
      output: {
        title: 'The code is wrong',
        summary: '**Proven**',
        annotations: [
          { path: 'src/price list.js', start_line: 1, end_line: 1, annotation_level: 'failure', message: '2 is not 1' },
        ],
      },
    });
  });
  afterAll(() => shop.close());

  const page = async (path: string): Promise<string> => (await fetch(`${shop.github.url}/ada/shop${path}`)).text();

  it('show a pull request, its comments by a bot, and its checks', async () => {
    const html = await page('/pull/2');
    expect(html).toContain('<span class="state open">Open</span>');
    expect(html).toContain('<strong>inquest</strong><span class="badge">bot</span>');
    expect(html).toContain('<details><summary>More</summary>');
    expect(html).toContain('<td>2</td>');
    expect(html).toContain('The code is wrong');
    expect(html).toContain('2 is not 1');
    expect(html).not.toContain('alert(1)');
  });

  it('link mentions and references, but not in code', async () => {
    const html = await page('/issues/1');
    expect(html).toContain('class="mention"');
    expect(html).toContain('<code>@nobody</code>');
    expect(html).toContain('First &lt;b&gt;');
    expect(await page('/pull/2')).toContain('/ada/shop/issues/1">#1</a>');
  });

  it('show a file at a commit, line by line', async () => {
    const html = await page(`/blob/${shop.sha.fix}/src/price%20list.js`);
    expect(html).toContain('<tr id="L1"><td class="n">1</td><td>export const price = 2;</td></tr>');
  });

  it.each(['/pulls', '/issues', '/pull/2/files', '/commit/fix'])('%s is there', async (path) => {
    const response = await fetch(`${shop.github.url}/ada/shop${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
