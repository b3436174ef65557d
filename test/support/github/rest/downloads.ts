/**
 * Where logs and archives are really fetched: another origin, by a signed address that works once and needs no
 * credentials. Like the blob store behind GitHub it refuses a request that brings some.
 */
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';

export interface Download {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly fileName: string;
}

export interface Downloads {
  /** An address that gives out the bytes once, within the minute. */
  sign(download: Download): string;
  readonly app: Hono;
}

/** Milliseconds that a signed address lives. */
const LIFETIME = 60_000;

export function createDownloads(now: () => number, origin: () => string): Downloads {
  const waiting = new Map<string, { download: Download; until: number }>();
  const app = new Hono();

  app.get('/downloads/:id', (c) => {
    if (c.req.header('authorization') !== undefined) return c.body(problem('InvalidAuthenticationInfo'), 400, XML);
    const found = waiting.get(c.req.param('id'));
    waiting.delete(c.req.param('id'));
    if (!found || found.until < now()) return c.body(problem('AuthenticationFailed'), 403, XML);
    const { bytes, type, fileName } = found.download;
    return c.body(Uint8Array.from(bytes), 200, {
      'content-type': type,
      'content-disposition': `attachment; filename="${fileName}"`,
    });
  });

  return {
    app,
    sign: (download) => {
      const id = randomUUID();
      waiting.set(id, { download, until: now() + LIFETIME });
      return `${origin()}/downloads/${id}?se=${encodeURIComponent(new Date(now() + LIFETIME).toISOString())}&sp=r`;
    },
  };
}

const XML = { 'content-type': 'application/xml' };

const problem = (code: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
