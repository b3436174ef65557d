import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { z } from 'zod';
import { createServer, type RunningServer } from '../src/adapters/github/probot-server.ts';
import { createInProcessQueue } from '../src/adapters/queue/in-process.ts';
import { openStore } from '../src/adapters/store/open-store.ts';
import { createApp } from '../src/app.ts';
import type { Job, Queue } from '../src/ports/queue.ts';
import type { Store } from '../src/ports/store.ts';
import {
  checkRunPayload,
  checkSuitePayload,
  commentPayload,
  labeledPayload,
  SHA,
  sendWebhook,
} from './adapters/github/webhooks.ts';

const SECRET = 'a secret of this test';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const clock = { now: () => Date.now() };

let folder: string;
let store: Store;
let queue: Queue;
let server: RunningServer;
let jobs: Job[];
let lines: Record<string, unknown>[];
let ready: boolean;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inquest-app-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  jobs = [];
  lines = [];
  ready = true;
  store = await openStore({ databaseUrl: null, dataDir: join(folder, randomUUID()), clock });
  await store.migrate();
  queue = createInProcessQueue({ clock, concurrency: 4, attempts: 1, backoffMs: 1 });
  await queue.work({ handle: async (job) => void jobs.push(job), failed: async () => {} });
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  server = await createServer({
    appId: 77,
    privateKey,
    secret: SECRET,
    apiUrl: 'http://127.0.0.1:9',
    port: 0,
    host: '127.0.0.1',
    app: createApp({ store, queue, appId: 77, appSlug: 'inquest', debounceMs: 1 }),
    logger,
    ready: async () => ready,
  });
});
afterEach(async () => {
  await server.close(0);
  await queue.close(0);
  await store.close();
});

function send(event: string, payload: unknown, delivery: string = randomUUID()): Promise<Response> {
  return sendWebhook({ url: server.url, secret: SECRET, event, delivery, payload });
}

describe('A relevant webhook', () => {
  it('is stored, queued once and answered with 200', async () => {
    const answer = await send('check_run', checkRunPayload(), 'd-1');
    expect(answer.status).toBe(200);
    await queue.idle();
    expect(jobs).toEqual([{ kind: 'delivery', id: 'delivery:d-1', delivery_id: 'd-1' }]);
    expect(await store.findDelivery('d-1')).toMatchObject({
      event: 'check_run.completed',
      command: { kind: 'checks_failed', head_sha: SHA },
    });
  });

  it('changes nothing when it is delivered again', async () => {
    await send('check_run', checkRunPayload(), 'd-1');
    await queue.idle();
    await store.finishDelivery('d-1');
    expect((await send('check_run', checkRunPayload(), 'd-1')).status).toBe(200);
    await queue.idle();
    expect(jobs).toHaveLength(1);
  });

  it('is queued when it is delivered again, if the queue did not take it the first time', async () => {
    const command = { kind: 'checks_failed', repo: {}, head_sha: SHA };
    await store.acceptDelivery({ delivery_id: 'd-1', event: 'check_run.completed', command });
    expect((await send('check_run', checkRunPayload(), 'd-1')).status).toBe(200);
    await queue.idle();
    expect(jobs).toEqual([{ kind: 'delivery', id: 'delivery:d-1', delivery_id: 'd-1' }]);
  });

  it('has its delivery id on every line that is logged about it', async () => {
    await send('issues', labeledPayload('inquest:debug'), 'd-7');
    const accepted = lines.filter((line) => line.msg === 'Webhook accepted');
    expect(accepted).toMatchObject([{ delivery_id: 'd-7', command: 'debug_issue', event: 'issues.labeled' }]);
  });
});

describe('A webhook that cannot be stored', () => {
  it('is answered with an error, so that GitHub shows it and can send it again', async () => {
    await store.close();
    expect((await send('check_run', checkRunPayload())).status).toBe(500);
    store = await openStore({ databaseUrl: null, dataDir: join(folder, randomUUID()), clock });
  });
});

