/** GitHub Actions: workflow runs, jobs, logs and artifacts. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import { zipOfRunLogs } from '../ci/archive.ts';
import { type ApiContext, type Env, numberParam } from '../http/context.ts';
import { GithubError, notFound } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { artifactJson, jobJson, workflowRunJson } from '../json/workflow.ts';
import type { Repository, WorkflowRun } from '../model.ts';
import type { Simulation } from '../simulation.ts';

export function actionsRoutes(api: Hono<Env>, sim: Simulation): void {
  const { world, links } = sim;

  api.get('/repos/:owner/:repo/actions/runs', async (c) => {
    const repository = accessTo(sim, c, 'actions:read');
    const { head_sha: sha, branch, event, status, check_suite_id: suite } = c.req.query();
    const found = world.workflowRuns
      .filter((run) => run.repository === repository)
      .filter((run) => sha === undefined || run.suite.headSha === sha)
      .filter((run) => branch === undefined || run.suite.headBranch === branch)
      .filter((run) => event === undefined || run.event === event)
      .filter((run) => status === undefined || run.status === status || run.conclusion === status)
      .filter((run) => suite === undefined || String(run.suite.id) === suite)
      .reverse();
    const page = pageOfList(c, links, found);
    const git = sim.git(repository);
    return c.json({
      total_count: found.length,
      workflow_runs: await Promise.all(page.map((run) => workflowRunJson(links, world, git, run))),
    });
  });

  api.get('/repos/:owner/:repo/actions/runs/:run_id', async (c) => {
    const repository = accessTo(sim, c, 'actions:read');
    return c.json(await workflowRunJson(links, world, sim.git(repository), runOf(sim, c, repository)));
  });

  api.get('/repos/:owner/:repo/actions/runs/:run_id/jobs', (c) => {
    const run = runOf(sim, c, accessTo(sim, c, 'actions:read'));
    return c.json({
      total_count: run.jobs.length,
      jobs: pageOfList(c, links, run.jobs).map((job) => jobJson(links, job)),
    });
  });

  api.get('/repos/:owner/:repo/actions/runs/:run_id/logs', async (c) => {
    const run = runOf(sim, c, accessTo(sim, c, 'actions:read'));
    if (run.status !== 'completed') throw notFound();
    if (run.logs === 'expired') throw gone('Logs');
    const bytes = await zipOfRunLogs(run);
    return c.redirect(sim.downloads.sign({ bytes, type: 'application/zip', fileName: `logs_${run.id}.zip` }), 302);
  });

  api.get('/repos/:owner/:repo/actions/jobs/:job_id', (c) => {
    return c.json(jobJson(links, jobOf(sim, c, accessTo(sim, c, 'actions:read'))));
  });

  api.get('/repos/:owner/:repo/actions/jobs/:job_id/logs', (c) => {
    const job = jobOf(sim, c, accessTo(sim, c, 'actions:read'));
    if (job.run.logs === 'expired') throw gone('Logs');
    if (job.log === null) throw notFound();
    const type = 'text/plain; charset=utf-8';
    return c.redirect(sim.downloads.sign({ bytes: job.log, type, fileName: `${job.id}.txt` }), 302);
  });

  api.get('/repos/:owner/:repo/actions/runs/:run_id/artifacts', (c) => {
    const run = runOf(sim, c, accessTo(sim, c, 'actions:read'));
    const { name } = c.req.query();
    const found = run.artifacts.filter((artifact) => name === undefined || artifact.name === name);
    return c.json({
      total_count: found.length,
      artifacts: pageOfList(c, links, found).map((artifact) => artifactJson(links, artifact)),
    });
  });

  api.get('/repos/:owner/:repo/actions/artifacts/:artifact_id', (c) => {
    return c.json(artifactJson(links, artifactOf(sim, c, accessTo(sim, c, 'actions:read'))));
  });

  api.get('/repos/:owner/:repo/actions/artifacts/:artifact_id/zip', (c) => {
    const artifact = artifactOf(sim, c, accessTo(sim, c, 'actions:read'));
    if (artifact.expired) throw gone('Artifact');
    const fileName = `${artifact.name}.zip`;
    return c.redirect(sim.downloads.sign({ bytes: artifact.zip, type: 'application/zip', fileName }), 302);
  });
}

const gone = (what: string): GithubError => new GithubError(410, `${what} has expired`);

function runOf(sim: Simulation, c: ApiContext, repository: Repository): WorkflowRun {
  const id = numberParam(c, 'run_id');
  return found(sim.world.workflowRuns.find((one) => one.id === id && one.repository === repository));
}

function jobOf(sim: Simulation, c: ApiContext, repository: Repository): WorkflowRun['jobs'][number] {
  const id = numberParam(c, 'job_id');
  return found(sim.world.jobs().find((one) => one.id === id && one.run.repository === repository));
}

function artifactOf(sim: Simulation, c: ApiContext, repository: Repository): WorkflowRun['artifacts'][number] {
  const id = numberParam(c, 'artifact_id');
  return found(sim.world.artifacts().find((one) => one.id === id && one.run.repository === repository));
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw notFound();
  return value;
}
