/** A simulated GitHub with one repository that has a commit on `main` and one on `fix`; held to GitHub's description. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/core';
import { execa } from 'execa';
import { GIT_ENV } from '../support/github/git/repository.ts';
import { createOpenApiCheck, type OpenApiCheck } from '../support/github/openapi/check.ts';
import type { RepositoryHandle } from '../support/github/people.ts';
import { type GithubOptions, type GithubSimulator, startGithub } from '../support/github/simulator.ts';

export interface Shop {
  readonly github: GithubSimulator;
  readonly check: OpenApiCheck;
  readonly repo: RepositoryHandle;
  readonly path: { readonly owner: string; readonly repo: string };
  readonly installation: number;
  /** As the installed app. */
  readonly octokit: Octokit;
  readonly sha: { readonly main: string; readonly fix: string };
  /** Writes, commits and pushes; returns the SHA. */
  push(branch: string, files: Readonly<Record<string, string>>): Promise<string>;
  git(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

export async function openShop(options: Omit<GithubOptions, 'check'> = {}): Promise<Shop> {
  const check = createOpenApiCheck();
  const github = await startGithub({ ...options, check });
  const repo = await github.createRepository({ owner: 'ada', name: 'shop', private: true });
  const { id: installation } = await github.installApp(repo);
  const clone = await mkdtemp(join(tmpdir(), 'shop-'));
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@users.noreply.github.com'];
    return (await execa('git', [...identity, ...args], { cwd: clone, env: GIT_ENV })).stdout;
  };
  const push = async (branch: string, files: Readonly<Record<string, string>>): Promise<string> => {
    await git('checkout', '--quiet', '-B', branch);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(clone, path)), { recursive: true });
      await writeFile(join(clone, path), text);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '--message', `Change ${Object.keys(files).join(', ')}`);
    await git('push', '--quiet', repo.pushUrl, branch);
    return await git('rev-parse', 'HEAD');
  };
  await git('init', '--quiet', '--initial-branch=main');
  const main = await push('main', { 'src/price list.js': 'export const price = 1;\n', 'README.md': '# Shop\n' });
  const fix = await push('fix', { 'src/price list.js': 'export const price = 2;\n' });
  const auth = { appId: github.app.id, privateKey: github.app.privateKey, installationId: installation };
  return {
    github,
    check,
    repo,
    path: { owner: 'ada', repo: 'shop' },
    installation,
    octokit: new Octokit({ baseUrl: github.apiUrl, authStrategy: createAppAuth, auth, log: SILENT }),
    sha: { main, fix },
    push,
    git,
    close: async () => {
      await github.close();
      await rm(clone, { recursive: true, force: true });
    },
  };
}

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