describe('A webhook that asks for nothing', () => {
  it.each([
    ['a check of Inquest itself', 'check_run', checkRunPayload({ app: { id: 77, slug: 'inquest' } })],
    [
      'a comment of Inquest itself',
      'issue_comment',
      commentPayload('/inquest debug', { performed_via_github_app: { id: 77 } }),
    ],
    ['an event without subscription', 'star', { action: 'created' }],
  ])('does not reach the store: %s', async (_what, event, payload) => {
    expect((await send(event, payload)).status).toBe(200);
    await queue.idle();
    expect(jobs).toEqual([]);
    expect(await store.unfinishedDeliveries()).toEqual([]);
  });

  it('is acknowledged and logged when its payload is not understood', async () => {
    expect((await send('check_run', { action: 'completed' }, 'd-odd')).status).toBe(200);
    expect(lines.filter((line) => line.delivery_id === 'd-odd')).toMatchObject([{ level: 40, event: 'check_run' }]);
  });
});

describe('A check that ended well', () => {
  const payload = checkSuitePayload({ conclusion: 'success' });

  it('is dropped when nothing waits for its commit', async () => {
    await send('check_suite', payload);
    await queue.idle();
    expect(jobs).toEqual([]);
  });

  it('is queued when a run waits for the checks of its commit', async () => {
    await store.awaitChecks({ installation_id: 7, repo_id: 42, owner: 'acme', name: 'shop', head_sha: SHA, since: 1 });
    await send('check_suite', payload);
    await queue.idle();
    expect(jobs).toHaveLength(1);
  });
});

describe('A webhook without the right signature', () => {
  it('is refused', async () => {
    const forged = {
      url: server.url,
      secret: 'guessed',
      event: 'check_run',
      delivery: 'd-1',
      payload: checkRunPayload(),
    };
    expect((await sendWebhook(forged)).status).toBe(400);
    await queue.idle();
    expect(jobs).toEqual([]);
  });

  it('is refused before its body is read when it is larger than GitHub ever sends', async () => {
    const body = Buffer.alloc(25 * 1024 * 1024 + 1, 0x20);
    const answer = await fetch(`${server.url}/api/github/webhooks`, { method: 'POST', body }).catch(() => null);
    expect([413, undefined]).toContain(answer?.status);
  });
});

describe('Health', () => {
  it('/healthz says that the process is up', async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it('/readyz says whether a webhook can be accepted', async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    ready = false;
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  });

  it('answers 404 to what it does not know', async () => {
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404);
  });
});

const examplesSchema = z.array(z.object({ name: z.string(), examples: z.array(z.looseObject({})) }));
const examplesDir = join(import.meta.dirname, '../node_modules/@octokit/webhooks-examples');
const sources = readdirSync(examplesDir).filter((name) => name.includes('github') || name.startsWith('ghes'));

describe('Every example payload that GitHub has published', () => {
  it.each(sources)('is answered with 200, and only failures start a run: %s', async (source) => {
    const read = examplesSchema.parse(JSON.parse(readFileSync(join(examplesDir, source, 'index.json'), 'utf8')));
    const examples = read.flatMap(({ name, examples: payloads }) => payloads.map((payload) => ({ name, payload })));
    const answers = await Promise.all(
      examples.map(({ name, payload }) => send(name, { ...payload, installation: { id: 7 } })),
    );
    expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    await queue.idle();
    const commands = await Promise.all(
      jobs.map(async (job) => (job.kind === 'delivery' ? (await store.findDelivery(job.delivery_id))?.command : null)),
    );
    const starting = commands.filter((command) => JSON.stringify(command).includes('"checks_failed"'));
    const failing = examples.filter(({ payload }) => startsRun(payload));
    expect(starting).toHaveLength(failing.length);
    expect(lines.filter((line) => Number(line.level) >= 40)).toEqual([]);
  });
});

const startingSchema = z.object({
  action: z.literal('completed'),
  check_run: z.object({ conclusion: z.literal('failure') }),
});

/** Among the published examples only a check run ever fails. */
function startsRun(payload: unknown): boolean {
  return startingSchema.safeParse(payload).success;
}
