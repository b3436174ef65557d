/** What happens to pull requests: opened, and moved on by a push. */
import { invalid } from '../http/errors.ts';
import { fullPullJson } from '../json/pull.ts';
import type { Account, AppIdentity, Issue, Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { recordIssue } from './issues.ts';

export interface NewPull {
  readonly repository: Repository;
  readonly author: Account;
  readonly viaApp: AppIdentity | null;
  readonly title: string;
  readonly body: string | null;
  /** Branches of this repository. */
  readonly head: string;
  readonly base: string;
}

export async function openPull(sim: Simulation, request: NewPull): Promise<Issue> {
  const { repository, author, head, base } = request;
  const git = sim.git(repository);
  const headSha = await git.resolve(`refs/heads/${head}`);
  if (headSha === null) throw invalid('PullRequest', 'head', 'invalid');
  const baseSha = await git.resolve(`refs/heads/${base}`);
  if (baseSha === null) throw invalid('PullRequest', 'base', 'invalid');
  if (await git.isAncestor(headSha, baseSha)) {
    throw invalid('PullRequest', 'head', 'custom', `No commits between ${base} and ${head}`);
  }
  if (sim.world.openPullsOf(repository, head).some((issue) => issue.pull?.baseBranch === base)) {
    const label = `${repository.owner.login}:${head}`;
    throw invalid('PullRequest', 'head', 'custom', `A pull request already exists for ${label}.`);
  }
  const pull = { id: sim.world.nextId(), headBranch: head, baseBranch: base, headSha, baseSha };
  const issue = recordIssue(sim, request, pull);
  await git.setRef(`refs/pull/${issue.number}/head`, headSha);
  await announce(sim, issue, 'opened', author, {});
  await sim.ci.pullRequest(issue, author);
  return issue;
}

/** A push to the head branch of an open pull request. */
export async function synchronize(sim: Simulation, issue: Issue, sender: Account, sha: string): Promise<void> {
  const { pull, repository } = issue;
  if (!pull) return;
  const before = pull.headSha;
  pull.headSha = sha;
  issue.updatedAt = sim.world.now();
  await sim.git(repository).setRef(`refs/pull/${issue.number}/head`, sha);
  await announce(sim, issue, 'synchronize', sender, { before, after: sha });
  await sim.ci.pullRequest(issue, sender);
}

async function announce(
  sim: Simulation,
  issue: Issue,
  action: string,
  sender: Account,
  fields: Record<string, unknown>,
): Promise<void> {
  const pull = await fullPullJson(sim.links, sim.world, sim.git(issue.repository), issue);
  sim.webhooks.send(issue.repository, 'pull_request', action, sender, {
    number: issue.number,
    pull_request: pull,
    ...fields,
  });
}
