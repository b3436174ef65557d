/** When CI runs: which workflows an event starts, and two jobs at a time. */
import type { Account, Issue, Repository, WorkflowRun } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { executeJob } from './execute.ts';
import { type Head, type JobOutcome, type RunPlan, startRun, type Turn, type Work } from './lifecycle.ts';
import { readWorkflows, type Trigger, type Workflow } from './workflow.ts';

export interface Ci {
  push(repository: Repository, head: Head, actor: Account): Promise<void>;
  pullRequest(issue: Issue, actor: Account): Promise<void>;
  /** Plays a run whose outcome is known beforehand. */
  play(plan: RunPlan, work: Work): Promise<{ run: WorkflowRun; done: Promise<void> }>;
  /** Resolves when no run is under way. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const AT_ONCE = 2;

export function createCi(simulation: () => Simulation): Ci {
  const turn = limited(AT_ONCE);
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  async function play(plan: RunPlan, work: Work): Promise<{ run: WorkflowRun; done: Promise<void> }> {
    const started = await startRun(simulation(), plan, work, turn);
    running.add(started.done);
    void started.done.finally(() => running.delete(started.done)).catch(() => undefined);
    return started;
  }

  async function start(repository: Repository, head: Head, actor: Account, trigger: Trigger): Promise<void> {
    const sim = simulation();
    if (closing.signal.aborted) return;
    const workflows = await readWorkflows(sim.git(repository), head.sha);
    const commit = await sim.git(repository).commit(head.sha);
    const title = trigger.title ?? commit.message.split('\n')[0] ?? '';
    for (const workflow of workflows.filter((one) => one.startsOn(trigger))) {
      const plan = planOf(repository, workflow, head, actor, trigger, title);
      const jobs = new Map(workflow.jobs.map((job) => [job.key, job]));
      await play(plan, (job, { key }) => {
        const found = jobs.get(key);
        if (!found) throw new Error(`${workflow.path} has no job ${key}.`);
        return executeJob(sim, { job, plan: found, run: plan, signal: closing.signal }).catch(brokenRunner);
      });
    }
  }

  return {
    push: (repository, head, actor) =>
      start(repository, head, actor, { event: 'push', branch: head.branch, title: null, number: null }),
    pullRequest: async ({ pull, repository, number, title }, actor) => {
      if (!pull) return;
      const head = { sha: pull.headSha, branch: pull.headBranch, before: null };
      await start(repository, head, actor, { event: 'pull_request', branch: pull.baseBranch, title, number });
    },
    play,
    idle: async () => {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
    close: async () => {
      closing.abort();
      await Promise.allSettled([...running]);
    },
  };
}

function planOf(
  repository: Repository,
  workflow: Workflow,
  head: Head,
  actor: Account,
  trigger: Trigger,
  title: string,
): RunPlan {
  const { name, path } = workflow;
  return { repository, workflow: { name, path }, event: trigger.event, head, actor, title, jobs: workflow.jobs };
}

/** The runner itself failed: the job fails, and its log says why. */
function brokenRunner(thrown: unknown): JobOutcome {
  const log = Buffer.from(`##[error]The runner has failed: ${thrown instanceof Error ? thrown.message : thrown}\n`);
  return { conclusion: 'failure', log, annotations: [], artifacts: [] };
}

function limited(most: number): Turn {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
