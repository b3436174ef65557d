/** The check run named `Inquest`: found again by the run's id, its annotations posted in batches. */
import type { Annotation, CheckReport, Written } from '../../ports/forge.ts';
import { collect, firstOf, itemsOf } from './pages.ts';
import { nameOf, type Reach } from './reach.ts';
import { annotationSchema, type CheckRun, checkRunSchema, writtenCheckRunSchema } from './schema.ts';
import { requireFits, SUMMARY_LIMIT, writeOnce } from './write-once.ts';

/** The name under which Inquest's verdict is listed among the checks. */
export const CHECK_NAME = 'Inquest';
/** GitHub takes so many annotations a request, and adds those of each request to the ones before. */
const BATCH = 50;
/** Characters that GitHub takes in an annotation. */
const TITLE_LIMIT = 255;
const MESSAGE_LIMIT = 16_000;

/** Creates or updates the check run with the report's external id. Annotations that are there already are not added again. */
export async function upsertCheckRun(reach: Reach, report: CheckReport): Promise<Written> {
  requireFits('The summary of the check run', report.summary, SUMMARY_LIMIT);
  return writeOnce(`write the check run of ${nameOf(reach)} at ${report.head_sha}`, async () => {
    const ours = await findCheckRun(reach, report);
    const missing = await annotationsToAdd(reach, ours, report.annotations.map(shortened));
    const [first = [], ...further] = batchesOf(missing);
    const written = ours === null ? await create(reach, report, first) : await update(reach, ours.id, report, first);
    for (const batch of further) await update(reach, written.id, report, batch);
    return written;
  });
}

function findCheckRun(reach: Reach, report: CheckReport): Promise<CheckRun | null> {
  const pages = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
    ...reach.at,
    ref: report.head_sha,
    check_name: CHECK_NAME,
    filter: 'all',
    per_page: 100,
  });
  const isReport = (run: CheckRun) => run.app?.id === reach.appId && run.external_id === report.external_id;
  return firstOf(itemsOf(pages, checkRunSchema, reach.limits.pages), isReport);
}

async function create(reach: Reach, report: CheckReport, annotations: readonly Annotation[]): Promise<Written> {
  const { data } = await reach.client.request('POST /repos/{owner}/{repo}/check-runs', {
    ...reach.at,
    name: CHECK_NAME,
    head_sha: report.head_sha,
    external_id: report.external_id,
    ...content(report, annotations),
    request: { once: true },
  });
  return writtenFrom(data);
}

async function update(
  reach: Reach,
  id: number,
  report: CheckReport,
  annotations: readonly Annotation[],
): Promise<Written> {
  const { data } = await reach.client.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
    ...reach.at,
    check_run_id: id,
    ...content(report, annotations),
    request: { once: true },
  });
  return writtenFrom(data);
}

function content({ status, conclusion, title, summary }: CheckReport, annotations: readonly Annotation[]) {
  return {
    status,
    ...(status === 'completed' ? { conclusion: conclusion ?? ('neutral' as const) } : {}),
    output: {
      title,
      summary,
      annotations: annotations.map(({ level, ...annotation }) => ({ ...annotation, annotation_level: level })),
    },
  };
}

function writtenFrom(data: unknown): Written {
  const written = writtenCheckRunSchema.parse(data);
  return { id: written.id, url: written.html_url ?? '' };
}

async function annotationsToAdd(
  reach: Reach,
  ours: CheckRun | null,
  wanted: readonly Annotation[],
): Promise<readonly Annotation[]> {
  if (wanted.length === 0 || !ours?.output?.annotations_count) return wanted;
  const pages = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations', {
    ...reach.at,
    check_run_id: ours.id,
    per_page: 100,
  });
  const written = await collect(itemsOf(pages, annotationSchema, reach.limits.pages));
  const known = new Set(
    written.map((one) => JSON.stringify([one.path, one.start_line, one.end_line, one.title, one.message])),
  );
  return wanted.filter(
    (one) => !known.has(JSON.stringify([one.path, one.start_line, one.end_line, one.title, one.message])),
  );
}

/** An annotation points at a line; the whole text is in the report. */
function shortened(annotation: Annotation): Annotation {
  const { title, message } = annotation;
  return { ...annotation, title: title.slice(0, TITLE_LIMIT), message: message.slice(0, MESSAGE_LIMIT) };
}

function batchesOf<T>(items: readonly T[]): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < items.length; start += BATCH) batches.push(items.slice(start, start + BATCH));
  return batches;
}
