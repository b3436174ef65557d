/** A real repository in a temporary folder, for tests of what is built on git. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface SampleRepository {
  readonly dir: string;
  readonly url: string;
  git(...args: string[]): string;
  /** Writes the files, commits them, and gives the SHA. */
  commit(files: Readonly<Record<string, string>>): string;
}

export function sampleRepository(dir: string): SampleRepository {
  mkdirSync(dir, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: dir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: dir },
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  return {
    dir,
    url: `file://${dir}`,
    git,
    commit: (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(dir, path)), { recursive: true });
        writeFileSync(join(dir, path), text);
      }
      git('add', '--all');
      git('commit', '--quiet', '--message', 'change');
      return git('rev-parse', 'HEAD');
    },
  };
}
