/** The process's HTTP server: webhooks by Probot, health, and whatever else is handed in. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Probot, ProbotOctokit } from 'probot';
import { InquestError } from '../../errors.ts';

/** Answers the request and returns true, or returns false and leaves it to the next one. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

export interface ServerOptions {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  /** Secret of the webhook: unsigned requests are refused. */
  readonly secret: string;
  readonly apiUrl: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  readonly app: (probot: Probot) => void;
  readonly logger: Logger;
  /** True when a webhook can be accepted now: the store and the queue answer. Default: always. */
  readonly ready?: () => Promise<boolean>;
  /** Further pages, asked in order. */
  readonly handlers?: readonly Handler[];
}

export interface RunningServer {
  /** `http://host:port`. */
  readonly url: string;
  readonly port: number;
  /** Takes no new request, lets the running ones end for at most `graceMs` (default 10,000), then closes all connections. */
  close(graceMs?: number): Promise<void>;
}

export const WEBHOOK_PATH = '/api/github/webhooks';
/** GitHub sends payloads of up to 25 MB. */
const BODY_BYTES = 25 * 1024 * 1024;

/** Starts listening. Throws `CONFIG_INVALID` when the address cannot be had. */
export async function createServer(options: ServerOptions): Promise<RunningServer> {
  const handlers: readonly Handler[] = [
    healthHandler(options.ready ?? (async () => true)),
    await webhookHandler(options),
    ...(options.handlers ?? []),
    notFound,
  ];
  const server = createHttpServer({ requestTimeout: 60_000 }, (request, response) => {
    void answer(handlers, request, response, options.logger);
  });
  const port = await listen(server, options);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { url: `http://${host}:${port}`, port, close: (graceMs = 10_000) => close(server, graceMs) };
}

async function webhookHandler(options: ServerOptions): Promise<Handler> {
  const { appId, privateKey, secret, apiUrl, logger } = options;
  const probot = new Probot({
    appId,
    privateKey,
    secret,
    baseUrl: apiUrl,
    log: logger,
    webhookPath: WEBHOOK_PATH,
    Octokit: ProbotOctokit.defaults({ authStrategy: oneForAll }),
  });
  await probot.load(options.app);
  const middleware = await probot.getNodeMiddleware();
  return (request, response) => {
    if (!request.url?.startsWith(WEBHOOK_PATH)) return false;
    return isTooLong(request, response) || middleware(request, response);
  };
}

/**
 * Probot makes a client for each event before it calls the handler. Inquest's handlers call nobody (jobs do), so all
 * events share one client, without credentials: that is most of the time an acknowledgement takes.
 */
function oneForAll({ octokit }: { octokit: ProbotOctokit }) {
  const auth = async () => octokit;
  return Object.assign(auth, {
    hook: (request: (options: object) => Promise<unknown>, options: object) => request(options),
  });
}

async function answer(
  handlers: readonly Handler[],
  request: IncomingMessage,
  response: ServerResponse,
  logger: Logger,
): Promise<void> {
  try {
    for (const handler of handlers) if (await handler(request, response)) return;
  } catch (error) {
    logger.error({ err: error, url: request.url }, 'Request failed');
    if (!response.headersSent) send(response, 500, 'Internal error\n');
  }
}

function healthHandler(ready: () => Promise<boolean>): Handler {
  return async ({ method, url }, response) => {
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (url === '/healthz') return send(response, 200, 'ok\n');
    if (url !== '/readyz') return false;
    return (await ready()) ? send(response, 200, 'ready\n') : send(response, 503, 'not ready\n');
  };
}

/** Nobody can fill the memory with a body before its signature is looked at: longer ones are cut off. */
function isTooLong(request: IncomingMessage, response: ServerResponse): boolean {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES) {
    response.once('finish', () => request.destroy());
    return send(response, 413, `Bodies of up to ${BODY_BYTES} bytes are taken\n`);
  }
  let seen = 0;
  request.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen > BODY_BYTES) request.destroy();
  });
  return false;
}

const notFound: Handler = (_request, response) => send(response, 404, 'Not found\n');

function send(response: ServerResponse, status: number, text: string): true {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
  return true;
}

function listen(server: Server, { port, host, logger }: ServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new InquestError('CONFIG_INVALID', `Cannot listen on ${host}:${port}: ${cause.message}.`, {
          hint: 'Set PORT and HOST to an address of this machine that is free.',
          cause,
        }),
      );
    });
    server.listen({ port, host }, () => {
      const { port: taken } = server.address() as AddressInfo;
      logger.info({ host, port: taken }, 'Listening');
      resolve(taken);
    });
  });
}

async function close(server: Server, graceMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await ended;
  clearTimeout(timer);
}
