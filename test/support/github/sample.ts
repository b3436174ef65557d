/** Brings a sample (see `demo/sample/README.md`) onto the simulated GitHub, by real git. */
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { GIT_ENV } from './git/repository.ts';
import type { Numbered, RepoName, RepositoryHandle } from './people.ts';
import type { GithubSimulator } from './simulator.ts';

export interface Sample {
  readonly repository: RepositoryHandle;
  readonly mainSha: string;
  readonly issues: readonly Numbered[];
  /** Names of the folders in `pull-requests/`, in order. */
  readonly changes: readonly string[];
  /** Pushes the change as a branch of its name and opens the pull request. */
  open(change: string): Promise<Numbered & { headSha: string; branch: string; title: string }>;
  /** Removes the clone. */
  close(): Promise<void>;
}

/** Creates the repository, installs the app, pushes `main` and opens the issues. */
export async function seedSample(github: GithubSimulator, name: RepoName, folder: string): Promise<Sample> {
  const repository = await github.createRepository(name);
  await github.installApp(repository);
  const clone = await mkdtemp(join(tmpdir(), 'sample-clone-'));
  const author = `${name.owner}@users.noreply.github.com`;
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', `user.name=${name.owner}`, '-c', `user.email=${author}`];
    return (await execa('git', [...identity, ...args], { cwd: clone, env: GIT_ENV })).stdout;
  };
  const commitAll = async (message: string): Promise<string> => {
    await git('add', '--all');
    await git('commit', '--quiet', '--message', message);
    return await git('rev-parse', 'HEAD');
  };
  await cp(join(folder, 'repository'), clone, { recursive: true });
  await git('init', '--quiet', '--initial-branch=main');
  const mainSha = await commitAll('Prices of the mail order');
  await git('push', '--quiet', repository.pushUrl, 'main');
  return {
    repository,
    mainSha,
    issues: await openIssues(github, repository, join(folder, 'issues')),
    changes: (await readdir(join(folder, 'pull-requests'))).sort(),
    open: async (change) => {
      const from = join(folder, 'pull-requests', change);
      const title = (await readFile(join(from, 'title.txt'), 'utf8')).trim();
      const branch = change.replace(/^\d+-/, '');
      await git('checkout', '--quiet', '-B', branch, mainSha);
      await cp(join(from, 'files'), clone, { recursive: true });
      await commitAll(title);
      await git('push', '--quiet', '--force', repository.pushUrl, branch);
      const body = await readFile(join(from, 'body.md'), 'utf8');
      const pull = await github.openPullRequest({ repo: repository, head: branch, title, body });
      return { ...pull, branch, title };
    },
    close: () => rm(clone, { recursive: true, force: true }),
  };
}

async function openIssues(github: GithubSimulator, repo: RepoName, folder: string): Promise<Numbered[]> {
  const issues: Numbered[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const [title = '', ...rest] = (await readFile(join(folder, file), 'utf8')).split('\n');
    issues.push(await github.createIssue({ repo, title, body: rest.join('\n').trim() }));
  }
  return issues;
}
