/** run: what fails. Reads the failing checks, then runs the suites here, so that the failure is seen and not only told. */

import type { FailurePacket } from '../../failures/packet.ts';
import type { Check } from '../../ports/forge.ts';
import { byFailureOrder } from '../failure-order.ts';
import { type RunDocument, renderRun } from '../run-document.ts';
import { type Ingested, ingestChecks } from './ingest.ts';
import { openWorkspace } from './open-workspace.ts';
import { preparedRunner } from './prepared-runner.ts';
import type { StateResult, VisitContext } from './state.ts';
import { loadSubject, type Subject } from './subject.ts';
import type { SuiteRun } from './test-runner.ts';

/** What `debug` and `publish` need to know of this visit, as JSON. */
export const FAILURES = 'failures.json';

export interface FailuresDocument {
  readonly checks: readonly Pick<Check, 'key' | 'name' | 'url'>[];
  readonly packets: readonly FailurePacket[];
  readonly missing: readonly string[];
  readonly damage: readonly string[];
  readonly suites: readonly Omit<SuiteRun, 'packets'>[];
  /** Why the dependencies could not be installed; nothing can be run again then. */
  readonly setup_problem: string | null;
  /** Failing here and not in CI: usually this machine lacks something. Counted, not judged. */
  readonly only_here: number;
}

export async function run(context: VisitContext): Promise<StateResult> {
  const { parts } = context;
  const subject = await loadSubject(context);
  const workspace = await openWorkspace(context);
  const files = await workspace.files();
  const failing = await failingChecks(context, subject);
  const ingested = await ingestChecks(parts.forge, context.run.repo, failing, new Set(files));
  const { runner, setup_problem } = await preparedRunner(context, subject, workspace, null);
  const runs = setup_problem === null ? await runner.runAll() : [];
  const document = toDocument(failing, withProblem(ingested, setup_problem), runs, setup_problem);
  const failed = document.packets.length > 0 || failing.length > 0;
  return {
    sets: {
      run_result: failed ? 'failed' : 'passed',
      failing_tests: testsOf(document.packets),
    },
    artifacts: [
      { name: 'run.md', content: renderRun(document) },
      { name: FAILURES, content: JSON.stringify(document) },
    ],
  };
}

/** The failing checks of the run's SHA; none for an issue, which has no checks of its own. */
async function failingChecks({ run, parts }: VisitContext, subject: Subject): Promise<Check[]> {
  if (run.slots.entry !== 'ci' && run.pull_request === null) return [];
  const checks = await parts.forge.checks(run.repo, run.head_sha);
  return checks.filter((check) => check.state === 'failed' && !subject.config.ignore_checks.includes(check.name));
}

function withProblem(ingested: Ingested, problem: string | null): Ingested {
  return problem === null ? ingested : { ...ingested, missing: [...ingested.missing, problem] };
}

/** CI's own failures are the truth about CI; what fails here counts when CI left nothing to read. */
function toDocument(
  checks: readonly Check[],
  ingested: Ingested,
  runs: readonly SuiteRun[],
  setup_problem: string | null,
): RunDocument & FailuresDocument {
  const here = runs.flatMap((suite) => suite.packets);
  const packets = ingested.packets.length > 0 ? ingested.packets : here;
  const known = new Set(testsOf(packets));
  return {
    checks: checks.map(({ key, name, url }) => ({ key, name, url })),
    packets: [...packets].sort(byFailureOrder),
    missing: ingested.missing,
    damage: ingested.inputs.flatMap((input) => input.damage.map((damage) => `${input.name}: ${damage}`)),
    inputs: ingested.inputs,
    suites: runs.map(({ packets: _, ...suite }) => suite),
    setup_problem,
    only_here: testsOf(here).filter((test) => !known.has(test)).length,
  };
}

function testsOf(packets: readonly FailurePacket[]): string[] {
  return [...new Set(packets.map((packet) => packet.first_failing_test).filter((test) => test !== null))].sort();
}
