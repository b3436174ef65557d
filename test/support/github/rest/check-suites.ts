/** Check suites: all check runs of one app on one commit. */
import type { Hono } from 'hono';
import { accessTo } from '../auth/access.ts';
import { type Env, numberParam } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { pageOfList } from '../http/pages.ts';
import { checkSuiteJson } from '../json/check.ts';
import type { Simulation } from '../simulation.ts';
import { refOf } from './commits.ts';

export function checkSuiteRoutes(api: Hono<Env>, sim: Simulation): void {
  const { world, links } = sim;

  api.get('/repos/:owner/:repo/commits/:ref/check-suites', async (c) => {
    const repository = accessTo(sim, c, 'checks:read');
    const sha = await refOf(sim, c, repository);
    const { app_id: app, check_name: name } = c.req.query();
    const suites = world.checkSuites
      .filter((suite) => suite.repository === repository && suite.headSha === sha)
      .filter((suite) => app === undefined || String(suite.app.id) === app)
      .filter((suite) => name === undefined || world.checkRunsOf(suite).some((run) => run.name === name));
    const page = pageOfList(c, links, suites);
    const git = sim.git(repository);
    return c.json({
      total_count: suites.length,
      check_suites: await Promise.all(page.map((suite) => checkSuiteJson(links, world, git, suite))),
    });
  });

  api.get('/repos/:owner/:repo/check-suites/:check_suite_id', async (c) => {
    const repository = accessTo(sim, c, 'checks:read');
    const id = numberParam(c, 'check_suite_id');
    const suite = world.checkSuites.find((one) => one.id === id && one.repository === repository);
    if (!suite) throw notFound();
    return c.json(await checkSuiteJson(links, world, sim.git(repository), suite));
  });
}
