/** A forge on a simulated GitHub with one repository, `acme/shop`, that has one commit. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { pino } from 'pino';
import { createForge } from '../../../src/adapters/github/forge.ts';
import { DEFAULT_LIMITS, type ForgeLimits } from '../../../src/adapters/github/limits.ts';
import { type AppOctokit, createAppOctokit } from '../../../src/adapters/github/octokit.ts';
import type { RepoRef } from '../../../src/pipeline/run.ts';
import type { Check, Evidence, Forge } from '../../../src/ports/forge.ts';
import type { RepositoryHandle } from '../../support/github/people.ts';
import { type GithubSimulator, startGithub } from '../../support/github/simulator.ts';

export interface ForgeSetup {
  readonly github: GithubSimulator;
  readonly repo: RepoRef;
  readonly handle: RepositoryHandle;
  /** Head of the default branch. */
  readonly sha: string;
  /** Everything that the adapter has logged. */
  readonly logged: string[];
  /** A forge with other limits, or behind another address of the API. */
  forge(options?: { limits?: Partial<ForgeLimits>; apiUrl?: string; timeoutMs?: number }): Forge;
  app(options?: { apiUrl?: string; timeoutMs?: number }): AppOctokit;
  /** Pushes the files as one more commit; resolves with its SHA. */
  push(files: Readonly<Record<string, string>>, branch?: string): Promise<string>;
  close(): Promise<void>;
}

export async function startForge(): Promise<ForgeSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'inquest-forge-'));
  const github = await startGithub();
  const handle = await github.createRepository({ owner: 'acme', name: 'shop' });
  const git = (...args: string[]) => execa('git', args, { cwd: folder, env: GIT_ENV });
  await git('init', '--initial-branch', 'main');
  await git('remote', 'add', 'origin', handle.pushUrl);
  const push: ForgeSetup['push'] = async (files, branch = 'main') => {
    await git('checkout', '-B', branch);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await git('add', '.');
    await git('commit', '--message', 'A change');
    await git('push', 'origin', branch);
    return (await git('rev-parse', 'HEAD')).stdout;
  };
  const sha = await push({ 'README.md': '# Shop\n' });
  const installation = await github.installApp(handle);
  const logged: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const app: ForgeSetup['app'] = ({ apiUrl = github.apiUrl, timeoutMs = 5_000 } = {}) => {
    const { id: appId, privateKey } = github.app;
    return createAppOctokit({
      appId,
      privateKey,
      apiUrl,
      logger,
      retry: { backoffMs: 1, maxWaitMs: 1_500 },
      timeoutMs,
    });
  };
  return {
    github,
    repo: { installation_id: installation.id, repo_id: handle.id, owner: 'acme', name: 'shop' },
    handle,
    sha,
    logged,
    push,
    app,
    forge: ({ limits = {}, ...rest } = {}) => {
      const { id: appId, slug: appSlug } = github.app;
      const { octokitFor } = app(rest);
      return createForge({ octokitFor, appId, appSlug, limits: { ...DEFAULT_LIMITS, ...limits }, logger });
    },
    close: async () => {
      await github.idle();
      await github.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const GIT_ENV = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Name to text, or to the reason why there is none (`missing: …`). */
export async function textsOf(evidence: readonly Evidence[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const one of evidence) texts[one.name] = 'missing' in one ? `missing: ${one.missing}` : await textOf(one);
  return texts;
}

async function textOf(evidence: Extract<Evidence, { bytes: unknown }>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of evidence.bytes()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export function failedOf(checks: readonly Check[]): Check[] {
  return checks.filter((check) => check.state === 'failed');
}
