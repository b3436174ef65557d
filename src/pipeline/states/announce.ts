/** The last visit of a run that did not end in `published`: tells people how it ended, calmly and once. */
import { harmlessReport } from '../comment/comment.ts';
import { ENDING_MARKER, renderEnding } from '../comment/ending.ts';
import type { Investigation } from '../investigate.ts';
import { INVESTIGATION } from './debug.ts';
import type { StateResult, VisitContext } from './state.ts';

/** Escalated and failed runs comment; a cancelled one only closes its check run, since a newer run will speak. */
export async function announce(context: VisitContext): Promise<StateResult> {
  const { run, parts, record, visit } = context;
  const reason = (await context.endReason()) ?? 'no reason was recorded';
  const ending = renderEnding({ terminal: visit.place, reason, run_id: run.run_id });
  const investigation = await context.artifact(INVESTIGATION);
  const number = run.pull_request ?? run.issue;
  if (number !== null && run.status !== 'cancelled') {
    // Our own artifact, so its shape is known.
    const report = investigation === null ? null : harmlessReport((JSON.parse(investigation) as Investigation).report);
    const body = [ENDING_MARKER, ending.body, ...(report === null ? [] : [report])].join('\n\n');
    const comment = await parts.forge.upsertComment(run.repo, number, ENDING_MARKER, body);
    record('github_write', { what: 'comment', id: comment.id, url: comment.url });
  }
  const check = await parts.forge.upsertCheckRun(run.repo, {
    external_id: run.run_id,
    head_sha: run.head_sha,
    status: 'completed',
    conclusion: run.status === 'cancelled' ? 'cancelled' : 'neutral',
    title: ending.title,
    summary: ending.body,
    annotations: [],
  });
  record('github_write', { what: 'check_run', id: check.id, url: check.url });
  return { sets: {}, artifacts: [] };
}
