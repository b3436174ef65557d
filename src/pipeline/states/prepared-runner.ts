/** The test runner of a visit, with the dependencies installed in the worktree of the run. */
import { InquestError } from '../../errors.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { suitesOf } from '../suites.ts';
import { readManifests } from './open-workspace.ts';
import type { VisitContext } from './state.ts';
import type { Subject } from './subject.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';

export interface PreparedRunner {
  readonly runner: TestRunner;
  /** Why the dependencies could not be installed; null when they are. */
  readonly setup_problem: string | null;
}

/** Installs only once into a worktree, whichever worker has made it. A setup that failed is not tried again. */
export async function preparedRunner(
  context: VisitContext,
  subject: Subject,
  workspace: Workspace,
  earlier_problem: string | null,
): Promise<PreparedRunner> {
  const { parts, record, signal } = context;
  const { config } = subject;
  const runner = createTestRunner({
    sandbox: parts.sandbox(config.sandbox),
    workspace,
    config,
    suites: suitesOf(config, await workspace.files(), await readManifests(workspace)),
    setup_network: isOwnCode(context, subject) || config.forks.setup,
    record,
    signal,
  });
  if (earlier_problem !== null) return { runner, setup_problem: earlier_problem };
  return { runner, setup_problem: await problemOfSetup(workspace, runner, signal) };
}

/** Code that somebody with access pushed to this repository. A pull request that cannot be read counts as a fork's. */
function isOwnCode({ run }: VisitContext, { pull_request }: Subject): boolean {
  return run.pull_request === null || pull_request?.fork === false;
}

/** A setup that fails keeps the tests from running here; what CI told is still worth a report. */
async function problemOfSetup(workspace: Workspace, runner: TestRunner, signal: AbortSignal): Promise<string | null> {
  try {
    await workspace.setUpOnce(() => runner.setup(), signal);
    return null;
  } catch (error) {
    if (!(error instanceof InquestError) || error.code !== 'SETUP_FAILED') throw error;
    return error.hint === null ? error.message : `${error.message} ${error.hint}`;
  }
}
