/** What GitHub knows about failing checks: logs, annotations and test reports, or why it has none. */
import type { Check, Evidence } from '../../ports/forge.ts';
import { reportsOf } from './artifacts.ts';
import { absence } from './download.ts';
import { asking } from './github-error.ts';
import { jobLog, runLogsOf } from './job-log.ts';
import { collect, itemsOf } from './pages.ts';
import { nameOf, type Reach } from './reach.ts';
import { annotationSchema } from './schema.ts';

/** Checks asked about at the same time. */
const AT_ONCE = 4;

/** Logs and annotations in the order of the checks, then the test reports of their workflow runs. */
export async function evidenceOf(reach: Reach, failing: readonly Check[]): Promise<readonly Evidence[]> {
  const runLogs = runLogsOf(reach);
  const read = failing.slice(0, reach.limits.checks);
  const perCheck = await inOrder(read, async (check) => [
    await jobLog(reach, check, runLogs),
    ...(await annotationsOf(reach, check)),
  ]);
  const workflowRuns = new Set(read.map((check) => check.workflow_run_id).filter((id) => id !== null));
  const reports = await reportsOf(reach, [...workflowRuns]);
  return [...perCheck.flat(), ...failing.slice(reach.limits.checks).map(tooMany), ...reports];
}

function tooMany(check: Check): Evidence {
  return { name: `log: ${check.name}`, origin: 'job_log', missing: 'Too many checks failed; this one was not read.' };
}

/** The annotations of a check run as one JSON document, as the API gives them. */
async function annotationsOf(reach: Reach, check: Check): Promise<readonly Evidence[]> {
  if (check.source !== 'check_run') return [];
  const name = `annotations: ${check.name}`;
  try {
    const annotations = await readAnnotations(reach, check);
    if (annotations.length === 0) return [];
    const document = Buffer.from(JSON.stringify(annotations));
    return [
      {
        name,
        origin: 'annotations',
        check_key: check.key,
        async *bytes() {
          yield document;
        },
      },
    ];
  } catch (error) {
    const missing = absence(error);
    if (missing === null) throw error;
    return [{ name, origin: 'annotations', missing }];
  }
}

function readAnnotations(reach: Reach, check: Check) {
  const pages = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations', {
    ...reach.at,
    check_run_id: Number(check.key.slice('check_run:'.length)),
    per_page: 100,
  });
  return asking(`read the annotations of check ${check.name} of ${nameOf(reach)}`, () =>
    collect(itemsOf(pages, annotationSchema, reach.limits.pages), reach.limits.annotations),
  );
}

/** Results in the order of the items, a few at a time. */
async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}
