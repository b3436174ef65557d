/** The REST API: all resources below one base, behind the same middleware. */
import { Hono, type MiddlewareHandler } from 'hono';
import type { Env } from '../http/context.ts';
import { GithubError, notFound } from '../http/errors.ts';
import { conditional, credentials, orderedFaults, rateLimit, standardHeaders } from '../http/middleware.ts';
import type { Simulation } from '../simulation.ts';
import { actionsRoutes } from './actions.ts';
import { appRoutes } from './apps.ts';
import { checkRunRoutes } from './check-runs.ts';
import { checkSuiteRoutes } from './check-suites.ts';
import { commentRoutes } from './comments.ts';
import { commitRoutes } from './commits.ts';
import { contentRoutes } from './contents.ts';
import { gitDataRoutes } from './git-data.ts';
import { issueRoutes } from './issues.ts';
import { labelRoutes } from './labels.ts';
import { pullRoutes } from './pulls.ts';
import { reactionRoutes } from './reactions.ts';
import { repositoryRoutes } from './repositories.ts';
import { statusRoutes } from './statuses.ts';

/** A new resource is one file with one such function, and one line here. */
const RESOURCES: readonly ((api: Hono<Env>, sim: Simulation) => void)[] = [
  appRoutes,
  repositoryRoutes,
  contentRoutes,
  gitDataRoutes,
  commitRoutes,
  checkRunRoutes,
  checkSuiteRoutes,
  statusRoutes,
  actionsRoutes,
  pullRoutes,
  labelRoutes,
  commentRoutes,
  reactionRoutes,
  issueRoutes,
];

export function createApi(sim: Simulation, around: readonly MiddlewareHandler[]): Hono<Env> {
  const api = new Hono<Env>();
  for (const handler of around) api.use(handler);
  api.use(standardHeaders(sim));
  api.use(orderedFaults(sim));
  api.use(credentials(sim));
  api.use(rateLimit(sim));
  api.use(conditional);
  for (const register of RESOURCES) register(api, sim);
  api.all('*', () => {
    throw notFound();
  });
  api.onError((error, c) => {
    if (error instanceof GithubError) return c.json(error.body, error.status);
    process.emitWarning(error, { code: 'GITHUB_SIMULATOR' });
    return c.json({ message: `Server Error: ${error.message}`, documentation_url: '', status: '500' }, 500);
  });
  return api;
}
