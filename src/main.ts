/** The composition root: the only place that picks adapters. Run as a program it reads the environment and serves. */
import { existsSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { withCallContext } from './adapters/github/call-context.ts';
import { createForge } from './adapters/github/forge.ts';
import { DEFAULT_LIMITS } from './adapters/github/limits.ts';
import { createAppOctokit } from './adapters/github/octokit.ts';
import { createServer, type RunningServer } from './adapters/github/probot-server.ts';
import { createBullmqQueue } from './adapters/queue/bullmq.ts';
import { createInProcessQueue } from './adapters/queue/in-process.ts';
import { createSandbox } from './adapters/sandbox/choose.ts';
import { openStore } from './adapters/store/open-store.ts';
import { createWorkspaces, type ManagedWorkspaces } from './adapters/workspace/workspaces.ts';
import { createBuiltinDebugger } from './agents/builtin/debugger.ts';
import { createApp } from './app.ts';
import { parseServiceConfig, type ServiceConfig } from './config/service.ts';
import { InquestError } from './errors.ts';
import { createJobHandler } from './jobs/handler.ts';
import type { JobParts } from './jobs/parts.ts';
import { resume } from './jobs/resume.ts';
import { webUrlOf } from './pipeline/comment/permalink.ts';
import { handlerOf } from './pipeline/states/registry.ts';
import type { Clock } from './ports/clock.ts';
import type { JobHandler, Queue } from './ports/queue.ts';
import type { Store } from './ports/store.ts';

/** About four minutes of retries: a short outage of GitHub costs no report. */
const RETRIES = { attempts: 8, backoffMs: 2000 };
const POLL_MS = 15_000;
const SWEEP_MS = 60_000;

export interface Inquest {
  /** Null for a worker, which takes no webhooks. */
  readonly server: RunningServer | null;
  readonly store: Store;
  readonly queue: Queue;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  /** How soon to look again at checks that are not complete, in milliseconds. Default 15,000. */
  readonly pollMs?: number;
  /** With Redis: how long a worker may be silent before its jobs are given to another, in milliseconds. Default 30,000. */
  readonly lockMs?: number;
}

/** Starts what the configured role asks for. Throws `CONFIG_INVALID`, `SANDBOX_UNAVAILABLE`, `STORE_FAILED`, `GITHUB_REFUSED`. */
export async function startInquest(config: ServiceConfig, options: StartOptions): Promise<Inquest> {
  const { logger, clock } = options;
  const credentials = requireCredentials(config);
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 });
  const store = await openStore({ databaseUrl: config.database_url ?? null, dataDir: config.data_dir, clock });
  await store.migrate();
  const queue = createQueue(config, options);
  const octokit = createAppOctokit({ ...credentials, apiUrl: config.github_api_url, logger });
  const { slug } = await octokit.identity();
  const workspaces = createWorkspaces({ dir: join(config.data_dir, 'workspaces'), clock, logger });
  const parts: JobParts = {
    store,
    queue,
    clock,
    logger,
    max_wait_ms: config.wait_seconds * 1000,
    poll_ms: options.pollMs ?? POLL_MS,
    handlerOf,
    states: {
      forge: createForge({
        octokitFor: (id) => octokit.octokitFor(id),
        appSlug: slug,
        appId: credentials.appId,
        limits: DEFAULT_LIMITS,
        logger,
      }),
      workspaces,
      sandbox: (choice) => createSandbox(config, choice),
      debugger: createBuiltinDebugger(),
      clock,
      web_url: webUrlOf(config.github_api_url),
    },
  };
  const server = config.role === 'worker' ? null : await serve(config, parts, { ...credentials, slug });
  const stopSweeping = config.role === 'app' ? () => {} : await work(config, parts, workspaces);
  return {
    server,
    store,
    queue,
    async close() {
      stopSweeping();
      await server?.close();
      await queue.close();
      await store.close();
    },
  };
}

