/** The job that waits for the checks of a commit to complete, then starts its one run. Webhooks are hints; REST is the truth. */

import { InquestError } from '../errors.ts';
import type { RepoRef } from '../pipeline/run.ts';
import { readConfig } from '../pipeline/states/subject.ts';
import type { Check } from '../ports/forge.ts';
import type { Job } from '../ports/queue.ts';
import type { ChecksWait } from '../ports/store.ts';
import { beginRun } from './begin-run.ts';
import type { JobParts } from './parts.ts';

const MINUTE = 60_000;

/** `look` counts how often the checks were found incomplete: each look is a job of its own. */
export function settleJob(repo_id: number, head_sha: string, look = 0): Job {
  return { kind: 'settle', id: `settle:${repo_id}:${head_sha}:${look}`, repo_id, head_sha, look };
}

/**
 * Starts the run when all checks are complete or the wait is over; looks again later otherwise. The checks are read once
 * more after the wait has ended: a failure that was reported in between belongs to nobody else.
 */
export async function handleSettle(parts: JobParts, repoId: number, headSha: string, look: number): Promise<void> {
  const wait = await parts.store.findWait(repoId, headSha);
  if (wait === null) return;
  const settings = await waitSettings(parts, wait);
  const waited = parts.clock.now() - wait.since;
  const isOver = waited >= Math.min(settings.wait_ms, parts.max_wait_ms);
  const checks = await readChecks(parts, wait, settings.ignore_checks);
  if (checks.some((check) => check.state === 'running') && !isOver) {
    await parts.queue.enqueue(settleJob(repoId, headSha, look + 1), { delayMs: parts.poll_ms });
    return;
  }
  await startUncovered(parts, wait, checks);
  await parts.store.endWait(repoId, headSha);
  await startUncovered(parts, wait, await readChecks(parts, wait, settings.ignore_checks));
  await lookForNewWait(parts, repoId, headSha);
}

/** A failure told meanwhile has opened a new wait, whose job was refused because this one still had the id. */
async function lookForNewWait(parts: JobParts, repoId: number, headSha: string): Promise<void> {
  const wait = await parts.store.findWait(repoId, headSha);
  if (wait === null) return;
  const { id, ...job } = settleJob(repoId, headSha);
  await parts.queue.enqueue({ ...job, id: `${id}:since:${wait.since}` });
}

async function readChecks(parts: JobParts, wait: ChecksWait, ignored: readonly string[]): Promise<Check[]> {
  const checks = await parts.states.forge.checks(repoOf(wait), wait.head_sha);
  return checks.filter((check) => !ignored.includes(check.name));
}

function repoOf({ installation_id, repo_id, owner, name }: ChecksWait): RepoRef {
  return { installation_id, repo_id, owner, name };
}

/** A broken configuration is told by the run itself; it must not keep the run from starting. */
async function waitSettings(
  parts: JobParts,
  wait: ChecksWait,
): Promise<{ wait_ms: number; ignore_checks: readonly string[] }> {
  const { forge } = parts.states;
  const repo = repoOf(wait);
  try {
    const { config } = await readConfig(forge, { repo }, await forge.defaultBranch(repo));
    return { wait_ms: config.wait.checks_minutes * MINUTE, ignore_checks: config.ignore_checks };
  } catch (error) {
    if (!(error instanceof InquestError) || error.code !== 'CONFIG_INVALID') throw error;
    parts.logger.warn(
      { repo: wait.repo_id, err: error },
      'the repository configuration is invalid; the run will say so',
    );
    return { wait_ms: 0, ignore_checks: [] };
  }
}

/**
 * One run for all failures of the SHA that no earlier run covers. A SHA that is neither the head of an open pull request
 * nor of a branch of this repository is out of date, or a fork's: nobody waits for it, and nobody has vouched for it.
 */
async function startUncovered(parts: JobParts, wait: ChecksWait, checks: readonly Check[]): Promise<void> {
  const { repo_id, head_sha } = wait;
  const failed = checks.filter((check) => check.state === 'failed');
  const covered = new Set(await parts.store.coveredChecks(repo_id, head_sha));
  if (failed.every((check) => covered.has(check.key))) return;
  const repo = repoOf(wait);
  const pull = await parts.states.forge.pullRequestOf(repo, head_sha);
  const head_branch = pull?.head_branch ?? (await branchOf(parts, wait));
  if (head_branch === null) {
    parts.logger.info({ repo: repo_id, head_sha }, 'checks failed on a commit that is no longer the head of anything');
    return;
  }
  const earlier = (await parts.store.findRuns({ repo_id, head_sha })).filter((run) => run.slots.entry === 'ci');
  const generation = earlier.length + 1;
  await beginRun(parts, {
    about: { repo_id, head_sha, entry: 'ci', generation },
    repo,
    head_sha,
    head_branch,
    pull_request: pull?.number ?? null,
    issue: null,
    generation,
    entry: 'ci',
    covers: failed.map((check) => check.key),
  });
}

/** The branch of this repository whose head the SHA is; the default branch before others. */
async function branchOf(parts: JobParts, wait: ChecksWait): Promise<string | null> {
  const { forge } = parts.states;
  const repo = repoOf(wait);
  const branches = await forge.branchesAt(repo, wait.head_sha);
  const main = await forge.defaultBranch(repo);
  return branches.includes(main) ? main : (branches[0] ?? null);
}
