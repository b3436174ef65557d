/** Test reports that workflows uploaded: JUnit XML and CTRF files inside artifacts. */
import type { Evidence } from '../../ports/forge.ts';
import { callContext } from './call-context.ts';
import { absence, whole } from './download.ts';
import { asking } from './github-error.ts';
import { sizeOf } from './limits.ts';
import { type Locate, locate } from './locate.ts';
import { collect, itemsOf } from './pages.ts';
import { nameOf, type Reach } from './reach.ts';
import { type Artifact, artifactSchema } from './schema.ts';
import { entriesOf, isZip, type ZipEntry } from './zip.ts';

const ORIGIN = 'artifact';
/** Names that say "test report". Such artifacts come first, and their absence is worth a word. */
const REPORT_NAME = /junit|xunit|surefire|ctrf|test|report|result/i;
/** Artifacts with other names are looked into only when they are this small, in bytes. */
const UNNAMED_BYTES = 5 * 1024 * 1024;
/** A report is recognised by its beginning, in bytes. */
const HEAD_BYTES = 4096;

/** How much may still be read: shared by all artifacts of one call. */
interface Budget {
  artifacts: number;
  bytes: number;
}

/** How much may still be unpacked of one zip. */
interface ZipBudget {
  bytes: number;
}

/** The report files of the workflow runs. A report-like artifact that cannot be read is listed with the reason. */
export async function reportsOf(reach: Reach, workflowRunIds: readonly number[]): Promise<readonly Evidence[]> {
  const budget: Budget = { artifacts: reach.limits.artifacts, bytes: reach.limits.reports_bytes };
  const found: Evidence[] = [];
  for (const runId of workflowRunIds) {
    found.push(...(await reportsOfRun(reach, runId, budget)));
  }
  return found;
}

function reportsOfRun(reach: Reach, runId: number, budget: Budget): Promise<readonly Evidence[]> {
  return orMissing(`artifacts of workflow run ${runId}`, async () => {
    const found: Evidence[] = [];
    for (const artifact of await candidatesOf(reach, runId)) {
      found.push(...(await reportsIn(reach, artifact, budget)));
    }
    return found;
  });
}

async function candidatesOf(reach: Reach, runId: number): Promise<readonly Artifact[]> {
  const pages = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts', {
    ...reach.at,
    run_id: runId,
    per_page: 100,
  });
  const listed = await asking(`list the artifacts of workflow run ${runId} of ${nameOf(reach)}`, () =>
    collect(itemsOf(pages, artifactSchema, reach.limits.pages)),
  );
  const newest = new Map<string, Artifact>();
  for (const artifact of listed) {
    if ((newest.get(artifact.name)?.id ?? 0) < artifact.id) newest.set(artifact.name, artifact);
  }
  return [...newest.values()]
    .filter((artifact) => saysReport(artifact) || (!artifact.expired && artifact.size_in_bytes <= UNNAMED_BYTES))
    .sort((one, other) => Number(saysReport(other)) - Number(saysReport(one)) || one.id - other.id);
}

function saysReport(artifact: Artifact): boolean {
  return REPORT_NAME.test(artifact.name);
}

async function reportsIn(reach: Reach, artifact: Artifact, budget: Budget): Promise<readonly Evidence[]> {
  const name = `artifact: ${artifact.name}`;
  const refusal = whyNot(reach, artifact, budget);
  if (refusal !== null) return saysReport(artifact) ? [{ name, origin: ORIGIN, missing: refusal }] : [];
  budget.artifacts -= 1;
  const found = await orMissing(name, () => unpackReports(reach, artifact, budget));
  return saysReport(artifact) ? found : found.filter((one) => 'bytes' in one);
}

async function orMissing(name: string, read: () => Promise<readonly Evidence[]>): Promise<readonly Evidence[]> {
  try {
    return await read();
  } catch (error) {
    const missing = absence(error);
    if (missing === null) throw error;
    return [{ name, origin: ORIGIN, missing }];
  }
}

