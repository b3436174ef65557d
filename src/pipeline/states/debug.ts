/** debug: why it fails. Hands the failures to the debugger, checks every claim of its answer, and routes. */
import { createDebugTools } from '../../agents/debug-tools.ts';
import { matchesAny } from '../../config/glob.ts';
import { parseValidate } from '../clauses/validate-document.ts';
import { renderDebugReport } from '../debug-report.ts';
import { type Investigation, investigate } from '../investigate.ts';
import { ROUTE_OF_ACTION } from '../router.ts';
import { openWorkspace } from './open-workspace.ts';
import { preparedRunner } from './prepared-runner.ts';
import { FAILURES, type FailuresDocument } from './run.ts';
import type { StateResult, VisitContext } from './state.ts';
import { loadSubject } from './subject.ts';

/** What was claimed, checked and shown, as JSON; `publish` and the recorded run read it. */
export const INVESTIGATION = 'investigation.json';

export async function debug(context: VisitContext): Promise<StateResult> {
  const { parts } = context;
  const subject = await loadSubject(context);
  const workspace = await openWorkspace(context);
  const { packets, setup_problem: earlier } = await failuresOf(context);
  const { runner, setup_problem } = await preparedRunner(context, subject, workspace, earlier);
  const investigation = await investigate({
    failures: packets,
    limit: subject.config.budgets.failures,
    attempts: subject.config.rerun.attempts,
    clauses: parseValidate((await context.artifact('validate.md')) ?? ''),
    isTestFile: (path) => matchesAny(path, subject.config.paths.tests),
    debugger: parts.debugger,
    toolbox: createDebugTools({
      artifact: context.artifact,
      workspace,
      attempt: async (packet, attempt) =>
        setup_problem === null ? runner.runOne(packet, attempt) : { refused: setup_problem },
      record: context.record,
    }),
    record: context.record,
    signal: context.signal,
  });
  return {
    sets: { route: ROUTE_OF_ACTION[investigation.report.action] },
    artifacts: [
      { name: 'debug.md', content: renderDebugReport(investigation.report) },
      { name: INVESTIGATION, content: JSON.stringify(investigation satisfies Investigation) },
    ],
  };
}

/** What `run` found; written by ourselves, so its shape is known. */
async function failuresOf(context: VisitContext): Promise<Pick<FailuresDocument, 'packets' | 'setup_problem'>> {
  const text = await context.artifact(FAILURES);
  if (text === null) return { packets: [], setup_problem: null };
  return JSON.parse(text) as FailuresDocument;
}
