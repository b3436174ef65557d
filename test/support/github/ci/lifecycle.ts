/** A workflow run from its request to its end: the records, and the events in GitHub's order. */
import { announceSuite, createCheckRun, createSuite, updateCheckRun } from '../domain/checks.ts';
import { jobJson, pageOfJob, workflowRunJson } from '../json/workflow.ts';
import { apiOf, nodeId, pageOf, time } from '../links.ts';
import type { Account, Annotation, Conclusion, Job, Repository, WorkflowRun } from '../model.ts';
import type { Simulation } from '../simulation.ts';

export interface Head {
  readonly sha: string;
  readonly branch: string;
  /** What the branch pointed at before; null for a new one. */
  readonly before: string | null;
}

export interface JobPlan {
  /** The key in the workflow file; `needs` names it. */
  readonly key: string;
  readonly name: string;
  readonly needs: readonly string[];
  readonly labels: readonly string[];
}

export interface RunPlan {
  readonly repository: Repository;
  readonly workflow: { readonly name: string; readonly path: string };
  readonly event: WorkflowRun['event'];
  readonly head: Head;
  readonly actor: Account;
  readonly title: string;
  readonly jobs: readonly JobPlan[];
}

export interface JobOutcome {
  readonly conclusion: Conclusion;
  readonly log: Uint8Array | null;
  readonly annotations: readonly Annotation[];
  readonly artifacts: readonly { readonly name: string; readonly zip: Uint8Array }[];
}

/** Does what one job is for; called when its turn has come. */
export type Work = (job: Job, plan: JobPlan) => Promise<JobOutcome>;

/** Limits how many jobs run at once. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** Records and announces the run; the second promise resolves when it has completed. */
export async function startRun(
  sim: Simulation,
  plan: RunPlan,
  work: Work,
  turn: Turn,
): Promise<{ run: WorkflowRun; done: Promise<void> }> {
  const run = requestRun(sim, plan);
  await announceRun(sim, run, 'requested');
  const jobs: { job: Job; plan: JobPlan }[] = [];
  for (const one of plan.jobs) jobs.push({ job: await queueJob(sim, run, one), plan: one });
  const ends = new Map<string, Promise<Conclusion>>();
  for (const { job, plan: one } of jobs) ends.set(one.key, playJob(sim, job, one, ends, work, turn));
  const done = Promise.all(ends.values()).then((conclusions) => endRun(sim, run, conclusions));
  return { run, done };
}

function requestRun(sim: Simulation, plan: RunPlan): WorkflowRun {
  const { repository, workflow, event, head, actor, title } = plan;
  const now = sim.world.now();
  const run: WorkflowRun = {
    id: sim.world.nextId(),
    repository,
    suite: createSuite(sim, repository, sim.actions, head),
    workflow: { ...workflow, id: workflowId(sim, repository, workflow.path) },
    event,
    runNumber:
      sim.world.workflowRuns.filter((one) => one.repository === repository && one.workflow.path === workflow.path)
        .length + 1,
    actor,
    title,
    status: 'queued',
    conclusion: null,
    createdAt: now,
    updatedAt: now,
    jobs: [],
    artifacts: [],
    logs: 'kept',
  };
  sim.world.workflowRuns.push(run);
  return run;
}

/** A workflow keeps its id from run to run. */
function workflowId(sim: Simulation, repository: Repository, path: string): number {
  const known = sim.world.workflowRuns.find((run) => run.repository === repository && run.workflow.path === path);
  return known?.workflow.id ?? sim.world.nextId();
}

async function queueJob(sim: Simulation, run: WorkflowRun, plan: JobPlan): Promise<Job> {
  const checkRun = await createCheckRun(sim, run.suite, { name: plan.name });
  const { id } = checkRun;
  const created = sim.world.now();
  const job: Job = {
    id,
    run,
    checkRun,
    name: plan.name,
    labels: plan.labels,
    steps: [],
    createdAt: created,
    log: null,
  };
  checkRun.detailsUrl = pageOfJob(sim.links, job);
  run.jobs.push(job);
  announceJob(sim, job, 'queued');
  return job;
}

async function playJob(
  sim: Simulation,
  job: Job,
  plan: JobPlan,
  ends: ReadonlyMap<string, Promise<Conclusion>>,
  work: Work,
  turn: Turn,
): Promise<Conclusion> {
  const needed = await Promise.all(plan.needs.map((key) => ends.get(key) ?? Promise.resolve<Conclusion>('success')));
  if (needed.some((conclusion) => conclusion !== 'success')) return await endJob(sim, job, SKIPPED);
  return await turn(async () => {
    await begin(sim, job);
    return await endJob(sim, job, await work(job, plan));
  });
}

const SKIPPED: JobOutcome = { conclusion: 'skipped', log: null, annotations: [], artifacts: [] };

async function begin(sim: Simulation, job: Job): Promise<void> {
  const { run } = job;
  await updateCheckRun(sim, job.checkRun, { status: 'in_progress', started_at: time(sim.world.now()) });
  run.suite.status = 'in_progress';
  if (run.status === 'queued') {
    run.status = 'in_progress';
    run.updatedAt = sim.world.now();
    await announceRun(sim, run, 'in_progress');
  }
  announceJob(sim, job, 'in_progress');
}

async function endJob(sim: Simulation, job: Job, outcome: JobOutcome): Promise<Conclusion> {
  const now = sim.world.now();
  job.log = outcome.log;
  for (const artifact of outcome.artifacts) {
    job.run.artifacts.push({ id: sim.world.nextId(), run: job.run, ...artifact, createdAt: now, expired: false });
  }
  const { conclusion, annotations } = outcome;
  await updateCheckRun(sim, job.checkRun, { conclusion, output: { annotations } });
  announceJob(sim, job, 'completed');
  return conclusion;
}

async function endRun(sim: Simulation, run: WorkflowRun, conclusions: readonly Conclusion[]): Promise<void> {
  run.status = 'completed';
  run.conclusion = run.suite.conclusion ?? conclusions[0] ?? 'success';
  run.updatedAt = sim.world.now();
  await announceSuite(sim, run.suite, 'completed');
  await announceRun(sim, run, 'completed');
}

async function announceRun(sim: Simulation, run: WorkflowRun, action: string): Promise<void> {
  const { links, world } = sim;
  const { workflow, repository } = run;
  const url = `${apiOf(links, repository)}/actions/workflows/${workflow.id}`;
  sim.webhooks.send(repository, 'workflow_run', action, run.actor, {
    workflow_run: await workflowRunJson(links, world, sim.git(repository), run),
    workflow: {
      id: workflow.id,
      node_id: nodeId('Workflow', workflow.id),
      name: workflow.name,
      path: workflow.path,
      state: 'active',
      created_at: time(repository.createdAt),
      updated_at: time(repository.createdAt),
      url,
      html_url: `${pageOf(links, repository)}/blob/${repository.defaultBranch}/${workflow.path}`,
      badge_url: `${pageOf(links, repository)}/workflows/${encodeURIComponent(workflow.name)}/badge.svg`,
    },
  });
}

function announceJob(sim: Simulation, job: Job, action: string): void {
  sim.webhooks.send(job.run.repository, 'workflow_job', action, job.run.actor, {
    workflow_job: jobJson(sim.links, job),
  });
}
