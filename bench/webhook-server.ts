/** One of the two servers that `bench/webhook.ts` compares, as a process of its own: `bare` or `inquest`. */

import { mkdtemp } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Probot } from 'probot';
import { createServer } from '../src/adapters/github/probot-server.ts';
import { createInProcessQueue } from '../src/adapters/queue/in-process.ts';
import { openStore } from '../src/adapters/store/open-store.ts';
import { createApp } from '../src/app.ts';

const [kind, privateKey = '', secret = ''] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const common = { appId: 1, privateKey, secret, log: logger };

async function bare(): Promise<number> {
  const probot = new Probot({ ...common, webhookPath: '/api/github/webhooks' });
  await probot.load((app) => {
    app.on('check_run.completed', async () => {});
  });
  const middleware = await probot.getNodeMiddleware();
  const server = createHttpServer((request, response) => void middleware(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** As the `app` role: accept, store durably, enqueue; the jobs are a worker's. */
async function inquest(): Promise<number> {
  const clock = { now: () => Date.now() };
  const store = await openStore({ databaseUrl: null, dataDir: await mkdtemp(join(tmpdir(), 'inquest-bench-')), clock });
  await store.migrate();
  const queue = createInProcessQueue({ clock, concurrency: 1, attempts: 1, backoffMs: 1 });
  const app = createApp({ store, queue, appId: 1, appSlug: 'inquest', debounceMs: 2000, logger });
  const { port } = await createServer({
    ...common,
    apiUrl: 'http://127.0.0.1:9',
    host: '127.0.0.1',
    port: 0,
    app,
    logger,
  });
  return port;
}

process.send?.({ port: kind === 'bare' ? await bare() : await inquest() });
process.once('disconnect', () => process.exit(0));
