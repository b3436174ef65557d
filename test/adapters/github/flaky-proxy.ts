/** A proxy in front of GitHub's API that does what it is asked once and then loses the answer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Proxy {
  readonly url: string;
  /** Answers lost so far. */
  lost(): number;
  close(): Promise<void>;
}

/** Loses the answer to the first request that matches: the caller sees HTTP 502 although the work is done. */
export async function startFlakyProxy(target: string, lose: { method: string; path: RegExp }): Promise<Proxy> {
  let lost = 0;
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    const passed = ['authorization', 'accept', 'content-type', 'if-none-match'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: Object.fromEntries(passed),
      ...(body.length > 0 ? { body } : {}),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    if (lost === 0 && method === lose.method && lose.path.test(url)) {
      lost += 1;
      response.writeHead(502).end();
      return;
    }
    const type = answer.headers.get('content-type');
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    lost: () => lost,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
