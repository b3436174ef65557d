/** What happens to checks: suites open, runs report, suites complete; and commit statuses. */

import { accountJson } from '../json/account.ts';
import { checkRunJson, suiteCoreJson } from '../json/check.ts';
import { commitJson, simpleCommitJson } from '../json/commit.ts';
import { apiOf, time } from '../links.ts';
import type {
  Account,
  Annotation,
  AppIdentity,
  CheckRun,
  CheckSuite,
  CommitStatus,
  Conclusion,
  Repository,
} from '../model.ts';
import type { Simulation } from '../simulation.ts';

export interface CheckRunReport {
  readonly name?: string | undefined;
  readonly external_id?: string | undefined;
  readonly details_url?: string | undefined;
  readonly status?: 'queued' | 'in_progress' | 'completed' | undefined;
  readonly conclusion?: Conclusion | undefined;
  readonly started_at?: string | undefined;
  readonly completed_at?: string | undefined;
  readonly output?:
    | {
        readonly title?: string | undefined;
        readonly summary?: string | undefined;
        readonly text?: string | undefined;
        readonly annotations?: readonly Annotation[] | undefined;
      }
    | undefined;
}

export function createSuite(
  sim: Simulation,
  repository: Repository,
  app: AppIdentity,
  head: { readonly sha: string; readonly branch: string | null; readonly before: string | null },
): CheckSuite {
  const now = sim.world.now();
  const suite: CheckSuite = {
    id: sim.world.nextId(),
    repository,
    app,
    headSha: head.sha,
    headBranch: head.branch,
    before: head.before,
    status: 'queued',
    conclusion: null,
    createdAt: now,
    updatedAt: now,
  };
  sim.world.checkSuites.push(suite);
  return suite;
}

/** The app's suite for the commit; opened when there is none. */
export async function suiteFor(
  sim: Simulation,
  repository: Repository,
  app: AppIdentity,
  sha: string,
): Promise<CheckSuite> {
  const known = sim.world.checkSuites.find(
    (suite) => suite.repository === repository && suite.app === app && suite.headSha === sha,
  );
  if (known) return known;
  const heads = await sim.git(repository).refs('refs/heads/');
  const branch = [...heads].find(([, head]) => head === sha)?.[0].slice('refs/heads/'.length) ?? null;
  return createSuite(sim, repository, app, { sha, branch, before: null });
}

export async function createCheckRun(
  sim: Simulation,
  suite: CheckSuite,
  report: CheckRunReport & { readonly name: string },
): Promise<CheckRun> {
  const run: CheckRun = {
    id: sim.world.nextId(),
    suite,
    name: report.name,
    externalId: '',
    detailsUrl: null,
    status: 'queued',
    conclusion: null,
    startedAt: sim.world.now(),
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
  };
  sim.world.checkRuns.push(run);
  apply(sim, run, report);
  if (run.status === 'in_progress' || suite.status === 'completed') reopen(suite);
  announceRun(sim, run, 'created');
  if (run.status === 'completed') await completed(sim, run);
  return run;
}

export async function updateCheckRun(sim: Simulation, run: CheckRun, report: CheckRunReport): Promise<void> {
  const wasCompleted = run.status === 'completed';
  apply(sim, run, report);
  if (run.status === 'in_progress' || (run.status === 'queued' && wasCompleted)) reopen(run.suite);
  if (run.status === 'completed' && !wasCompleted) await completed(sim, run);
}

function apply(sim: Simulation, run: CheckRun, report: CheckRunReport): void {
  run.name = report.name ?? run.name;
  run.externalId = report.external_id ?? run.externalId;
  run.detailsUrl = report.details_url ?? run.detailsUrl;
  run.startedAt = report.started_at === undefined ? run.startedAt : Date.parse(report.started_at);
  run.status = report.conclusion === undefined ? (report.status ?? run.status) : 'completed';
  if (run.status === 'completed') {
    run.conclusion = report.conclusion ?? run.conclusion;
    run.completedAt = report.completed_at === undefined ? sim.world.now() : Date.parse(report.completed_at);
  } else {
    run.conclusion = null;
    run.completedAt = null;
  }
  const { output } = report;
  if (!output) return;
  run.output = {
    title: output.title ?? run.output.title,
    summary: output.summary ?? run.output.summary,
    text: output.text ?? run.output.text,
  };
  run.annotations.push(...(output.annotations ?? []));
}

function reopen(suite: CheckSuite): void {
  suite.status = 'in_progress';
  suite.conclusion = null;
}

async function completed(sim: Simulation, run: CheckRun): Promise<void> {
  announceRun(sim, run, 'completed');
  const { suite } = run;
  const runs = sim.world.checkRunsOf(suite);
  if (runs.some((one) => one.status !== 'completed')) return;
  suite.status = 'completed';
  suite.conclusion = worst(runs);
  suite.updatedAt = sim.world.now();
  // GitHub Actions ends its suites itself, after the job's own event.
  if (suite.app !== sim.actions) await announceSuite(sim, suite, 'completed');
}

const WORST_FIRST = ['failure', 'timed_out', 'cancelled', 'action_required', 'success', 'neutral', 'skipped'] as const;

function worst(runs: readonly CheckRun[]): Conclusion {
  return WORST_FIRST.find((conclusion) => runs.some((run) => run.conclusion === conclusion)) ?? 'success';
}

function announceRun(sim: Simulation, run: CheckRun, action: 'created' | 'completed'): void {
  const { suite } = run;
  const body = { ...checkRunJson(sim.links, sim.world, run), check_suite: suiteCoreJson(sim.links, sim.world, suite) };
  sim.webhooks.send(suite.repository, 'check_run', action, suite.app.bot, { check_run: body });
}

export async function announceSuite(
  sim: Simulation,
  suite: CheckSuite,
  action: 'requested' | 'completed',
): Promise<void> {
  const core = suiteCoreJson(sim.links, sim.world, suite);
  const commit = await sim.git(suite.repository).commit(suite.headSha);
  sim.webhooks.send(suite.repository, 'check_suite', action, suite.app.bot, {
    check_suite: {
      ...core,
      latest_check_runs_count: sim.world.checkRunsOf(suite).length,
      check_runs_url: `${core.url}/check-runs`,
      head_commit: simpleCommitJson(commit),
      rerequestable: true,
      runs_rerequestable: suite.app !== sim.actions,
    },
  });
}

export interface StatusReport {
  readonly repository: Repository;
  readonly sha: string;
  readonly creator: Account;
  readonly state: CommitStatus['state'];
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
}

export async function reportStatus(sim: Simulation, report: StatusReport): Promise<CommitStatus> {
  const { links, world } = sim;
  const { repository, sha } = report;
  const status = { id: world.nextId(), ...report, createdAt: world.now() };
  world.statuses.push(status);
  const git = sim.git(repository);
  const heads = [...(await git.refs('refs/heads/'))].filter(([, head]) => head === sha);
  const api = apiOf(links, repository);
  sim.webhooks.send(repository, 'status', null, report.creator, {
    id: status.id,
    sha,
    name: `${repository.owner.login}/${repository.name}`,
    avatar_url: accountJson(links, report.creator).avatar_url,
    target_url: report.targetUrl,
    context: report.context,
    description: report.description,
    state: report.state,
    commit: commitJson(links, world, repository, await git.commit(sha)),
    branches: heads.map(([ref]) => ({
      name: ref.slice('refs/heads/'.length),
      commit: { sha, url: `${api}/commits/${sha}` },
      protected: false,
    })),
    created_at: time(status.createdAt),
    updated_at: time(status.createdAt),
  });
  return status;
}
