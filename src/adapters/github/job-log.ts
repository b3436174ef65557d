/** The log of an Actions job: its own, or its part of the workflow run's zip. */
import type { Check, Evidence } from '../../ports/forge.ts';
import { absence, beginning, type Download, download, whole } from './download.ts';
import { sizeOf } from './limits.ts';
import { type Locate, locate } from './locate.ts';
import { nameOf, type Reach } from './reach.ts';
import { entriesOf, isZip, type ZipEntry } from './zip.ts';

/** Shorter logs are kept from the first look; longer ones are fetched again when they are read. */
const KEPT_BYTES = 1024 * 1024;
const ORIGIN = 'job_log';

/** The zips of workflow runs, each fetched once. */
export type RunLogs = (workflowRunId: number) => Promise<readonly ZipEntry[]>;

/** The log of the failing check, or why there is none. */
export async function jobLog(reach: Reach, check: Check, runLogs: RunLogs): Promise<Evidence> {
  const name = `log: ${check.name}`;
  if (check.job_id === null) return { name, origin: ORIGIN, missing: notAJob(check) };
  const own = await ownLog(reach, check.job_id);
  if ('bytes' in own) return { name, origin: ORIGIN, check_key: check.key, bytes: own.bytes };
  const part = check.workflow_run_id === null ? own : await partOfRun(reach, check, runLogs, check.workflow_run_id);
  if ('bytes' in part) return { name, origin: ORIGIN, check_key: check.key, bytes: part.bytes };
  return { name, origin: ORIGIN, missing: own.missing };
}

/** Fetches the logs of a workflow run as GitHub zips them: `<n>_<job>.txt` and `<job>/<n>_<step>.txt`. */
export function runLogsOf(reach: Reach): RunLogs {
  const fetched = new Map<number, Promise<readonly ZipEntry[]>>();
  return (runId) => {
    const known = fetched.get(runId) ?? fetchRunLogs(reach, runId);
    fetched.set(runId, known);
    return known;
  };
}

function notAJob(check: Check): string {
  const where = check.url === null ? '' : ` Its page: ${check.url}`;
  return check.source === 'status'
    ? `A commit status has no log at GitHub.${where}`
    : `The check is no GitHub Actions job, so GitHub has no log of it.${where}`;
}

type Content = { readonly bytes: () => AsyncIterable<Uint8Array> } | { readonly missing: string };

async function ownLog(reach: Reach, jobId: number): Promise<Content> {
  const what = `the log of job ${jobId} of ${nameOf(reach)}`;
  const find: Locate = (options) =>
    reach.client.request('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', {
      ...reach.at,
      job_id: jobId,
      ...options,
    });
  const request: Download = { what, maxBytes: reach.limits.log_bytes, locate: locate(what, find) };
  return orMissing(async () => {
    const { head, complete } = await beginning(request, KEPT_BYTES);
    if (head.length === 0) return { missing: 'GitHub has an empty log for it.' };
    if (isZip(head)) return zippedLog(reach, request);
    if (complete) return { bytes: () => once(head) };
    return { bytes: () => download(request) };
  });
}

async function zippedLog(reach: Reach, request: Download): Promise<Content> {
  const zip = await whole({ ...request, maxBytes: reach.limits.artifact_bytes });
  const entries = await entriesOf(request.what, zip, reach.limits);
  const texts = inStepOrder(entries.filter((entry) => entry.name.endsWith('.txt') || !entry.name.includes('.')));
  return contentOf(reach, texts);
}

async function fetchRunLogs(reach: Reach, runId: number): Promise<readonly ZipEntry[]> {
  const what = `the logs of workflow run ${runId} of ${nameOf(reach)}`;
  const find: Locate = (options) =>
    reach.client.request('GET /repos/{owner}/{repo}/actions/runs/{run_id}/logs', {
      ...reach.at,
      run_id: runId,
      ...options,
    });
  const zip = await whole({ what, maxBytes: reach.limits.artifact_bytes, locate: locate(what, find) });
  return entriesOf(what, zip, reach.limits);
}

function partOfRun(reach: Reach, check: Check, runLogs: RunLogs, runId: number): Promise<Content> {
  return orMissing(async () => contentOf(reach, logsOfJob(await runLogs(runId), check.name)));
}

/** The files one after the other, when all can be unpacked and together are no larger than a log may be. */
function contentOf({ limits }: Reach, files: readonly ZipEntry[]): Content {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const refusal = files.find((file) => file.refusal !== null)?.refusal;
  if (size === 0) return { missing: 'GitHub has a zip without this log.' };
  if (refusal) return { missing: `The zip is not read: ${refusal}.` };
  if (size > limits.log_bytes)
    return { missing: `It has ${sizeOf(size)}; up to ${sizeOf(limits.log_bytes)} are read.` };
  return { bytes: () => joined(files) };
}

/** The files of the job: the one of the whole job when there is one, else those of its steps in order. */
export function logsOfJob(entries: readonly ZipEntry[], job: string): readonly ZipEntry[] {
  const wanted = comparable(job);
  const named = entries.map((entry) => ({ entry, place: placeOf(entry.name) }));
  const ofJob = named.filter(({ entry, place }) => place && entry.size > 0 && comparable(place.job) === wanted);
  const complete = ofJob.filter(({ place }) => place?.step === null);
  return inStepOrder((complete.length > 0 ? complete : ofJob).map(({ entry }) => entry));
}

function placeOf(name: string): { job: string; step: number | null } | null {
  const [first = '', second] = name.split('/');
  if (second === undefined) {
    const file = /^-?\d+_(.*)\.txt$/.exec(first);
    return file === null ? null : { job: file[1] ?? '', step: null };
  }
  const step = /^(\d+)_.*\.txt$/.exec(second);
  return step === null ? null : { job: first, step: Number(step[1]) };
}

/** GitHub drops characters that a file name cannot hold, and all after the ninetieth. */
function comparable(job: string): string {
  return job
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 60)
    .toLowerCase();
}

function inStepOrder(entries: readonly ZipEntry[]): readonly ZipEntry[] {
  return [...entries].sort((one, other) => stepOf(one.name) - stepOf(other.name) || (one.name < other.name ? -1 : 1));
}

function stepOf(name: string): number {
  return placeOf(name)?.step ?? 0;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* joined(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield* entry.bytes();
    yield Buffer.from('\n');
  }
}

async function orMissing(work: () => Promise<Content>): Promise<Content> {
  try {
    return await work();
  } catch (error) {
    const missing = absence(error);
    if (missing === null) throw error;
    return { missing };
  }
}
