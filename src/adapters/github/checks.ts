/** The checks of a commit: check runs and commit statuses, but Inquest's own. */
import type { Check } from '../../ports/forge.ts';
import { asking, askingIfAllowed } from './github-error.ts';
import { collect, itemsOf } from './pages.ts';
import { nameOf, type Reach } from './reach.ts';
import { type CheckRun, checkRunSchema, statusSchema, workflowRunSchema } from './schema.ts';

/** The newest check of each name; two workflows may use the same name and are told apart. */
export async function checksOf(reach: Reach, sha: string): Promise<readonly Check[]> {
  const where = `${nameOf(reach)} at ${sha}`;
  const [runs, statuses] = await Promise.all([
    asking(`list the check runs of ${where}`, () => checkRunsOf(reach, sha)),
    askingIfAllowed(`list the commit statuses of ${where}`, [], () => statusesOf(reach, sha)),
  ]);
  return [...runs, ...statuses];
}

async function checkRunsOf(reach: Reach, sha: string): Promise<Check[]> {
  const pages = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
    ...reach.at,
    ref: sha,
    filter: 'latest',
    per_page: 100,
  });
  const all = await collect(itemsOf(pages, checkRunSchema, reach.limits.pages));
  const others = all.filter((run) => run.app?.id !== reach.appId);
  const workflows = await workflowsOf(reach, sha, others);
  const newest = newestBy(others, (run) => JSON.stringify([run.app?.id, workflows.get(suiteOf(run)), run.name]));
  return newest.map(checkOfRun);
}

/**
 * Check suite to workflow; asked only when one app has two check runs of one name in different suites. They are then
 * either a workflow that ran again for the same commit (the newest counts) or two workflows (both count).
 */
async function workflowsOf(reach: Reach, sha: string, runs: readonly CheckRun[]): Promise<Map<number, number>> {
  const names = new Set(runs.map((run) => JSON.stringify([run.app?.id, run.name])));
  if (names.size === runs.length) return new Map();
  const pages = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/actions/runs', {
    ...reach.at,
    head_sha: sha,
    per_page: 100,
  });
  const found = await askingIfAllowed(`list the workflow runs of ${nameOf(reach)} at ${sha}`, [], () =>
    collect(itemsOf(pages, workflowRunSchema, reach.limits.pages)),
  );
  return new Map(found.map((run) => [run.check_suite_id ?? 0, run.workflow_id]));
}

function suiteOf(run: CheckRun): number {
  return run.check_suite?.id ?? -1;
}

function newestBy<T extends { readonly id: number }>(items: readonly T[], key: (item: T) => string): T[] {
  const newest = new Map<string, T>();
  for (const item of items) {
    const known = newest.get(key(item));
    if (known === undefined || known.id < item.id) newest.set(key(item), item);
  }
  return [...newest.values()].sort((one, other) => one.id - other.id);
}

function checkOfRun(run: CheckRun): Check {
  return {
    key: `check_run:${run.id}`,
    source: 'check_run',
    name: run.name,
    state: stateOf(run),
    url: run.html_url ?? run.details_url ?? null,
    ...actionsIds(run),
  };
}

function stateOf(run: CheckRun): Check['state'] {
  if (run.status !== 'completed') return 'running';
  return run.conclusion === 'failure' || run.conclusion === 'timed_out' ? 'failed' : 'passed';
}

/**
 * An Actions job and its check run have the same id; the page of the check names the workflow run. Check runs that a
 * workflow's step reports (test reporters do) belong to the same app, but have a page of another kind and no log.
 */
function actionsIds(run: CheckRun): Pick<Check, 'job_id' | 'workflow_run_id'> {
  const place = /\/actions\/runs\/(\d+)(?:\/jobs?\/(\d+))?/.exec(run.details_url ?? run.html_url ?? '');
  if (run.app?.slug !== 'github-actions' || place === null) return { job_id: null, workflow_run_id: null };
  return { job_id: Number(place[2] ?? run.id), workflow_run_id: Number(place[1]) };
}

const STATUS_STATES: ReadonlyMap<string, Check['state']> = new Map([
  ['pending', 'running'],
  ['success', 'passed'],
]);

async function statusesOf(reach: Reach, sha: string): Promise<Check[]> {
  const pages = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/commits/{ref}/statuses', {
    ...reach.at,
    ref: sha,
    per_page: 100,
  });
  const all = await collect(itemsOf(pages, statusSchema, reach.limits.pages));
  return newestBy(all, (status) => status.context).map((status) => ({
    key: `status:${status.context}:${status.id}`,
    source: 'status',
    name: status.context,
    state: STATUS_STATES.get(status.state) ?? 'failed',
    url: status.target_url ?? null,
    job_id: null,
    workflow_run_id: null,
  }));
}
