/** One authenticated Octokit per installation of the App. */
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import type { Logger } from 'pino';
import { z } from 'zod';
import { callContext, callSignal } from './call-context.ts';
import { conditional } from './etag.ts';
import { asking } from './github-error.ts';
import { DEFAULT_RETRY, type RetryPolicy, retrying } from './retry.ts';

const Paginating = Octokit.plugin(paginateRest);
/** Octokit as the adapter uses it. */
export type GitHubClient = InstanceType<typeof Paginating>;

export interface AppCredentials {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  /** `https://api.github.com`, or that of a GitHub Enterprise Server. */
  readonly apiUrl: string;
  readonly logger: Logger;
  readonly retry?: Partial<RetryPolicy>;
  /** Time until an answer must be complete, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
}

export interface AppOctokit {
  /** The client of an installation; made once. Its tokens are fetched when needed and kept until they expire. */
  octokitFor(installationId: number): Promise<GitHubClient>;
  /** The App as GitHub knows it: its slug is the name of its bot. */
  identity(): Promise<{ slug: string; name: string }>;
}

/** Clients of one App. Nothing is asked of GitHub here. */
export function createAppOctokit(credentials: AppCredentials): AppOctokit {
  const clients = new Map<number, GitHubClient>();
  const client = (installationId: number | null) => createClient(credentials, installationId);
  return {
    async octokitFor(installationId) {
      const known = clients.get(installationId);
      if (known) return known;
      const made = client(installationId);
      clients.set(installationId, made);
      return made;
    },
    async identity() {
      return asking('read what GitHub knows of this App', async () => {
        const { data } = await client(null).request('GET /app');
        return z.object({ slug: z.string(), name: z.string() }).parse(data);
      });
    },
  };
}

function createClient(credentials: AppCredentials, installationId: number | null): GitHubClient {
  const timeoutMs = credentials.timeoutMs ?? 30_000;
  const log = credentials.logger.child({ name: 'github', installation_id: installationId });
  const octokit = new Paginating({
    authStrategy: createAppAuth,
    auth: {
      appId: credentials.appId,
      privateKey: credentials.privateKey,
      ...(installationId === null ? {} : { installationId }),
    },
    baseUrl: credentials.apiUrl,
    userAgent: 'inquest',
    log: {
      debug: (message: string) => log.debug(message),
      info: (message: string) => log.info(message),
      warn: (message: string) => log.warn({ delivery_id: callContext().deliveryId }, message),
      error: (message: string) => log.error({ delivery_id: callContext().deliveryId }, message),
    },
    request: {
      fetch: (url: string, init: RequestInit) => fetchWhole(url, { ...init, signal: callSignal(timeoutMs) }),
    },
  });
  octokit.hook.before('request', (options) => {
    const { deliveryId } = callContext();
    if (deliveryId !== undefined) options.headers['x-github-delivery'] = deliveryId;
  });
  conditional(octokit);
  retrying({ ...DEFAULT_RETRY, ...credentials.retry })(octokit);
  return octokit;
}

/** Octokit takes an answer that breaks off for an empty one; here it counts as no answer. Redirects are for `locate`. */
async function fetchWhole(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (init.redirect === 'manual' || response.body === null) return response;
  const { status, statusText, headers } = response;
  const whole = new Response(await response.arrayBuffer(), { status, statusText, headers });
  // Pagination reads the address of the answer, which a new Response lacks.
  return Object.defineProperty(whole, 'url', { value: response.url });
}
