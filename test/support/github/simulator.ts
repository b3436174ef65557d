/** The simulator as tests and the demo use it: started, told what people do, looked into, closed. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { createCi } from './ci/schedule.ts';
import { createFaults, type Faults } from './faults.ts';
import { createGitHttp } from './git/http.ts';
import { GitRepository } from './git/repository.ts';
import type { Links } from './links.ts';
import type { Account, AppIdentity, Repository } from './model.ts';
import { createSite } from './pages/site.ts';
import { type People, peopleOf } from './people.ts';
import { createApi } from './rest/api.ts';
import { createDownloads } from './rest/downloads.ts';
import type { Simulation } from './simulation.ts';
import { type PayloadCheck, Webhooks } from './webhooks/webhooks.ts';
import { World } from './world.ts';

export interface GithubOptions {
  /** Milliseconds since the epoch. Default: the machine's clock. */
  readonly clock?: () => number;
  /** Default: any free one. */
  readonly port?: number;
  readonly webhook?: { readonly url: string; readonly secret: string };
  /** Where repositories lie. Default: a temporary folder, removed at the end. */
  readonly rootDir?: string;
  /** Looks at every answer of the API and every payload; see `openapi/check.ts`. */
  readonly check?: { readonly middleware: MiddlewareHandler; readonly payload: PayloadCheck };
}

export interface GithubSimulator extends People {
  /** Origin of pages and git. */
  readonly url: string;
  /** Octokit's `baseUrl`. */
  readonly apiUrl: string;
  readonly app: {
    readonly id: number;
    readonly slug: string;
    /** PEM. */
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  readonly faults: Faults;
  /** Everything there is, for looking at. */
  readonly state: World & { readonly deliveries: Webhooks['deliveries'] };
  setWebhook(url: string | null): void;
  /** Sends a delivery again, under the same id. */
  redeliver(deliveryId: number): Promise<void>;
  /** Resolves when no CI run is under way and every webhook is delivered. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const DEFAULT_SECRET = 'a secret that only GitHub and the app know';

export async function startGithub(options: GithubOptions = {}): Promise<GithubSimulator> {
  const rootDir = options.rootDir ?? (await mkdtemp(join(tmpdir(), 'github-simulator-')));
  const world = new World(options.clock ?? Date.now);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const site = new Hono();
  const downloads = createDownloads(world.now, () => links.storage);
  const [main, storage] = [await listen(site, options.port ?? 0), await listen(downloads.app, 0)];
  const links: Links = { site: originOf(main), api: `${originOf(main)}/api/v3`, storage: originOf(storage) };
  const secret = options.webhook?.secret ?? DEFAULT_SECRET;
  const settings = { url: options.webhook?.url ?? null, secret };
  const webhooks = new Webhooks(world, links, settings, options.check?.payload ?? null);
  const app = inquestApp(world);
  const repositories = new Map<Repository, GitRepository>();
  const sim: Simulation = {
    world,
    links,
    app,
    publicKey,
    actions: world.app('github-actions', 'GitHub Actions'),
    git: (repository) => {
      const known = repositories.get(repository) ?? new GitRepository(repository.gitDir);
      repositories.set(repository, known);
      return known;
    },
    webhooks,
    ci: createCi(() => sim),
    faults: createFaults(),
    downloads,
    rootDir,
  };
  site.route('/api/v3', createApi(sim, options.check ? [options.check.middleware] : []));
  site.route('/', createGitHttp(sim));
  site.route('/', createSite(sim));

  const idle = async (): Promise<void> => {
    await sim.ci.idle();
    await webhooks.idle();
  };
  return {
    ...peopleOf(sim),
    url: links.site,
    apiUrl: links.api,
    app: {
      id: app.id,
      slug: app.slug,
      privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      webhookSecret: secret,
    },
    faults: sim.faults,
    state: Object.assign(world, { deliveries: webhooks.deliveries }),
    setWebhook: (url) => {
      settings.url = url;
    },
    redeliver: (id) => webhooks.redeliver(id),
    idle,
    close: async () => {
      await sim.ci.close();
      await webhooks.close();
      await Promise.all([shut(main), shut(storage)]);
      if (options.rootDir === undefined) await rm(rootDir, { recursive: true, force: true });
    },
  };
}

function inquestApp(world: World): AppIdentity {
  const owner: Account = world.account('inquest-operators', 'Organization');
  const bot = world.account('inquest[bot]', 'Bot');
  const app = { id: world.nextId(), slug: 'inquest', name: 'Inquest', owner, bot, permissions: {}, events: [] };
  world.apps.push(app);
  return app;
}

async function listen(app: Hono, port: number): Promise<Server> {
  const server = createServer(getRequestListener(app.fetch));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function shut(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
