/** What happens to issues, and who is told. */
import { invalid } from '../http/errors.ts';
import type { Json } from '../json/account.ts';
import { commentJson, issueJson, labelJson } from '../json/issue.ts';
import { fullPullJson } from '../json/pull.ts';
import type { Account, AppIdentity, Comment, Issue, Label, PullRequest, Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';

/** Characters of a body, on issues, pull requests and comments alike. */
const LONGEST_BODY = 65_536;

export interface NewIssue {
  readonly repository: Repository;
  readonly author: Account;
  readonly viaApp: AppIdentity | null;
  readonly title: string;
  readonly body: string | null;
  readonly labels?: readonly string[];
}

/** Adds the record, without telling anybody: a pull request is announced otherwise. */
export function recordIssue(sim: Simulation, request: NewIssue, pull: PullRequest | null): Issue {
  const { repository, author, viaApp, title, body } = request;
  refuseLong(pull ? 'PullRequest' : 'Issue', body);
  const now = sim.world.now();
  repository.lastNumber += 1;
  const issue: Issue = {
    id: sim.world.nextId(),
    number: repository.lastNumber,
    repository,
    author,
    viaApp,
    title,
    body,
    state: 'open',
    labels: [],
    reactions: [],
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    pull,
  };
  sim.world.issues.push(issue);
  return issue;
}

export async function openIssue(sim: Simulation, request: NewIssue): Promise<Issue> {
  const issue = recordIssue(sim, request, null);
  const labels = (request.labels ?? []).map((name) => labelOf(sim, request.repository, name));
  issue.labels.push(...labels);
  announce(sim, issue, 'opened', request.author, {});
  for (const label of labels) await announceLabel(sim, issue, 'labeled', request.author, label);
  return issue;
}

interface IssueChange {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly labels?: readonly string[] | undefined;
}

export async function changeIssue(sim: Simulation, issue: Issue, sender: Account, change: IssueChange): Promise<void> {
  const { title, body, state, labels } = change;
  const changes: Json = {};
  if (title !== undefined && title !== issue.title) changes.title = { from: issue.title };
  if (body !== undefined && body !== issue.body) changes.body = { from: issue.body ?? '' };
  refuseLong('Issue', body ?? null);
  issue.title = title ?? issue.title;
  issue.body = body === undefined ? issue.body : body;
  issue.updatedAt = sim.world.now();
  if (Object.keys(changes).length > 0) announce(sim, issue, 'edited', sender, { changes });
  if (labels !== undefined) {
    for (const label of [...issue.labels])
      if (!labels.includes(label.name)) await removeLabel(sim, issue, sender, label.name);
    await addLabels(sim, issue, sender, labels);
  }
  if (state === undefined || state === issue.state) return;
  issue.state = state;
  issue.closedAt = state === 'closed' ? sim.world.now() : null;
  await announceEither(sim, issue, state === 'closed' ? 'closed' : 'reopened', sender, {});
}

/** The label with the name; made, grey, when the repository does not have it. */
export function labelOf(
  sim: Simulation,
  repository: Repository,
  name: string,
  color = 'ededed',
  description: string | null = null,
): Label {
  const known = repository.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
  if (known) return known;
  const label = { id: sim.world.nextId(), name, color, description };
  repository.labels.push(label);
  return label;
}

export async function addLabels(
  sim: Simulation,
  issue: Issue,
  sender: Account,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const label = labelOf(sim, issue.repository, name);
    if (issue.labels.includes(label)) continue;
    issue.labels.push(label);
    issue.updatedAt = sim.world.now();
    await announceLabel(sim, issue, 'labeled', sender, label);
  }
}

/** False when the issue does not carry the label. */
export async function removeLabel(sim: Simulation, issue: Issue, sender: Account, name: string): Promise<boolean> {
  const index = issue.labels.findIndex((label) => label.name === name);
  const [label] = index === -1 ? [] : issue.labels.splice(index, 1);
  if (!label) return false;
  issue.updatedAt = sim.world.now();
  await announceLabel(sim, issue, 'unlabeled', sender, label);
  return true;
}

export function addComment(
  sim: Simulation,
  issue: Issue,
  request: { readonly author: Account; readonly viaApp: AppIdentity | null; readonly body: string },
): Comment {
  refuseLong('IssueComment', request.body);
  const now = sim.world.now();
  const comment = { id: sim.world.nextId(), issue, ...request, reactions: [], createdAt: now, updatedAt: now };
  sim.world.comments.push(comment);
  issue.updatedAt = now;
  announceComment(sim, comment, 'created', request.author, {});
  return comment;
}

export function changeComment(sim: Simulation, comment: Comment, sender: Account, body: string): void {
  refuseLong('IssueComment', body);
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = sim.world.now();
  announceComment(sim, comment, 'edited', sender, { changes: { body: { from } } });
}

export function removeComment(sim: Simulation, comment: Comment): void {
  sim.world.comments.splice(sim.world.comments.indexOf(comment), 1);
  announceComment(sim, comment, 'deleted', comment.author, {});
}

function refuseLong(resource: string, body: string | null): void {
  if ((body?.length ?? 0) <= LONGEST_BODY) return;
  throw invalid(resource, 'body', 'custom', `body is too long (maximum is ${LONGEST_BODY} characters)`);
}

/** Pull requests have events of their own for these; only labels and state of one are told here. */
function announce(sim: Simulation, issue: Issue, action: string, sender: Account, fields: Json): void {
  if (issue.pull) return;
  const body = { issue: issueJson(sim.links, sim.world, issue), ...fields };
  sim.webhooks.send(issue.repository, 'issues', action, sender, body);
}

async function announceLabel(
  sim: Simulation,
  issue: Issue,
  action: string,
  sender: Account,
  label: Label,
): Promise<void> {
  await announceEither(sim, issue, action, sender, { label: labelJson(sim.links, issue.repository, label) });
}

async function announceEither(
  sim: Simulation,
  issue: Issue,
  action: string,
  sender: Account,
  fields: Json,
): Promise<void> {
  const { pull, repository, number } = issue;
  if (pull === null) {
    announce(sim, issue, action, sender, fields);
    return;
  }
  const pull_request = await fullPullJson(sim.links, sim.world, sim.git(repository), issue);
  sim.webhooks.send(repository, 'pull_request', action, sender, { number, pull_request, ...fields });
}

function announceComment(sim: Simulation, comment: Comment, action: string, sender: Account, fields: Json): void {
  const { issue } = comment;
  sim.webhooks.send(issue.repository, 'issue_comment', action, sender, {
    issue: issueJson(sim.links, sim.world, issue),
    comment: commentJson(sim.links, comment),
    ...fields,
  });
}
