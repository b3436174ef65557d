/** The job of one accepted webhook: carries out its command. */
import { type Command, commandSchema } from '../pipeline/command.ts';
import type { RepoRef } from '../pipeline/run.ts';
import { beginRun } from './begin-run.ts';
import { cancelRuns } from './cancel.ts';
import type { JobParts } from './parts.ts';
import { settleJob } from './settle.ts';

/** Does nothing for a delivery that is unknown; marks it finished when its command is carried out. */
export async function handleDelivery(parts: JobParts, deliveryId: string): Promise<void> {
  const delivery = await parts.store.findDelivery(deliveryId);
  if (delivery === null) return;
  await carryOut(parts, commandSchema.parse(delivery.command), deliveryId);
  await parts.store.finishDelivery(deliveryId);
}

async function carryOut(parts: JobParts, command: Command, deliveryId: string): Promise<void> {
  switch (command.kind) {
    case 'checks_failed':
      return awaitChecks(parts, command.repo, command.head_sha);
    case 'checks_progressed':
      return lookAgain(parts, command.repo, command.head_sha);
    case 'debug_issue':
      return debugIssue(parts, command, deliveryId);
    case 'head_moved':
      return followHead(parts, command);
    case 'pull_request_closed':
      return cancelRuns(parts, command.repo.repo_id, command.pull_request, {
        keep_sha: null,
        reason: 'the pull request was closed',
      });
    case 'help':
      return help(parts, command);
  }
}

/** A delivery may come late, after a still newer push: GitHub is asked what the head is now. */
async function followHead(parts: JobParts, command: Extract<Command, { kind: 'head_moved' }>): Promise<void> {
  const pull = await parts.states.forge.pullRequest(command.repo, command.pull_request);
  const head_sha = pull?.head_sha ?? command.head_sha;
  await cancelRuns(parts, command.repo.repo_id, command.pull_request, {
    keep_sha: head_sha,
    reason: `a newer commit ${head_sha.slice(0, 12)} was pushed`,
  });
}

/** The first failure of a SHA starts the wait; later ones only look again. */
async function awaitChecks(parts: JobParts, repo: RepoRef, head_sha: string): Promise<void> {
  await parts.store.awaitChecks({ ...repo, head_sha, since: parts.clock.now() });
  await parts.queue.enqueue(settleJob(repo.repo_id, head_sha));
}

async function lookAgain(parts: JobParts, repo: RepoRef, head_sha: string): Promise<void> {
  const wait = await parts.store.findWait(repo.repo_id, head_sha);
  if (wait !== null) await parts.queue.enqueue(settleJob(repo.repo_id, head_sha));
}

async function debugIssue(
  parts: JobParts,
  command: Extract<Command, { kind: 'debug_issue' }>,
  deliveryId: string,
): Promise<void> {
  const { forge } = parts.states;
  const { repo, issue, actor, comment_id } = command;
  const permission = await forge.permission(repo, actor);
  const mayAsk = permission === 'admin' || permission === 'write';
  if (comment_id !== null) await forge.react(repo, comment_id, mayAsk ? 'eyes' : 'confused');
  if (!mayAsk) {
    parts.logger.info(
      { repo: repo.repo_id, issue, actor, permission },
      'a command from somebody without write access was refused',
    );
    return;
  }
  const pull = command.is_pull_request ? await forge.pullRequest(repo, issue) : null;
  const branch = pull === null ? await forge.defaultBranch(repo) : pull.head_branch;
  const head_sha = pull?.head_sha ?? (await forge.headOf(repo, branch));
  if (head_sha === null) return;
  await beginRun(parts, {
    about: { repo_id: repo.repo_id, issue, delivery_id: deliveryId },
    repo,
    head_sha,
    head_branch: branch,
    pull_request: pull?.number ?? null,
    issue,
    generation: 1,
    entry: 'command',
    covers: [],
  });
}

const HELP_MARKER = '<!-- inquest:help -->';

const HELP = `${HELP_MARKER}
### Inquest commands

- \`/inquest debug\`: read the failing checks, run the failing tests again, compare them with the spec, and report here.
- \`/inquest help\`: this list.

They work in the first line of a comment, for people with write access. The label \`inquest:debug\` does the same as the first.`;

async function help(parts: JobParts, command: Extract<Command, { kind: 'help' }>): Promise<void> {
  const { forge } = parts.states;
  const { repo, issue, comment_id } = command;
  await forge.react(repo, comment_id, command.verb === null || command.verb === 'help' ? '+1' : 'confused');
  await forge.upsertComment(repo, issue, HELP_MARKER, HELP);
}
