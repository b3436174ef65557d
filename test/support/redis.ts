/** A real Redis of the test's own: private port, temporary folder, gone afterwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Resolves when the server takes connections. Fails with what to install when there is no `redis-server`. */
export async function startRedis(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'inquest-redis-'));
  const port = await freePort();
  const argv = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready(child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `redis://127.0.0.1:${port}`, stop };
}

async function ready(child: ReturnType<typeof spawn>): Promise<void> {
  const failed = once(child, 'error').then(([error]: Error[]) => {
    throw new Error('These tests need `redis-server` in PATH. Debian, Ubuntu: apt-get install redis-server.', {
      cause: error,
    });
  });
  await Promise.race([failed, sawReadyLine(child)]);
}

async function sawReadyLine(child: ReturnType<typeof spawn>): Promise<void> {
  if (!child.stdout) throw new Error('redis-server has no stdout.');
  const seen: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    seen.push(line);
    if (!line.includes('Ready to accept connections')) continue;
    child.stdout.resume();
    return;
  }
  throw new Error(`redis-server ended before it was ready:\n${seen.join('\n')}`);
}
