/** A webhook payload becomes the command that it asks for, or nothing. */
import { z } from 'zod';
import type { RepoRef } from './run.ts';
import {
  checkRunPayload,
  checkSuitePayload,
  isOwnApp,
  isOwnCommit,
  isOwnLogin,
  issueCommentPayload,
  issueLabeledPayload,
  pullRequestPayload,
  type Self,
  statusPayload,
  workflowRunPayload,
} from './webhook-payload.ts';

/** The label that asks for an investigation of an issue or pull request. */
export const DEBUG_LABEL = 'inquest:debug';

const repo = z.strictObject({ installation_id: z.int(), repo_id: z.int(), owner: z.string(), name: z.string() });

/** Whom and where a command of a person answers to. */
const asked = {
  repo,
  issue: z.int(),
  is_pull_request: z.boolean(),
  actor: z.string(),
};

/** A command as the store keeps it, between the delivery and its job. */
export const commandSchema = z.discriminatedUnion('kind', [
  /** Some check of the SHA failed. */
  z.strictObject({ kind: z.literal('checks_failed'), repo, head_sha: z.string() }),
  /** Checks of the SHA ended otherwise. Matters only to a run that waits for them. */
  z.strictObject({ kind: z.literal('checks_progressed'), repo, head_sha: z.string() }),
  /** A person asks for an investigation. `comment_id` is null when it was asked by label. */
  z.strictObject({ kind: z.literal('debug_issue'), ...asked, comment_id: z.int().nullable() }),
  /** Somebody pushed to a pull request: runs of older heads are out of date. */
  z.strictObject({ kind: z.literal('head_moved'), repo, pull_request: z.int(), head_sha: z.string() }),
  z.strictObject({ kind: z.literal('pull_request_closed'), repo, pull_request: z.int(), head_sha: z.string() }),
  /** `/inquest help`, or a verb that does not exist. `verb` is null when there was none that can be repeated safely. */
  z.strictObject({ kind: z.literal('help'), ...asked, comment_id: z.int(), verb: z.string().nullable() }),
]);
export type Command = z.infer<typeof commandSchema>;

type Reader = (payload: unknown, self: Self) => Command | null;

/** Event and action to reader: the events that Inquest subscribes to, and no others. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['check_run.completed', readCheckRun],
  ['check_suite.completed', readCheckSuite],
  ['workflow_run.completed', readWorkflowRun],
  ['status', readStatus],
  ['issues.labeled', readIssueLabeled],
  ['issue_comment.created', readIssueComment],
  ['pull_request.labeled', readPullLabeled],
  ['pull_request.synchronize', readSynchronize],
  ['pull_request.closed', readClosed],
]);

/** Event and action of every webhook that can become a command, as `check_run.completed`. */
export const COMMAND_EVENTS: readonly string[] = [...READERS.keys()];

const NOBODY: Self = { app_id: null, slug: null };

/**
 * The command that a webhook asks for; null when it asks for nothing, comes from Inquest itself or from somebody who may
 * not ask. `event` is the `X-GitHub-Event` header. Throws a `ZodError` when the payload of a known event lacks a field.
 */
export function commandOf(event: string, payload: unknown, self: Self = NOBODY): Command | null {
  const reader = READERS.get(eventName(event, payload));
  return reader === undefined ? null : reader(payload, self);
}

/** `check_run.completed` for the event `check_run` with that action; `status` for events that have no action. */
export function eventName(event: string, payload: unknown): string {
  const hasAction = typeof payload === 'object' && payload !== null && 'action' in payload;
  return hasAction && typeof payload.action === 'string' ? `${event}.${payload.action}` : event;
}

function readCheckRun(payload: unknown, self: Self): Command | null {
  const { check_run: check, ...rest } = checkRunPayload.parse(payload);
  if (!failed(check.conclusion) || isOwnApp(self, check.app) || isOwnLogin(self, rest.sender.login)) return null;
  return checksFailed(rest, check);
}

function readCheckSuite(payload: unknown, self: Self): Command | null {
  const { check_suite: suite, ...rest } = checkSuitePayload.parse(payload);
  if (isOwnApp(self, suite.app)) return null;
  return checksEnded(rest, suite, self);
}

function readWorkflowRun(payload: unknown, self: Self): Command | null {
  const { workflow_run: run, ...rest } = workflowRunPayload.parse(payload);
  return checksEnded(rest, run, self);
}

