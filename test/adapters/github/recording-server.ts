/** A server that gives every request the same answer and remembers what it was asked. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

interface Answer {
  readonly json?: unknown;
  readonly etag?: string;
  /** Breaks the connection in the middle of the body. */
  readonly broken?: true;
}

interface RecordingServer {
  readonly url: string;
  readonly requests: readonly Asked[];
  close(): Promise<void>;
}

export async function startRecordingServer({ json = {}, etag, broken }: Answer): Promise<RecordingServer> {
  const requests: Asked[] = [];
  const body = JSON.stringify(json);
  const server = createServer(({ method, url, headers }, response) => {
    requests.push({ method, url, headers });
    if (etag !== undefined) response.setHeader('etag', etag);
    if (etag !== undefined && headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length + (broken ? 10 : 0) });
    response.write(body);
    if (broken) setImmediate(() => response.destroy());
    else response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
