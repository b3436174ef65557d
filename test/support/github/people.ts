/** What people (and other apps) do on GitHub, as plain calls: tests and the demo act through these. */
import { join } from 'node:path';
import { zip } from './ci/archive.ts';
import type { JobOutcome } from './ci/lifecycle.ts';
import { BLANK } from './ci/log.ts';
import { type CheckRunReport, createCheckRun, reportStatus, suiteFor, updateCheckRun } from './domain/checks.ts';
import { addComment, addLabels, openIssue } from './domain/issues.ts';
import { openPull } from './domain/pulls.ts';
import { GitRepository } from './git/repository.ts';
import { pageOf, pageOfIssue } from './links.ts';
import type {
  Account,
  Annotation,
  CommitStatus,
  Conclusion,
  Issue,
  Level,
  Repository,
  RepositoryRole,
} from './model.ts';
import type { Simulation } from './simulation.ts';

export interface RepoName {
  readonly owner: string;
  readonly name: string;
}

export interface RepositoryHandle extends RepoName {
  readonly id: number;
  /** Without credentials. */
  readonly cloneUrl: string;
  /** For the owner, with credentials: what a person pushes to. */
  readonly pushUrl: string;
  readonly defaultBranch: string;
}

export interface Numbered {
  readonly number: number;
  readonly url: string;
}

export interface CannedJob {
  readonly name: string;
  readonly conclusion: Conclusion;
  readonly log?: string | Uint8Array;
  readonly annotations?: readonly Partial<Annotation>[];
}

export interface CannedRun {
  readonly repo: RepoName;
  readonly branch: string;
  /** Default: the head of the branch. */
  readonly sha?: string;
  readonly workflow?: string;
  readonly event?: 'push' | 'pull_request';
  readonly jobs: readonly CannedJob[];
  /** Files by path, by artifact. They belong to the first job. */
  readonly artifacts?: Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>>;
}

export interface People {
  createRepository(repository: RepoName & { private?: boolean; description?: string }): Promise<RepositoryHandle>;
  installApp(
    repo: RepoName,
    grants?: { permissions?: Record<string, Level>; events?: readonly string[] },
  ): Promise<{ id: number }>;
  setRole(repo: RepoName, login: string, role: RepositoryRole): void;
  /** A token for git and the API, in the name of the person. */
  tokenOf(login: string): string;
  openPullRequest(pull: {
    repo: RepoName;
    head: string;
    base?: string;
    title: string;
    body?: string;
    author?: string;
  }): Promise<Numbered & { headSha: string }>;
  createIssue(issue: {
    repo: RepoName;
    title: string;
    body?: string;
    author?: string;
    labels?: readonly string[];
  }): Promise<Numbered>;
  commentIssue(comment: { repo: RepoName; number: number; body: string; author?: string }): Promise<{ id: number }>;
  addLabel(label: { repo: RepoName; number: number; label: string; sender?: string }): Promise<void>;
  /** A workflow run with a given outcome: the events, logs and artifacts, without running anything. */
  playWorkflow(run: CannedRun): Promise<{ id: number; jobIds: number[]; done: Promise<void> }>;
  /** A check run of a third-party app; the same name on the same commit is updated. */
  reportCheck(check: { repo: RepoName; sha: string; name: string; app?: string } & CheckRunReport): Promise<number>;
  reportStatus(status: {
    repo: RepoName;
    sha: string;
    state: CommitStatus['state'];
    context: string;
    description?: string;
    targetUrl?: string;
  }): Promise<number>;
  /** GitHub throws the logs of a run away, as it does after ninety days. */
  expireLogs(workflowRunId: number): void;
}

/** What `app.yml` asks for. */
const PERMISSIONS: Readonly<Record<string, Level>> = {
  actions: 'read',
  checks: 'write',
  contents: 'read',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'read',
};

const EVENTS = [
  'check_run',
  'check_suite',
  'issue_comment',
  'issues',
  'pull_request',
  'push',
  'status',
  'workflow_job',
  'workflow_run',
] as const;

