/** The machine that a job runs on: folders, environment, and how a script is run in it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { Job } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import type { RunPlan } from './lifecycle.ts';
import type { JobLog } from './log.ts';

export interface Runner {
  readonly root: string;
  readonly workspace: string;
  /** What earlier steps added by `GITHUB_ENV`. */
  readonly added: Record<string, string>;
  readonly base: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<'GITHUB_ENV' | 'GITHUB_PATH' | 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY', string>>;
  path: string;
}

export async function prepareRunner(sim: Simulation, job: Job, plan: RunPlan): Promise<Runner> {
  const root = await mkdtemp(join(sim.rootDir, `job-${job.id}-`));
  const { owner, name } = plan.repository;
  const workspace = join(root, 'work', name, name);
  for (const folder of [workspace, join(root, 'temp'), join(root, 'home')]) await mkdir(folder, { recursive: true });
  const file = async (fileName: string): Promise<string> => {
    const path = join(root, 'temp', fileName);
    await writeFile(path, '');
    return path;
  };
  const pull = plan.event === 'pull_request';
  return {
    root,
    workspace,
    added: {},
    path: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    files: {
      GITHUB_ENV: await file('set_env'),
      GITHUB_PATH: await file('add_path'),
      GITHUB_OUTPUT: await file('set_output'),
      GITHUB_STEP_SUMMARY: await file('step_summary'),
    },
    base: {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTOR: plan.actor.login,
      GITHUB_API_URL: sim.links.api,
      GITHUB_EVENT_NAME: plan.event,
      GITHUB_JOB: job.name,
      GITHUB_REF: pull ? `refs/pull/${pullNumber(sim, plan)}/merge` : `refs/heads/${plan.head.branch}`,
      GITHUB_REF_NAME: pull ? `${pullNumber(sim, plan)}/merge` : plan.head.branch,
      GITHUB_HEAD_REF: pull ? plan.head.branch : '',
      GITHUB_REPOSITORY: `${owner.login}/${name}`,
      GITHUB_REPOSITORY_OWNER: owner.login,
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_RUN_ID: String(job.run.id),
      GITHUB_RUN_NUMBER: String(job.run.runNumber),
      GITHUB_SERVER_URL: sim.links.site,
      GITHUB_SHA: plan.head.sha,
      GITHUB_WORKFLOW: plan.workflow.name,
      GITHUB_WORKSPACE: workspace,
      HOME: join(root, 'home'),
      LANG: 'C.UTF-8',
      RUNNER_ARCH: 'X64',
      RUNNER_OS: 'Linux',
      RUNNER_TEMP: join(root, 'temp'),
      TMPDIR: join(root, 'temp'),
    },
  };
}

function pullNumber(sim: Simulation, plan: RunPlan): number {
  return sim.world.openPullsOf(plan.repository, plan.head.branch)[0]?.number ?? 0;
}

export async function removeRunner(runner: Runner): Promise<void> {
  await rm(runner.root, { recursive: true, force: true });
}

export interface Script {
  readonly text: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Runs a step's script as Actions does, `bash -e FILE`; returns its exit code, or null when it ran out of time. */
export async function runScript(runner: Runner, log: JobLog, script: Script): Promise<number | null> {
  const file = join(runner.root, 'temp', 'step.sh');
  await writeFile(file, script.text);
  const child = execa('bash', ['-e', file], {
    cwd: script.cwd,
    env: { ...runner.base, ...runner.files, ...runner.added, ...script.env, PATH: runner.path },
    extendEnv: false,
    all: true,
    buffer: false,
    detached: true,
    reject: false,
    stdin: 'ignore',
  });
  let late = false;
  const end = (): void => killGroup(child.pid);
  const timer = setTimeout(() => {
    late = true;
    end();
  }, script.timeout);
  script.signal.addEventListener('abort', end, { once: true });
  try {
    for await (const line of child.iterable({ from: 'all' })) log.output(asOnGithub(runner, String(line)));
    const { exitCode } = await child;
    await absorb(runner);
    return late ? null : (exitCode ?? 1);
  } finally {
    clearTimeout(timer);
    script.signal.removeEventListener('abort', end);
    end();
  }
}

/** Hosted runners work in `/home/runner/work/<name>/<name>`; the log says so here too. */
function asOnGithub(runner: Runner, line: string): string {
  return line.replaceAll(join(runner.root, 'work'), '/home/runner/work');
}

/** The script and whatever it left running. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}

/** Takes over what the step wrote for the following ones. */
async function absorb(runner: Runner): Promise<void> {
  const text = await readFile(runner.files.GITHUB_ENV, 'utf8');
  for (const line of text.split('\n')) {
    const cut = line.indexOf('=');
    if (cut > 0) runner.added[line.slice(0, cut)] = line.slice(cut + 1);
  }
  const paths = (await readFile(runner.files.GITHUB_PATH, 'utf8')).split('\n').filter(Boolean);
  if (paths.length > 0) runner.path = [...paths.reverse(), runner.path].join(':');
  await writeFile(runner.files.GITHUB_PATH, '');
}
