import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhooks } from '@octokit/webhooks';
import { openShop, type Shop } from './shop.ts';

describe('webhooks', () => {
  let shop: Shop;
  let server: Server;
  let url: string;
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 202;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      received.push({ headers: request.headers, body: await text(request) });
      response.writeHead(status).end('ok');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    shop = await openShop();
    shop.github.setWebhook(url);
  });
  afterAll(async () => {
    await shop.close();
    server.close();
    server.closeAllConnections();
  });

  it('are signed, and say what they are', async () => {
    await shop.github.createIssue({ repo: shop.repo, title: 'Häßlich ✓' });
    await shop.github.idle();
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(
      await new Webhooks({ secret: shop.github.app.webhookSecret }).verify(
        body,
        String(headers['x-hub-signature-256']),
      ),
    ).toBe(true);
    expect(headers).toMatchObject({
      'x-github-event': 'issues',
      'x-github-hook-installation-target-type': 'integration',
      'x-github-hook-installation-target-id': String(shop.github.app.id),
      'content-type': 'application/json',
    });
    expect(JSON.parse(body)).toMatchObject({ action: 'opened', installation: { id: shop.installation } });
  });

  it('come in the order in which things happened, as GitHub orders them', async () => {
    received.length = 0;
    const { done } = await shop.github.playWorkflow({
      repo: shop.repo,
      branch: 'fix',
      jobs: [{ name: 'test', conclusion: 'failure' }],
    });
    await done;
    await shop.github.idle();
    const names = received.map(({ headers, body }) => `${headers['x-github-event']}.${JSON.parse(body).action}`);
    expect(names).toEqual([
      'workflow_run.requested',
      'check_run.created',
      'workflow_job.queued',
      'workflow_run.in_progress',
      'workflow_job.in_progress',
      'check_run.completed',
      'workflow_job.completed',
      'check_suite.completed',
      'workflow_run.completed',
    ]);
  });

  it('keep their id when they are sent again', async () => {
    const delivery = shop.github.state.deliveries.at(-1);
    received.length = 0;
    await shop.github.redeliver(delivery?.id ?? 0);
    expect(received.map(({ headers, body }) => [headers['x-github-delivery'], body])).toEqual([
      [delivery?.guid, delivery?.body],
    ]);
    expect(delivery?.attempts.map((one) => one.status)).toEqual([202, 202]);
  });

  it('note what the app answered, and that nobody answered', async () => {
    status = 500;
    await shop.github.createIssue({ repo: shop.repo, title: 'Refused' });
    await shop.github.idle();
    status = 202;
    shop.github.setWebhook('http://127.0.0.1:1/');
    await shop.github.createIssue({ repo: shop.repo, title: 'Lost' });
    await shop.github.idle();
    shop.github.setWebhook(url);
    const [refused, lost] = shop.github.state.deliveries.slice(-2).map(({ attempts }) => attempts.at(-1));
    expect(refused).toMatchObject({ status: 500, error: null });
    expect(lost).toMatchObject({ status: null, error: expect.any(String) });
  });

  it('go to an app only for what it listens to', async () => {
    const other = await shop.github.createRepository({ owner: 'ada', name: 'quiet' });
    await shop.github.installApp(other, { permissions: { issues: 'read' }, events: ['issues'] });
    const before = shop.github.state.deliveries.length;
    const { number } = await shop.github.createIssue({ repo: other, title: 'Heard' });
    await shop.github.commentIssue({ repo: other, number, body: 'Not heard' });
    const heard = shop.github.state.deliveries.slice(before).map(({ event }) => event);
    expect(heard).toEqual(['issues']);
    expect(shop.check.mismatches).toEqual([]);
  });
});
