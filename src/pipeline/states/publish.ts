/** publish: tells people. One comment a pull request (or one issue a root cause), and the `Inquest` check run. */
import { shortId } from '../../record/canonical.ts';
import { checkReport } from '../comment/check-report.ts';
import { type CommentInput, REPORT_MARKER, renderComment } from '../comment/comment.ts';
import { shorten } from '../comment/neutralise.ts';
import type { Investigation } from '../investigate.ts';
import { routeFailures } from '../router.ts';
import { INVESTIGATION } from './debug.ts';
import { FAILURES, type FailuresDocument } from './run.ts';
import type { StateResult, VisitContext } from './state.ts';
import { loadSubject, type Subject } from './subject.ts';

export async function publish(context: VisitContext): Promise<StateResult> {
  const { run, parts, record } = context;
  const subject = await loadSubject(context);
  const input = await commentInput(context, subject);
  const body = renderComment(input);
  const written: string[] = [];
  const place = await post(context, subject, input, body);
  if (place !== null) {
    record('github_write', { what: place.what, id: place.id, url: place.url });
    written.push(`- ${place.what}: ${place.url}`);
  }
  const check = await parts.forge.upsertCheckRun(
    run.repo,
    checkReport({ run_id: run.run_id, head_sha: run.head_sha, report: input.report, packets: input.packets, body }),
  );
  record('github_write', { what: 'check_run', id: check.id, url: check.url });
  written.push(`- check_run: ${check.url}`);
  return { sets: {}, artifacts: [{ name: 'publish.md', content: `# Published\n\n${written.join('\n')}\n` }] };
}

interface Posted {
  readonly what: 'comment' | 'issue';
  readonly id: number;
  readonly url: string;
}

/** On the pull request, on the issue that asked, or as an issue for a default branch that fails. Nowhere for other branches. */
async function post(
  { run, parts }: VisitContext,
  subject: Subject,
  input: CommentInput,
  body: string,
): Promise<Posted | null> {
  const number = run.pull_request ?? run.issue;
  if (number !== null)
    return { what: 'comment', ...(await parts.forge.upsertComment(run.repo, number, REPORT_MARKER, body)) };
  if (run.head_branch !== subject.default_branch || input.packets.length === 0) return null;
  const marker = `<!-- inquest:cause ${rootCause(input)} -->`;
  const title = shorten(
    `CI fails on ${subject.default_branch}: ${input.packets[0]?.first_failing_test ?? input.packets[0]?.normalized_message ?? ''}`,
    200,
  );
  return { what: 'issue', ...(await parts.forge.upsertIssue(run.repo, marker, title, `${marker}\n${body}`)) };
}

/** The same failures on another day have the same fingerprint: no lines, no SHA, no time. */
function rootCause({ packets }: CommentInput): string {
  const causes = packets.map((packet) => [packet.failure_class, packet.primary_file, packet.first_failing_test]);
  return shortId('cause', causes.slice(0, 1));
}

async function commentInput(context: VisitContext, subject: Subject): Promise<CommentInput> {
  const { run, parts } = context;
  const failures = await readJson<FailuresDocument>(context, FAILURES);
  const investigation = await readJson<Investigation>(context, INVESTIGATION);
  return {
    links: { web_url: parts.web_url, owner: run.repo.owner, name: run.repo.name, sha: run.head_sha },
    run_id: run.run_id,
    report: investigation?.report ?? { failures: [], ...routeFailures([]) },
    claims: investigation?.claims ?? [],
    evidence: investigation?.evidence ?? [],
    clauses: investigation?.clauses ?? [],
    packets: failures?.packets ?? [],
    checks: failures?.checks ?? [],
    missing: failures?.missing ?? [],
    damage: failures?.damage ?? [],
    suites: [...(failures?.suites ?? [])],
    notes: [...subject.notes, ...onlyHere(failures)],
  };
}

function onlyHere(failures: FailuresDocument | null): string[] {
  const count = failures?.only_here ?? 0;
  return count === 0 ? [] : [`${count} more tests fail on Inquest's machine but not in CI; they are not judged.`];
}

/** An artifact that an earlier visit wrote. It is our own, so its shape is known. */
async function readJson<T>(context: VisitContext, name: string): Promise<T | null> {
  const text = await context.artifact(name);
  return text === null ? null : (JSON.parse(text) as T);
}