function whyNot(reach: Reach, artifact: Artifact, budget: Budget): string | null {
  const { artifact_bytes: maxBytes, artifacts } = reach.limits;
  if (artifact.expired) return 'It has expired at GitHub.';
  if (artifact.size_in_bytes > maxBytes) {
    return `It has ${sizeOf(artifact.size_in_bytes)}; up to ${sizeOf(maxBytes)} are read.`;
  }
  return budget.artifacts > 0 ? null : `Only the first ${artifacts} artifacts are read.`;
}

async function unpackReports(reach: Reach, artifact: Artifact, budget: Budget): Promise<readonly Evidence[]> {
  const what = `artifact ${artifact.name} of ${nameOf(reach)}`;
  const find: Locate = (options) =>
    reach.client.request('GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}', {
      ...reach.at,
      artifact_id: artifact.id,
      archive_format: 'zip',
      ...options,
    });
  const content = await whole({ what, maxBytes: reach.limits.artifact_bytes, locate: locate(what, find) });
  if (!isZip(content)) return reportFrom(artifact.name, content);
  const entries = await entriesOf(what, content, reach.limits);
  return reportsOfZip(reach, artifact.name, entries, budget);
}

/** What is read of one zip: a file that cannot be read costs only itself. */
async function reportsOfZip(
  reach: Reach,
  artifact: string,
  entries: readonly ZipEntry[],
  budget: Budget,
): Promise<readonly Evidence[]> {
  const zip: ZipBudget = { bytes: reach.limits.zip_bytes };
  const found: Evidence[] = [];
  for (const entry of entries.filter(({ name }) => /\.(xml|json)$/i.test(name))) {
    callContext().signal?.throwIfAborted();
    if (zip.bytes <= 0) {
      const missing = `Of one artifact ${sizeOf(reach.limits.zip_bytes)} are unpacked; the rest was not looked at.`;
      return [...found, { name: `artifact: ${artifact}`, origin: ORIGIN, missing }];
    }
    const name = `${artifact}/${entry.name}`;
    found.push(...(await orMissing(name, () => readReport(reach, name, entry, budget, zip))));
  }
  return found;
}

async function readReport(
  reach: Reach,
  name: string,
  entry: ZipEntry,
  budget: Budget,
  zip: ZipBudget,
): Promise<readonly Evidence[]> {
  if (entry.size > 0 && !looksLikeReport(await headOf(entry, zip))) return [];
  const most = Math.min(reach.limits.report_bytes, budget.bytes, zip.bytes);
  if (entry.size > most) {
    const missing = `It has ${sizeOf(entry.size)}; up to ${sizeOf(Math.max(0, most))} are read.`;
    return [{ name, origin: ORIGIN, missing }];
  }
  budget.bytes -= entry.size;
  zip.bytes -= entry.size;
  return reportFrom(name, Buffer.concat(await collect(entry.bytes())));
}

/** The beginning of the file. What was unpacked for it is charged, also when unpacking fails. */
async function headOf(entry: ZipEntry, zip: ZipBudget): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of entry.bytes()) {
    chunks.push(chunk);
    size += chunk.byteLength;
    zip.bytes -= chunk.byteLength;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** The file as evidence when it looks like a test report; nothing otherwise. */
function reportFrom(name: string, content: Buffer): readonly Evidence[] {
  if (content.length === 0) return [{ name, origin: ORIGIN, missing: 'The file is empty.' }];
  if (!looksLikeReport(content)) return [];
  return [
    {
      name,
      origin: ORIGIN,
      check_key: null,
      async *bytes() {
        yield content;
      },
    },
  ];
}

/** JUnit XML by its elements, CTRF by its outline; by its beginning. */
function looksLikeReport(content: Buffer): boolean {
  const head = content.subarray(0, HEAD_BYTES).toString('utf8');
  if (/<(testsuites?|testcase)[\s>/]/.test(head)) return true;
  return (
    /^\uFEFF?\s*\{/.test(head) && /"results"\s*:\s*\{/.test(head) && /"(tool|summary|tests|reportFormat)"/.test(head)
  );
}
