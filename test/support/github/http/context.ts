/** What a request of the API carries through the routes, and how its body and query are read. */
import type { Context } from 'hono';
import * as z from 'zod';
import type { Account, AppIdentity, InstallationToken } from '../model.ts';
import { GithubError, unprocessable } from './errors.ts';

export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'app'; readonly app: AppIdentity }
  | { readonly kind: 'installation'; readonly token: InstallationToken }
  | { readonly kind: 'user'; readonly account: Account };

export interface Env {
  Variables: { caller: Caller };
}

export type ApiContext = Context<Env>;

export async function readBody<S extends z.ZodType>(c: ApiContext, schema: S): Promise<z.output<S>> {
  const text = await c.req.text();
  const parsed = schema.safeParse(text === '' ? {} : parseJson(text));
  if (parsed.success) return parsed.data;
  throw unprocessable(
    parsed.error.issues.map((issue) => `For '${issue.path.join('/') || 'body'}', ${issue.message.toLowerCase()}.`),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw Object.assign(new GithubError(400, 'Problems parsing JSON'), { cause });
  }
}

/** A path parameter that must be a number; anything else is not found, as on GitHub. */
export function numberParam(c: ApiContext, name: string): number {
  const value = c.req.param(name) ?? '';
  if (!/^\d{1,15}$/.test(value)) throw new GithubError(404, 'Not Found');
  return Number(value);
}

/** Who the writes of this caller are by. */
export function authorOf(caller: Caller): { author: Account; viaApp: AppIdentity | null } {
  if (caller.kind === 'user') return { author: caller.account, viaApp: null };
  if (caller.kind !== 'installation') throw new GithubError(401, 'Requires authentication');
  const { app } = caller.token.installation;
  return { author: app.bot, viaApp: app };
}

export { z };
