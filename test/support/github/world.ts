/** The state of the simulated GitHub: records by kind, identifiers, and how to find them again. */
import { randomBytes } from 'node:crypto';
import type {
  Account,
  AppIdentity,
  Artifact,
  CheckRun,
  CheckSuite,
  Comment,
  CommitStatus,
  Installation,
  InstallationToken,
  Issue,
  Job,
  Repository,
  WorkflowRun,
} from './model.ts';

export class World {
  readonly accounts: Account[] = [];
  readonly apps: AppIdentity[] = [];
  readonly repositories: Repository[] = [];
  readonly installations: Installation[] = [];
  readonly tokens: InstallationToken[] = [];
  readonly issues: Issue[] = [];
  readonly comments: Comment[] = [];
  readonly checkSuites: CheckSuite[] = [];
  readonly checkRuns: CheckRun[] = [];
  readonly statuses: CommitStatus[] = [];
  readonly workflowRuns: WorkflowRun[] = [];
  readonly now: () => number;
  #last = 4_100_000;

  constructor(clock: () => number) {
    this.now = clock;
  }

  /** One sequence for all kinds: an id of the wrong kind is then never found by chance. */
  nextId(): number {
    this.#last += 7;
    return this.#last;
  }

  /** The account with the login; made when it does not exist. */
  account(login: string, type: Account['type'] = 'User'): Account {
    const known = this.findAccount(login);
    if (known) return known;
    const account = { id: this.nextId(), login, type, token: `ghp_${randomBytes(18).toString('hex')}` };
    this.accounts.push(account);
    return account;
  }

  findAccount(login: string): Account | undefined {
    return this.accounts.find((account) => same(account.login, login));
  }

  /** The app with the slug; made, as a third party's, when it does not exist. */
  app(slug: string, name = slug): AppIdentity {
    const known = this.apps.find((app) => app.slug === slug);
    if (known) return known;
    const owner = this.account(slug === 'github-actions' ? 'github' : `${slug}-owner`, 'Organization');
    const bot = this.account(`${slug}[bot]`, 'Bot');
    const app = { id: this.nextId(), slug, name, owner, bot, permissions: {}, events: [] };
    this.apps.push(app);
    return app;
  }

  repository(owner: string, name: string): Repository | undefined {
    return this.repositories.find((repository) => same(repository.owner.login, owner) && same(repository.name, name));
  }

  installationOf(repository: Repository): Installation | undefined {
    return this.installations.find((installation) => installation.repositories.includes(repository));
  }

  issue(repository: Repository, number: number): Issue | undefined {
    return this.issues.find((issue) => issue.repository === repository && issue.number === number);
  }

  openPullsOf(repository: Repository, branch: string): readonly Issue[] {
    return this.issues.filter(
      (issue) => issue.repository === repository && issue.state === 'open' && issue.pull?.headBranch === branch,
    );
  }

  commentsOf(issue: Issue): readonly Comment[] {
    return this.comments.filter((comment) => comment.issue === issue);
  }

  checkRunsOf(suite: CheckSuite): readonly CheckRun[] {
    return this.checkRuns.filter((run) => run.suite === suite);
  }

  jobs(): readonly Job[] {
    return this.workflowRuns.flatMap((run) => run.jobs);
  }

  artifacts(): readonly Artifact[] {
    return this.workflowRuns.flatMap((run) => run.artifacts);
  }
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
