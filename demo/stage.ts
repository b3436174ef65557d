/** Sets the stage: a local GitHub, a sample repository pushed to it by real git, and Inquest with its embedded parts. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Logger } from 'pino';
import { parseServiceConfig } from '../src/config/service.ts';
import { type Inquest, startInquest } from '../src/main.ts';
import type { RepositoryHandle } from '../test/support/github/people.ts';
import { type GithubSimulator, startGithub } from '../test/support/github/simulator.ts';
import { MAIN_FILES, type SamplePull, sampleIssues } from './sample.ts';

export interface StageOptions {
  readonly logger: Logger;
  /** `bubblewrap` unless the person at the terminal says `host`. */
  readonly sandbox: 'bubblewrap' | 'host';
  /** Port of the simulator's pages; 0 for a free one. */
  readonly port: number;
}

export interface Stage {
  readonly github: GithubSimulator;
  readonly inquest: Inquest;
  readonly repository: RepositoryHandle;
  openPull(pull: SamplePull): Promise<{ number: number; url: string; headSha: string }>;
  close(): Promise<void>;
}

const REPOSITORY = { owner: 'tidewater', name: 'pricing', description: 'Prices for the Tidewater Books mail order' };

export async function setStage(options: StageOptions): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'inquest-demo-'));
  const github = await startGithub({ port: options.port });
  const inquest = await startInquest(configFor(github, options, folder), {
    logger: options.logger,
    clock: { now: () => Date.now() },
    pollMs: 250,
  });
  github.setWebhook(`${inquest.server?.url}/api/github/webhooks`);
  const repository = await github.createRepository(REPOSITORY);
  github.setRole(repository, 'robin', 'write');
  await github.installApp(repository);
  const clone = join(folder, 'clone');
  await pushMain(repository, clone);
  for (const issue of await sampleIssues()) await github.createIssue({ repo: repository, ...issue, author: 'robin' });
  return {
    github,
    inquest,
    repository,
    openPull: (pull) => openPull(github, repository, clone, pull),
    async close() {
      await inquest.close();
      await github.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configFor(github: GithubSimulator, { sandbox }: StageOptions, folder: string) {
  return parseServiceConfig({
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey,
    WEBHOOK_SECRET: github.app.webhookSecret,
    GITHUB_API_URL: github.apiUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    INQUEST_DATA_DIR: join(folder, 'data'),
    INQUEST_SANDBOX: sandbox,
    INQUEST_DEBOUNCE_MS: '100',
    INQUEST_CONCURRENCY: '2',
  });
}

async function pushMain(repository: RepositoryHandle, clone: string): Promise<void> {
  await cp(MAIN_FILES, clone, { recursive: true });
  await git(clone, 'init', '--quiet', '--initial-branch', repository.defaultBranch);
  await git(clone, 'remote', 'add', 'origin', repository.pushUrl);
  await commitAll(clone, 'Prices, shipping and vouchers');
  await git(clone, 'push', '--quiet', 'origin', repository.defaultBranch);
}

async function openPull(github: GithubSimulator, repository: RepositoryHandle, clone: string, pull: SamplePull) {
  await git(clone, 'checkout', '--quiet', '-B', pull.slug, repository.defaultBranch);
  await cp(pull.files, clone, { recursive: true });
  await commitAll(clone, pull.title);
  await git(clone, 'push', '--quiet', '--force', 'origin', pull.slug);
  return github.openPullRequest({
    repo: repository,
    head: pull.slug,
    title: pull.title,
    body: pull.body,
    author: 'robin',
  });
}

async function commitAll(clone: string, message: string): Promise<void> {
  await git(clone, 'add', '--all');
  await git(
    clone,
    '-c',
    'user.name=Robin',
    '-c',
    'user.email=robin@example.com',
    'commit',
    '--quiet',
    '--message',
    message,
  );
}

async function git(cwd: string, ...argv: string[]): Promise<void> {
  await execa('git', argv, {
    cwd,
    env: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' },
  });
}