function readStatus(payload: unknown, self: Self): Command | null {
  const status = statusPayload.parse(payload);
  if (status.state === 'pending') return null;
  const conclusion = status.state === 'failure' || status.state === 'error' ? 'failure' : status.state;
  return checksEnded(status, { conclusion, head_sha: status.sha, head_commit: status.commit?.commit }, self);
}

function readIssueLabeled(payload: unknown): Command | null {
  const { label, issue, sender, ...rest } = issueLabeledPayload.parse(payload);
  // Labelling needs triage permission at least; that the sender may write, the job asks GitHub.
  if (label?.name !== DEBUG_LABEL || sender.type === 'Bot') return null;
  return {
    kind: 'debug_issue',
    repo: repoOf(rest),
    issue: issue.number,
    is_pull_request: isPullRequest(issue),
    actor: sender.login,
    comment_id: null,
  };
}

/** GitHub tells the labels of a pull request by an event of its own. */
function readPullLabeled(payload: unknown): Command | null {
  const { label, pull_request: pull, sender, ...rest } = pullRequestPayload.parse(payload);
  if (label?.name !== DEBUG_LABEL || sender.type === 'Bot') return null;
  return {
    kind: 'debug_issue',
    repo: repoOf(rest),
    issue: pull.number,
    is_pull_request: true,
    actor: sender.login,
    comment_id: null,
  };
}

const TRUSTED_ASSOCIATIONS: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];

function readIssueComment(payload: unknown): Command | null {
  const { comment, issue, sender, ...rest } = issueCommentPayload.parse(payload);
  const verb = verbOf(comment.body ?? '');
  if (verb === null) return null;
  const byProgram = sender.type === 'Bot' || comment.user?.type === 'Bot' || Boolean(comment.performed_via_github_app);
  if (byProgram || comment.user?.login !== sender.login) return null;
  if (!TRUSTED_ASSOCIATIONS.includes(comment.author_association)) return null;
  const command = {
    repo: repoOf(rest),
    issue: issue.number,
    is_pull_request: isPullRequest(issue),
    actor: sender.login,
    comment_id: comment.id,
  };
  if (verb === 'debug') return { kind: 'debug_issue', ...command };
  return { kind: 'help', ...command, verb: /^[a-z][a-z-]{0,19}$/.test(verb) ? verb : null };
}

function readSynchronize(payload: unknown, self: Self): Command | null {
  const { pull_request: pull, sender, ...rest } = pullRequestPayload.parse(payload);
  if (isOwnLogin(self, sender.login)) return null;
  return {
    kind: 'head_moved',
    repo: repoOf(rest),
    pull_request: pull.number,
    head_sha: pull.head.sha,
  };
}

function readClosed(payload: unknown): Command | null {
  const { pull_request: pull, ...rest } = pullRequestPayload.parse(payload);
  return {
    kind: 'pull_request_closed',
    repo: repoOf(rest),
    pull_request: pull.number,
    head_sha: pull.head.sha,
  };
}

type Common = Pick<z.infer<typeof statusPayload>, 'installation' | 'repository' | 'sender'>;
type Ended = Omit<z.infer<typeof workflowRunPayload>['workflow_run'], 'conclusion'> & { conclusion: string | null };

function checksEnded(common: Common, ended: Ended, self: Self): Command | null {
  if (isOwnLogin(self, common.sender.login) || isOwnCommit(self, ended.head_commit)) return null;
  if (failed(ended.conclusion)) return checksFailed(common, ended);
  return { kind: 'checks_progressed', repo: repoOf(common), head_sha: ended.head_sha };
}

function checksFailed(common: Omit<Common, 'sender'>, ended: Pick<Ended, 'head_sha'>): Command {
  return { kind: 'checks_failed', repo: repoOf(common), head_sha: ended.head_sha };
}

function failed(conclusion: string | null): boolean {
  return conclusion === 'failure' || conclusion === 'timed_out';
}

function repoOf(common: Pick<Common, 'installation' | 'repository'>): RepoRef {
  return {
    installation_id: common.installation.id,
    repo_id: common.repository.id,
    owner: common.repository.owner.login,
    name: common.repository.name,
  };
}

function isPullRequest(issue: { pull_request?: unknown }): boolean {
  return issue.pull_request !== undefined && issue.pull_request !== null;
}

/** The word after `/inquest` on the first line, in lower case; empty when there is none; null when the line is no command. */
function verbOf(body: string): string | null {
  const end = body.search(/[\r\n]/);
  const line = (end < 0 ? body : body.slice(0, end)).slice(0, 200);
  const [name = '', verb = ''] = line.trim().toLowerCase().split(/\s+/);
  return name === '/inquest' ? verb : null;
}
