/** Runs one job of a workflow for real: its steps, one after the other, on a checked-out commit. */
import { resolve } from 'node:path';
import type { Conclusion, Job, Step } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { runAction } from './actions.ts';
import type { JobOutcome, RunPlan } from './lifecycle.ts';
import { JobLog } from './log.ts';
import { prepareRunner, type Runner, removeRunner, runScript } from './runner.ts';
import { type StepPlan, substitute, type WorkflowJob } from './workflow.ts';

export interface JobTask {
  readonly job: Job;
  readonly plan: WorkflowJob;
  readonly run: RunPlan;
  readonly signal: AbortSignal;
}

/** Milliseconds that a step may take: a simulated job has no six hours. */
const STEP_TIMEOUT = 5 * 60_000;

export async function executeJob(sim: Simulation, task: JobTask): Promise<JobOutcome> {
  const { job, plan, run } = task;
  const log = new JobLog(sim.world.now);
  const artifacts: JobOutcome['artifacts'][number][] = [];
  const runner = await prepareRunner(sim, job, run);
  try {
    const setUp = beginStep(sim, job, 'Set up job');
    log.line("Current runner version: '2.325.0'");
    log.group('Operating System', ['Ubuntu', '24.04.2', 'LTS']);
    log.line('Prepare workflow directory');
    log.line(`Complete job name: ${job.name}`);
    endStep(sim, setUp, log, 'success');
    let conclusion: Conclusion = 'success';
    for (const one of plan.steps) {
      const outcome = await runStep(sim, task, one, { runner, log, artifacts }, conclusion);
      if (outcome === 'skipped' || outcome === 'success' || one['continue-on-error']) continue;
      conclusion = outcome;
    }
    const last = beginStep(sim, job, 'Complete job');
    log.line('Cleaning up orphan processes');
    endStep(sim, last, log, 'success');
    return { conclusion, log: log.bytes(), annotations: log.annotations, artifacts };
  } finally {
    await removeRunner(runner);
  }
}

interface Machine {
  readonly runner: Runner;
  readonly log: JobLog;
  readonly artifacts: JobOutcome['artifacts'][number][];
}

async function runStep(
  sim: Simulation,
  task: JobTask,
  plan: StepPlan,
  machine: Machine,
  before: Conclusion,
): Promise<Conclusion> {
  const { runner, log } = machine;
  const title = plan.name ?? (plan.uses === undefined ? `Run ${firstLine(plan.run ?? '')}` : `Run ${plan.uses}`);
  const step = beginStep(sim, task.job, title);
  const due = isDue(plan.if, before);
  if (due === false) return endStep(sim, step, log, 'skipped');
  if (due === null) {
    log.error(`The condition \`${plan.if}\` is more than this runner can evaluate.`);
    return endStep(sim, step, log, 'failure');
  }
  const contexts = {
    env: { ...task.plan.env, ...runner.added, ...plan.env },
    matrix: task.plan.matrix,
    ...githubContext(runner),
  };
  const fill = (text: string): string => substitute(text, contexts);
  const filled = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
  const env = filled({ ...task.plan.env, ...plan.env });
  if (plan.uses !== undefined)
    return endStep(sim, step, log, await callAction(sim, task, plan.uses, filled(plan.with), machine));
  const text = fill(plan.run ?? '');
  log.group(`Run ${firstLine(text)}`, [
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `\u001b[36;1m${line}\u001b[0m`),
    'shell: /usr/bin/bash -e {0}',
    ...listed('env', env),
  ]);
  const cwd = resolve(runner.workspace, fill(plan['working-directory']));
  const code = await runScript(runner, log, { text, cwd, env, signal: task.signal, timeout: STEP_TIMEOUT });
  if (code === 0) return endStep(sim, step, log, 'success');
  log.error(
    code === null ? 'The operation was canceled: it took too long.' : `Process completed with exit code ${code}.`,
  );
  return endStep(sim, step, log, code === null ? 'timed_out' : 'failure');
}

async function callAction(
  sim: Simulation,
  task: JobTask,
  uses: string,
  inputs: Readonly<Record<string, string>>,
  { runner, log, artifacts }: Machine,
): Promise<Conclusion> {
  log.group(`Run ${uses}`, listed('with', inputs));
  const gitDir = sim.git(task.run.repository).dir;
  try {
    await runAction(uses, { runner, log, plan: task.run, gitDir, inputs, artifacts });
    return 'success';
  } catch (thrown) {
    log.error(thrown instanceof Error ? thrown.message : String(thrown));
    return 'failure';
  }
}

function listed(title: string, values: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(values).map(([key, value]) => `  ${key}: ${value}`);
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

function githubContext(runner: Runner): Record<string, Record<string, string>> {
  const github = Object.entries(runner.base).flatMap(([key, value]) =>
    key.startsWith('GITHUB_') ? [[key.slice('GITHUB_'.length).toLowerCase(), value] as const] : [],
  );
  return {
    github: Object.fromEntries(github),
    runner: { os: 'Linux', arch: 'X64', temp: runner.base.RUNNER_TEMP ?? '' },
  };
}

/** The status functions are understood; null for any other condition. */
const CONDITIONS: Readonly<Record<string, (before: Conclusion) => boolean>> = {
  'success()': (before) => before === 'success',
  'failure()': (before) => before === 'failure',
  'always()': () => true,
  '!cancelled()': () => true,
  'cancelled()': () => false,
  true: (before) => before === 'success',
  false: () => false,
};

function isDue(condition: string | undefined, before: Conclusion): boolean | null {
  const bare = (condition ?? 'success()').replace(/^\s*\$\{\{|\}\}\s*$/g, '').trim();
  return CONDITIONS[bare]?.(before) ?? null;
}

function beginStep(sim: Simulation, job: Job, name: string): Step {
  const startedAt = sim.world.now();
  const number = job.steps.length + 1;
  const step: Step = { number, name, status: 'in_progress', conclusion: null, startedAt, completedAt: null, log: '' };
  job.steps.push(step);
  return step;
}

function endStep(sim: Simulation, step: Step, log: JobLog, conclusion: Conclusion): Conclusion {
  step.status = 'completed';
  step.conclusion = conclusion;
  step.completedAt = sim.world.now();
  step.log = log.endStep();
  return conclusion;
}
