/** What GitHub does around every API request: headers, credentials, limits, conditional answers, and ordered trouble. */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import { authenticate } from '../auth/authenticate.ts';
import type { FaultOrder } from '../faults.ts';
import type { Simulation } from '../simulation.ts';
import type { ApiContext, Caller, Env } from './context.ts';
import { GithubError } from './errors.ts';

type Middleware = MiddlewareHandler<Env>;

/** Requests an hour, as for an installation on a personal account. */
const HOURLY = 5000;
const HOURLY_ANONYMOUS = 60;
const HOUR = 3_600_000;

export function standardHeaders(sim: Simulation): Middleware {
  return async (c, next) => {
    await next();
    const id = Array.from({ length: 5 }, () => randomBytes(2).toString('hex').toUpperCase());
    c.header('x-github-request-id', id.join(':'));
    c.header('x-github-media-type', 'github.v3; format=json');
    c.header('x-github-api-version-selected', c.req.header('x-github-api-version') ?? '2022-11-28');
    c.header('server', 'github.com');
    c.header('date', new Date(sim.world.now()).toUTCString());
  };
}

const ANSWERS: Readonly<Record<Exclude<FaultOrder['kind'], 'slow'>, (order: FaultOrder) => Response>> = {
  secondary_limit: (order) =>
    json(403, 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.', {
      'retry-after': String(order.retryAfterSeconds ?? 1),
    }),
  rate_limited: (order) =>
    json(429, 'API rate limit exceeded for installation.', {
      'retry-after': String(order.retryAfterSeconds ?? 1),
      'x-ratelimit-remaining': '0',
    }),
  bad_gateway: () => new Response('<html><body><h1>502 Bad Gateway</h1></body></html>', { status: 502 }),
};

function json(status: 403 | 429, message: string, headers: Record<string, string>): Response {
  return Response.json(new GithubError(status, message).body, { status, headers });
}

export function orderedFaults(sim: Simulation): Middleware {
  return async (c, next) => {
    const order = sim.faults.take(c.req.method, c.req.path.replace(/^\/api\/v3/, ''));
    if (order === null) return await next();
    if (order.kind !== 'slow') return ANSWERS[order.kind](order);
    await pause(order.delayMs ?? 1000);
    await next();
  };
}

export function credentials(sim: Simulation): Middleware {
  return async (c, next) => {
    c.set('caller', authenticate(sim, c.req.header('authorization')));
    await next();
  };
}

/** Counts requests by credential. A 304 is free. */
export function rateLimit(sim: Simulation): Middleware {
  const used = new Map<string, { count: number; reset: number }>();
  return async (c, next) => {
    const key = c.req.header('authorization') ?? 'anonymous';
    const limit = limitOf(c.get('caller'));
    const now = sim.world.now();
    const known = used.get(key);
    const window = known && known.reset > now ? known : { count: 0, reset: now + HOUR };
    used.set(key, window);
    window.count += 1;
    if (window.count > limit) limitHeaders(c, limit, window, new GithubError(403, 'API rate limit exceeded'));
    await next();
    if (c.res.status === 304) window.count -= 1;
    limitHeaders(c, limit, window, null);
  };
}

function limitOf(caller: Caller): number {
  return caller.kind === 'anonymous' ? HOURLY_ANONYMOUS : HOURLY;
}

function limitHeaders(
  c: ApiContext,
  limit: number,
  window: { count: number; reset: number },
  refusal: GithubError | null,
): void {
  c.header('x-ratelimit-limit', String(limit));
  c.header('x-ratelimit-remaining', String(Math.max(0, limit - window.count)));
  c.header('x-ratelimit-used', String(window.count));
  c.header('x-ratelimit-reset', String(Math.ceil(window.reset / 1000)));
  c.header('x-ratelimit-resource', 'core');
  if (refusal) throw refusal;
}

/** A weak ETag over the body of each successful GET, and 304 when the client has it already. */
export const conditional: Middleware = async (c, next) => {
  await next();
  if (c.req.method !== 'GET' || c.res.status !== 200) return;
  const bytes = new Uint8Array(await c.res.clone().arrayBuffer());
  const etag = `W/"${createHash('sha256').update(bytes).digest('hex')}"`;
  const sent = c.req.header('if-none-match')?.split(',') ?? [];
  if (sent.some((one) => one.trim().replace(/^W\//, '') === etag.slice(2))) {
    c.res = new Response(null, { status: 304, headers: c.res.headers });
    c.res.headers.delete('content-type');
  }
  c.header('etag', etag);
  c.header('cache-control', 'private, max-age=60, s-maxage=60');
};
