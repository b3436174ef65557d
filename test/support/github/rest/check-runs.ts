/** Check runs and their annotations. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import { createCheckRun, suiteFor, updateCheckRun } from '../domain/checks.ts';
import { type ApiContext, type Env, numberParam, readBody, z } from '../http/context.ts';
import { GithubError, notFound, unprocessable } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { annotationJson, checkRunJson } from '../json/check.ts';
import type { AppIdentity, CheckRun, Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { refOf } from './commits.ts';

/** GitHub takes at most so many annotations in one request; more go into further ones. */
const ANNOTATIONS_A_REQUEST = 50;
/** Characters of `summary` and of `text`. */
const LONGEST_TEXT = 65_535;

const annotation = z
  .object({
    path: z.string().min(1),
    start_line: z.int().positive(),
    end_line: z.int().positive(),
    start_column: z.int().positive().nullable().default(null),
    end_column: z.int().positive().nullable().default(null),
    annotation_level: z.enum(['notice', 'warning', 'failure']),
    message: z.string().min(1).max(65_536),
    title: z.string().max(255).nullable().default(null),
    raw_details: z.string().max(65_536).nullable().default(null),
  })
  .refine((one) => one.end_line >= one.start_line, 'end_line is before start_line')
  .refine(
    (one) => one.start_column === null || one.start_line === one.end_line,
    'columns need start and end on the same line',
  );

const output = z.object({
  title: z.string().optional(),
  summary: z.string().max(LONGEST_TEXT),
  text: z.string().max(LONGEST_TEXT).optional(),
  annotations: z.array(annotation).max(ANNOTATIONS_A_REQUEST).optional(),
});

const change = z.object({
  name: z.string().min(1).optional(),
  external_id: z.string().optional(),
  details_url: z.url().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  conclusion: z
    .enum(['success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required'])
    .optional(),
  started_at: z.iso.datetime().optional(),
  completed_at: z.iso.datetime().optional(),
  output: output.optional(),
  actions: z
    .array(z.object({ label: z.string().max(20), description: z.string().max(40), identifier: z.string().max(20) }))
    .max(3)
    .optional(),
});

export type CheckRunChange = z.output<typeof change>;

const newRun = change.extend({ name: z.string().min(1), head_sha: z.string() });

export function checkRunRoutes(api: Hono<Env>, sim: Simulation): void {
  const { world, links } = sim;

  api.post('/repos/:owner/:repo/check-runs', async (c) => {
    const repository = accessTo(sim, c, 'checks:write');
    const app = appOf(c);
    const request = await readBody(c, newRun);
    refuseHalf(request);
    if (request.output && request.output.title === undefined) throw unprocessable(['"output.title" wasn\'t supplied.']);
    if (!/^[0-9a-f]{40}$/.test(request.head_sha) || (await sim.git(repository).resolve(request.head_sha)) === null) {
      throw new GithubError(422, `No commit found for SHA: ${request.head_sha}`);
    }
    const suite = await suiteFor(sim, repository, app, request.head_sha);
    const run = await createCheckRun(sim, suite, request);
    return c.json(checkRunJson(links, world, run), 201);
  });

  api.patch('/repos/:owner/:repo/check-runs/:check_run_id', async (c) => {
    const repository = accessTo(sim, c, 'checks:write');
    const run = runOf(sim, c, repository);
    if (run.suite.app !== appOf(c))
      throw new GithubError(403, 'Invalid app_id `check_run` can only be modified by the app that created it');
    const request = await readBody(c, change);
    refuseHalf(request);
    await updateCheckRun(sim, run, request);
    return c.json(checkRunJson(links, world, run));
  });

  api.get('/repos/:owner/:repo/check-runs/:check_run_id', (c) => {
    return c.json(checkRunJson(links, world, runOf(sim, c, accessTo(sim, c, 'checks:read'))));
  });

  api.get('/repos/:owner/:repo/check-runs/:check_run_id/annotations', (c) => {
    const run = runOf(sim, c, accessTo(sim, c, 'checks:read'));
    return c.json(pageOfList(c, links, run.annotations).map((one) => annotationJson(links, run, one)));
  });

  api.get('/repos/:owner/:repo/commits/:ref/check-runs', async (c) => {
    const repository = accessTo(sim, c, 'checks:read');
    const sha = await refOf(sim, c, repository);
    const runs = world.checkRuns.filter((run) => run.suite.repository === repository && run.suite.headSha === sha);
    return listed(sim, c, runs);
  });

  api.get('/repos/:owner/:repo/check-suites/:check_suite_id/check-runs', (c) => {
    const repository = accessTo(sim, c, 'checks:read');
    const id = numberParam(c, 'check_suite_id');
    const suite = world.checkSuites.find((one) => one.id === id && one.repository === repository);
    if (!suite) throw notFound();
    return listed(sim, c, world.checkRunsOf(suite));
  });
}

function listed(sim: Simulation, c: ApiContext, runs: readonly CheckRun[]): Response {
  const { filter = 'latest', check_name: name, status, app_id: app } = c.req.query();
  const chosen = (filter === 'all' ? runs : newestOfEachName(runs))
    .filter((run) => name === undefined || run.name === name)
    .filter((run) => status === undefined || run.status === status)
    .filter((run) => app === undefined || String(run.suite.app.id) === app);
  const page = pageOfList(c, sim.links, [...chosen].reverse());
  return c.json({
    total_count: chosen.length,
    check_runs: page.map((run) => checkRunJson(sim.links, sim.world, run)),
  });
}

function newestOfEachName(runs: readonly CheckRun[]): CheckRun[] {
  return [...new Map(runs.map((run) => [`${run.suite.id} ${run.name}`, run])).values()];
}

function runOf(sim: Simulation, c: ApiContext, repository: Repository): CheckRun {
  const id = numberParam(c, 'check_run_id');
  const run = sim.world.checkRuns.find((one) => one.id === id && one.suite.repository === repository);
  if (!run) throw notFound();
  return run;
}

/** People cannot write check runs; apps can. */
function appOf(c: ApiContext): AppIdentity {
  const caller = c.get('caller');
  if (caller.kind === 'installation') return caller.token.installation.app;
  throw new GithubError(403, 'You must authenticate via a GitHub App.');
}

function refuseHalf(request: CheckRunChange): void {
  if (request.status === 'completed' && request.conclusion === undefined) {
    throw unprocessable(['"conclusion" is required when "status" is "completed".']);
  }
}