export function peopleOf(sim: Simulation): People {
  const { world, links } = sim;
  const found = ({ owner, name }: RepoName): Repository => {
    const repository = world.repository(owner, name);
    if (!repository) throw new Error(`There is no repository ${owner}/${name}.`);
    return repository;
  };
  const issueOf = (repo: RepoName, number: number): Issue => {
    const issue = world.issue(found(repo), number);
    if (!issue) throw new Error(`${repo.owner}/${repo.name} has no #${number}.`);
    return issue;
  };
  const person = (repository: Repository, login: string | undefined): Account =>
    login === undefined ? repository.owner : world.account(login);
  const numbered = (issue: Issue): Numbered => ({ number: issue.number, url: pageOfIssue(links, issue) });

  return {
    createRepository: async (request) => {
      const repository = await makeRepository(sim, request);
      const cloneUrl = `${pageOf(links, repository)}.git`;
      const { owner, name, id, defaultBranch } = repository;
      const pushUrl = cloneUrl.replace('://', `://${owner.login}:${owner.token}@`);
      return { id, owner: owner.login, name, cloneUrl, pushUrl, defaultBranch };
    },
    installApp: async (repo, grants = {}) => {
      const repository = found(repo);
      sim.app.permissions = grants.permissions ?? PERMISSIONS;
      sim.app.events = grants.events ?? EVENTS;
      const installation = {
        id: world.nextId(),
        account: repository.owner,
        app: sim.app,
        repositories: [repository],
        permissions: sim.app.permissions,
        events: sim.app.events,
        createdAt: world.now(),
      };
      world.installations.push(installation);
      sim.webhooks.sendInstallation(installation, 'created', repository.owner);
      return { id: installation.id };
    },
    setRole: (repo, login, role) => {
      world.account(login);
      found(repo).roles.set(login.toLowerCase(), role);
    },
    tokenOf: (login) => world.account(login).token,
    openPullRequest: async ({ repo, head, base, title, body, author }) => {
      const repository = found(repo);
      const issue = await openPull(sim, {
        repository,
        author: person(repository, author),
        viaApp: null,
        title,
        body: body ?? null,
        head,
        base: base ?? repository.defaultBranch,
      });
      return { ...numbered(issue), headSha: issue.pull?.headSha ?? '' };
    },
    createIssue: async ({ repo, title, body, author, labels }) => {
      const repository = found(repo);
      const by = { author: person(repository, author), viaApp: null };
      return numbered(await openIssue(sim, { repository, ...by, title, body: body ?? null, labels: labels ?? [] }));
    },
    commentIssue: async ({ repo, number, body, author }) => {
      const issue = issueOf(repo, number);
      return { id: addComment(sim, issue, { author: person(issue.repository, author), viaApp: null, body }).id };
    },
    addLabel: async ({ repo, number, label, sender }) => {
      const issue = issueOf(repo, number);
      await addLabels(sim, issue, person(issue.repository, sender), [label]);
    },
    playWorkflow: (run) => playWorkflow(sim, found(run.repo), run),
    reportCheck: async ({ repo, sha, app = 'other-ci', name, ...report }) => {
      const suite = await suiteFor(sim, found(repo), world.app(app), sha);
      const known = world.checkRunsOf(suite).find((run) => run.name === name && run.status !== 'completed');
      if (!known) return (await createCheckRun(sim, suite, { name, ...report })).id;
      await updateCheckRun(sim, known, report);
      return known.id;
    },
    reportStatus: async ({ repo, sha, state, context, description, targetUrl }) => {
      const creator = world.account('legacy-ci');
      const rest = { description: description ?? null, targetUrl: targetUrl ?? null };
      return (await reportStatus(sim, { repository: found(repo), sha, creator, state, context, ...rest })).id;
    },
    expireLogs: (id) => {
      for (const run of world.workflowRuns) if (run.id === id) run.logs = 'expired';
    },
  };
}

async function makeRepository(
  sim: Simulation,
  request: RepoName & { private?: boolean; description?: string },
): Promise<Repository> {
  const { world, rootDir } = sim;
  const { owner, name } = request;
  const defaultBranch = 'main';
  const gitDir = join(rootDir, owner, `${name}.git`);
  await GitRepository.init(gitDir, defaultBranch);
  const now = world.now();
  const repository: Repository = {
    id: world.nextId(),
    owner: world.account(owner),
    name,
    private: request.private ?? false,
    description: request.description ?? null,
    defaultBranch,
    createdAt: now,
    pushedAt: now,
    gitDir,
    labels: [],
    roles: new Map(),
    lastNumber: 0,
  };
  world.repositories.push(repository);
  return repository;
}

async function playWorkflow(
  sim: Simulation,
  repository: Repository,
  canned: CannedRun,
): Promise<{ id: number; jobIds: number[]; done: Promise<void> }> {
  const { branch, jobs, artifacts = {}, workflow = 'CI', event = 'push' } = canned;
  const sha = canned.sha ?? (await sim.git(repository).resolve(`refs/heads/${branch}`));
  if (sha === null) throw new Error(`${repository.name} has no branch ${branch}.`);
  const zips = await Promise.all(
    Object.entries(artifacts).map(async ([name, files]) => ({
      name,
      zip: await zip(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)] as const)),
    })),
  );
  const outcomes = new Map<string, JobOutcome>(
    jobs.map((job, index) => [
      String(index),
      {
        conclusion: job.conclusion,
        log: job.log === undefined ? null : Buffer.from(job.log),
        annotations: (job.annotations ?? []).map((one) => ({ ...ANNOTATION, ...one })),
        artifacts: index === 0 ? zips : [],
      },
    ]),
  );
  const plan = {
    repository,
    workflow: { name: workflow, path: `.github/workflows/${workflow.toLowerCase()}.yml` },
    event,
    head: { sha, branch, before: null },
    actor: repository.owner,
    title: (await sim.git(repository).commit(sha)).message.split('\n')[0] ?? '',
    jobs: jobs.map((job, index) => ({ key: String(index), name: job.name, needs: [], labels: ['ubuntu-latest'] })),
  };
  const { run, done } = await sim.ci.play(plan, async (_, { key }) => {
    const outcome = outcomes.get(key);
    if (!outcome) throw new Error(`No outcome for job ${key}.`);
    return outcome;
  });
  return { id: run.id, jobIds: run.jobs.map((job) => job.id), done };
}

const ANNOTATION: Annotation = { ...BLANK, message: 'Process completed with exit code 1.' };
