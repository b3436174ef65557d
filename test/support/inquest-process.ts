/** Inquest as a process of its own, as an operator runs it (`dist`, which `global-build.mjs` makes): started, read, killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { GithubSimulator } from './github/simulator.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface InquestProcess {
  /** Log records as they come. */
  readonly lines: AsyncIterable<string>;
  readonly child: ChildProcess;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Environment for an Inquest that serves the simulator's App. */
export function environmentFor(
  github: GithubSimulator,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '/',
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey,
    WEBHOOK_SECRET: github.app.webhookSecret,
    GITHUB_API_URL: github.apiUrl,
    HOST: '127.0.0.1',
    INQUEST_DEBOUNCE_MS: '50',
    ...more,
  };
}

/** `dist/main.js`, unless another program of `test/support` is named. */
export function startProcess(env: Readonly<Record<string, string>>, program = 'dist/main.js'): InquestProcess {
  const child = spawn(process.execPath, [program], {
    cwd: ROOT,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  return {
    lines: createInterface({ input: child.stdout as NodeJS.ReadableStream }),
    child,
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