function requireCredentials(config: ServiceConfig): { appId: number; privateKey: string; secret: string } {
  const { app_id: appId, private_key, webhook_secret: secret } = config;
  if (appId === undefined || private_key === undefined || secret === undefined) {
    throw new InquestError(
      'CONFIG_INVALID',
      'environment: APP_ID, PRIVATE_KEY (or PRIVATE_KEY_PATH) and WEBHOOK_SECRET are required.',
      {
        hint: 'docs/install.md shows how to get them from GitHub in five minutes; `npm run demo` needs none.',
      },
    );
  }
  return { appId, privateKey: private_key, secret };
}

function createQueue(config: ServiceConfig, { clock, logger, lockMs }: StartOptions): Queue {
  const { concurrency, redis_url: redisUrl } = config;
  if (redisUrl === undefined) return createInProcessQueue({ clock, concurrency, logger, ...RETRIES });
  const lock = lockMs === undefined ? {} : { lockMs };
  return createBullmqQueue({ redisUrl, prefix: 'inquest', concurrency, logger, ...RETRIES, ...lock });
}

function serve(
  config: ServiceConfig,
  parts: JobParts,
  app: { appId: number; privateKey: string; secret: string; slug: string },
) {
  const { store, queue, logger } = parts;
  return createServer({
    appId: app.appId,
    privateKey: app.privateKey,
    secret: app.secret,
    apiUrl: config.github_api_url,
    host: config.host,
    port: config.port,
    logger,
    app: createApp({ store, queue, appId: app.appId, appSlug: app.slug, debounceMs: config.debounce_ms, logger }),
    ready: async () => {
      await store.findRuns({ limit: 1 });
      return true;
    },
  });
}

/** A worker that could not run a single test must not start: it would call every failure unreproducible. */
async function work(config: ServiceConfig, parts: JobParts, workspaces: ManagedWorkspaces): Promise<() => void> {
  await createSandbox(config).check();
  const unfinished = await parts.store.findRuns({ has_scheduled_visit: true });
  const removed = await workspaces.collect(new Set(unfinished.map((run) => run.run_id)));
  const handler = createJobHandler(parts);
  const withContext: JobHandler = {
    handle: (job, signal) => {
      const deliveryId = job.kind === 'delivery' ? job.delivery_id : undefined;
      return withCallContext({ ...(deliveryId === undefined ? {} : { deliveryId }), signal }, () =>
        handler.handle(job, signal),
      );
    },
    failed: (job, error) => handler.failed(job, error),
  };
  const resumed = await resume(parts);
  parts.logger.info({ resumed, removed_workspaces: removed.length, role: config.role }, 'working');
  await parts.queue.work(withContext);
  return sweepRegularly(parts, workspaces);
}

/**
 * Takes up what was lost between a commit and its job, what a dead worker left, and what had to wait longer than the
 * queue's retries. Job ids make it harmless for everything that is under way.
 */
function sweepRegularly(parts: JobParts, workspaces: ManagedWorkspaces): () => void {
  const sweep = async () => {
    await resume(parts);
    const unfinished = await parts.store.findRuns({ has_scheduled_visit: true });
    await workspaces.collect(new Set(unfinished.map((run) => run.run_id)));
  };
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => parts.logger.warn({ err: error }, 'sweep failed; the next one tries again'));
  }, SWEEP_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Serves until SIGTERM or SIGINT; then lets running work end. A file `.env` fills in what the environment lacks. */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = parseServiceConfig(process.env);
  const logger = pino({ level: config.log_level });
  const inquest = await startInquest(config, { logger, clock: { now: () => Date.now() } });
  const stop = (signal: NodeJS.Signals) => {
    logger.info({ signal }, 'stopping');
    inquest.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** A user's mistake is told in words; only a defect shows its stack. */
function fail(thrown: unknown): never {
  if (!(thrown instanceof InquestError)) throw thrown;
  process.stderr.write(`inquest: ${thrown.message}\n${thrown.hint === null ? '' : `${thrown.hint}\n`}`);
  process.exit(2);
}

const isProgram = process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isProgram) await main().catch(fail);
