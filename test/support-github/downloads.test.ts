import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as yauzl from 'yauzl';
import { openShop, type Shop } from './shop.ts';

describe('logs and artifacts', () => {
  let shop: Shop;
  let run: { id: number; jobIds: number[] };

  beforeAll(async () => {
    shop = await openShop();
    const played = await shop.github.playWorkflow({
      repo: shop.repo,
      branch: 'fix',
      jobs: [
        { name: 'unit', conclusion: 'failure', log: 'not ok 1 - adds\n' },
        { name: 'lint', conclusion: 'success', log: 'fine\n' },
      ],
      artifacts: { reports: { 'junit/one.xml': '<testsuites/>', 'note.txt': 'hello' } },
    });
    await played.done;
    run = played;
  });
  afterAll(() => shop.close());

  const authorization = (): string => `token ${shop.github.tokenOf('ada')}`;
  const ask = (path: string): Promise<Response> =>
    fetch(`${shop.github.apiUrl}/repos/ada/shop/actions${path}`, {
      headers: { authorization: authorization() },
      redirect: 'manual',
    });

  it('are elsewhere: at an address that needs no credentials, and takes none', async () => {
    const redirect = await ask(`/jobs/${run.jobIds[0]}/logs`);
    const location = redirect.headers.get('location') ?? '';
    expect(redirect.status).toBe(302);
    expect(new URL(location).origin).not.toBe(shop.github.url);
    const withCredentials = await fetch(location, { headers: { authorization: authorization() } });
    expect(withCredentials.status).toBe(400);
    expect(await (await fetch(location)).text()).toBe('not ok 1 - adds\n');
  });

  it('are given out once by one address', async () => {
    const location = (await ask(`/jobs/${run.jobIds[0]}/logs`)).headers.get('location') ?? '';
    expect((await fetch(location)).status).toBe(200);
    expect((await fetch(location)).status).toBe(403);
  });

  it('reach a client that follows on its own', async () => {
    const route = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
    const { data } = await shop.octokit.request(route, { ...shop.path, job_id: run.jobIds[0] ?? 0 });
    expect(data).toBe('not ok 1 - adds\n');
  });

  it('come as an archive of the whole run', async () => {
    const files = await unzip(await ask(`/runs/${run.id}/logs`));
    expect(files).toEqual({ '0_unit.txt': 'not ok 1 - adds\n', '1_lint.txt': 'fine\n' });
  });

  it('come as an archive of what was uploaded', async () => {
    const list = (await (await ask(`/runs/${run.id}/artifacts`)).json()) as { artifacts: { id: number }[] };
    const files = await unzip(await ask(`/artifacts/${list.artifacts[0]?.id}/zip`));
    expect(files).toEqual({ 'junit/one.xml': '<testsuites/>', 'note.txt': 'hello' });
  });

  it('are gone when they have expired', async () => {
    shop.github.expireLogs(run.id);
    expect((await ask(`/jobs/${run.jobIds[0]}/logs`)).status).toBe(410);
    expect((await ask(`/runs/${run.id}/logs`)).status).toBe(410);
    expect(shop.check.mismatches).toEqual([]);
  });
});

async function unzip(redirect: Response): Promise<Record<string, string>> {
  const response = await fetch(redirect.headers.get('location') ?? '');
  const archive = await yauzl.fromBufferPromise(Buffer.from(await response.arrayBuffer()));
  const files: Record<string, string> = {};
  for await (const entry of archive.eachEntry()) {
    files[entry.fileName] = await text(await archive.openReadStreamPromise(entry));
  }
  return files;
}
