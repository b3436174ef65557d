/** What a push sets off: the event, the suites, the pull requests that it moves, and CI. */
import type { GitCommit, GitRepository } from '../git/repository.ts';
import { accountJson, type Json } from '../json/account.ts';
import { pageOf } from '../links.ts';
import type { Account, Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { announceSuite, createSuite } from './checks.ts';
import { synchronize } from './pulls.ts';

const NOTHING = '0'.repeat(40);
const BRANCH = 'refs/heads/';
/** Commits that a push event lists at most. */
const LISTED = 2048;

export type Refs = ReadonlyMap<string, string>;

/** Every branch and tag that differs between the two looks at the repository is one push. */
export async function pushed(
  sim: Simulation,
  repository: Repository,
  pusher: Account,
  before: Refs,
  after: Refs,
): Promise<void> {
  repository.pushedAt = sim.world.now();
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  for (const ref of names.filter((name) => /^refs\/(heads|tags)\//.test(name))) {
    const from = before.get(ref) ?? NOTHING;
    const to = after.get(ref) ?? NOTHING;
    if (from !== to) await onePush(sim, repository, pusher, { ref, from, to });
  }
}

interface Push {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
}

async function onePush(sim: Simulation, repository: Repository, pusher: Account, push: Push): Promise<void> {
  const { ref, from, to } = push;
  sim.webhooks.send(repository, 'push', null, pusher, await pushJson(sim, repository, pusher, push));
  if (to === NOTHING || !ref.startsWith(BRANCH)) return;
  const branch = ref.slice(BRANCH.length);
  const installation = sim.world.installationOf(repository);
  if (installation?.permissions.checks === 'write') {
    const head = { sha: to, branch, before: from === NOTHING ? null : from };
    await announceSuite(sim, createSuite(sim, repository, installation.app, head), 'requested');
  }
  for (const issue of sim.world.openPullsOf(repository, branch)) await synchronize(sim, issue, pusher, to);
  await sim.ci.push(repository, { sha: to, branch, before: from === NOTHING ? null : from }, pusher);
}

async function pushJson(sim: Simulation, repository: Repository, pusher: Account, push: Push): Promise<Json> {
  const { ref, from, to } = push;
  const git = sim.git(repository);
  const shas = to === NOTHING ? [] : await git.log(from === NOTHING ? null : from, to, LISTED);
  const commits = await Promise.all(shas.map(async (sha) => commitOfPush(sim, repository, await git.commit(sha))));
  const page = pageOf(sim.links, repository);
  return {
    ref,
    before: from,
    after: to,
    created: from === NOTHING,
    deleted: to === NOTHING,
    forced: from !== NOTHING && to !== NOTHING && !(await git.isAncestor(from, to)),
    base_ref: null,
    compare: `${page}/compare/${from.slice(0, 12)}...${to.slice(0, 12)}`,
    commits,
    head_commit: to === NOTHING ? null : await headOf(sim, repository, git, to),
    pusher: { name: pusher.login, email: `${pusher.login}@users.noreply.github.com` },
    organization: undefined,
    sender: accountJson(sim.links, pusher),
  };
}

async function headOf(sim: Simulation, repository: Repository, git: GitRepository, sha: string): Promise<Json> {
  return commitOfPush(sim, repository, await git.commit(sha));
}

function commitOfPush(sim: Simulation, repository: Repository, commit: GitCommit): Json {
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${pageOf(sim.links, repository)}/commit/${commit.sha}`,
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
    added: [],
    removed: [],
    modified: [],
  };
}
