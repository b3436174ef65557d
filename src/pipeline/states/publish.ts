/** publish: tells people. One comment a pull request (or one issue a root cause), and the `Inquest` check run. */
import { byCause } from '../comment/causes.ts';
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
  for (const { what, id, url } of await post(context, subject, input, body)) {
    record('github_write', { what, id, url });
    written.push(`- ${what}: ${url}`);
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

/** More causes than this at once are told by the check run alone. */
const MOST_ISSUES = 5;

/** On the pull request, on the issue that asked, or as issues for a default branch that fails. Nowhere for other branches. */
async function post(
  { run, parts }: VisitContext,
  subject: Subject,
  input: CommentInput,
  body: string,
): Promise<Posted[]> {
  const { forge } = parts;
  const number = run.pull_request ?? run.issue;
  if (number !== null) {
    return [{ what: 'comment', ...(await forge.upsertComment(run.repo, number, REPORT_MARKER, body)) }];
  }
  if (run.head_branch !== subject.default_branch) return [];
  const posted: Posted[] = [];
  for (const cause of byCause(input).slice(0, MOST_ISSUES)) {
    const marker = `<!-- inquest:cause ${cause.fingerprint} -->`;
    const title = shorten(`CI fails on ${subject.default_branch}: ${titleOf(cause.input)}`, 200);
    const text = `${marker}\n${renderComment(cause.input)}`;
    posted.push({ what: 'issue', ...(await forge.upsertIssue(run.repo, marker, title, text)) });
  }
  return posted;
}

function titleOf({ packets }: CommentInput): string {
  const [first, ...more] = packets;
  const name = first?.first_failing_test ?? first?.normalized_message ?? '';
  return more.length === 0 ? name : `${name} (and ${more.length} more)`;
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
