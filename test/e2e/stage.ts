/** Inquest as `main.ts` puts it together, on a GitHub whose every answer and webhook is held to GitHub's description. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MiddlewareHandler } from 'hono';
import { pino } from 'pino';
import { parseServiceConfig } from '../../src/config/service.ts';
import { type Inquest, startInquest } from '../../src/main.ts';
import { REPORT_MARKER } from '../../src/pipeline/comment/comment.ts';
import { type DebugReport, parseDebugReport } from '../../src/pipeline/debug-report.ts';
import type { Run } from '../../src/pipeline/run.ts';
import type { LedgerEvent } from '../../src/record/event.ts';
import type { CheckRun } from '../support/github/model.ts';
import { createOpenApiCheck } from '../support/github/openapi/check.ts';
import type { CannedRun, RepositoryHandle } from '../support/github/people.ts';
import { type GithubSimulator, startGithub } from '../support/github/simulator.ts';
import { environmentFor } from '../support/inquest-process.ts';
import { type Files, pushFiles } from '../support/project.ts';

export interface OpenedPull {
  readonly repo: RepositoryHandle;
  readonly branch: string;
  readonly number: number;
  readonly sha: string;
}

export interface Stage {
  readonly github: GithubSimulator;
  readonly inquest: Inquest;
  /** What Inquest has logged, one JSON text a record. */
  readonly logged: readonly string[];
  /** A repository with the App installed and these files on `main`. */
  createProject(name: string, files: Files): Promise<RepositoryHandle>;
  /** A pull request from a branch of its own with these changes. */
  openPull(repo: RepositoryHandle, branch: string, changes: Files, body?: string): Promise<OpenedPull>;
  /** A workflow whose one job `test` fails with the log, unless told otherwise. */
  failCi(on: Pick<OpenedPull, 'repo' | 'branch'>, log: string | null, more?: Partial<CannedRun>): Promise<number>;
  /** Resolves when every webhook is delivered and no job is left. */
  settled(): Promise<void>;
  runs(repo: RepositoryHandle): Promise<readonly Run[]>;
  events(run: Run | undefined): Promise<readonly LedgerEvent[]>;
  artifact(run: Run | undefined, name: string): Promise<string>;
  /** Bodies of the comments of an issue or pull request that Inquest wrote, oldest first. */
  comments(repo: RepositoryHandle, number: number): readonly string[];
  /** The check runs named `Inquest`, oldest first. */
  checks(repo: RepositoryHandle, sha?: string): readonly CheckRun[];
  close(): Promise<void>;
}

export interface StageOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Changes answers of the API before anybody sees them. */
  readonly middleware?: MiddlewareHandler;
}

export async function startStage({ env = {}, middleware }: StageOptions = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'inquest-e2e-'));
  const description = createOpenApiCheck();
  const github = await startGithub({
    check: { ...description, middleware: inTurn(description.middleware, middleware) },
  });
  const logged: string[] = [];
  const settings = { PORT: '0', INQUEST_DATA_DIR: join(folder, 'data'), INQUEST_CONCURRENCY: '4', ...env };
  const inquest = await startInquest(parseServiceConfig(environmentFor(github, settings)), {
    logger: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
    clock: { now: Date.now },
    pollMs: 100,
  });
  github.setWebhook(`${inquest.server?.url}/api/github/webhooks`);
  const { store, queue } = inquest;

  return {
    github,
    inquest,
    logged,
    async createProject(name, files) {
      const repo = await github.createRepository({ owner: 'acme', name });
      await github.installApp(repo);
      await pushFiles(repo.pushUrl, 'main', files);
      return repo;
    },
    async openPull(repo, branch, changes, body = '') {
      const sha = await pushFiles(repo.pushUrl, branch, changes);
      const { number } = await github.openPullRequest({ repo, head: branch, title: `Change ${branch}`, body });
      return { repo, branch, number, sha };
    },
    async failCi({ repo, branch }, log, more = {}) {
      const job = { name: 'test', conclusion: 'failure', ...(log === null ? {} : { log }) } as const;
      const played = await github.playWorkflow({ repo, branch, event: 'pull_request', jobs: [job], ...more });
      await played.done;
      return played.id;
    },
    async settled() {
      let seen = -1;
      while (seen !== github.state.deliveries.length) {
        seen = github.state.deliveries.length;
        await github.idle();
        await queue.idle();
      }
    },
    runs: (repo) => store.findRuns({ repo_id: repo.id }),
    events: (run) => store.events(run?.run_id ?? ''),
    artifact: async (run, name) => (await store.artifact(run?.run_id ?? '', name)) ?? '',
    comments: (repo, number) =>
      github.state.comments
        .filter(({ issue, viaApp }) => viaApp !== null && issue.repository.id === repo.id && issue.number === number)
        .map((comment) => comment.body),
    checks: (repo, sha) =>
      github.state.checkRuns.filter(
        ({ name, suite }) =>
          name === 'Inquest' && suite.repository.id === repo.id && (sha === undefined || suite.headSha === sha),
      ),
    async close() {
      await inquest.close();
      await github.close();
      await rm(folder, { recursive: true, force: true });
      if (description.mismatches.length > 0) throw new Error(description.mismatches.join('\n'));
    },
  };
}

/** The description looks at what the simulator answered; the change comes after. */
function inTurn(description: MiddlewareHandler, change: MiddlewareHandler | undefined): MiddlewareHandler {
  if (change === undefined) return description;
  return async (context, next) => {
    const answer = await change(context, async () => {
      await description(context, next);
    });
    return answer;
  };
}

/** The report inside a comment, read by the parser of `debug.md`. */
export function reportIn(comment: string | undefined): DebugReport {
  const text = /# Debug report\n[\s\S]*?\n## Reason\n[^\n]*/.exec(comment ?? '')?.[0];
  if (text === undefined) throw new Error(`There is no report in this comment:\n${comment}`);
  return parseDebugReport(`${text}\n`);
}

export function isReport(comment: string): boolean {
  return comment.includes(REPORT_MARKER);
}
