/** GitHub as the pipeline sees it. */
import type { Logger } from 'pino';
import type { RepoRef } from '../../pipeline/run.ts';
import type { Forge } from '../../ports/forge.ts';
import { callContext } from './call-context.ts';
import { upsertCheckRun } from './check-run.ts';
import { checksOf } from './checks.ts';
import { react, upsertComment, upsertIssue } from './comments.ts';
import { evidenceOf } from './evidence.ts';
import type { ForgeLimits } from './limits.ts';
import type { GitHubClient } from './octokit.ts';
import { nameOf, type Reach } from './reach.ts';
import * as repository from './repository.ts';

export interface ForgeOptions {
  octokitFor(installationId: number): Promise<GitHubClient>;
  readonly appSlug: string;
  readonly appId: number;
  readonly limits: ForgeLimits;
  readonly logger: Logger;
}

/** Every call throws `GITHUB_REFUSED` for good, or `GITHUB_UNAVAILABLE` when it may be tried again. */
export function createForge(options: ForgeOptions): Forge {
  const at = <A extends unknown[], R>(call: (reach: Reach, ...rest: A) => Promise<R>) => {
    return async (repo: RepoRef, ...rest: A) => call(await reachOf(options, repo), ...rest);
  };
  const write = <A extends unknown[], R>(name: string, call: (reach: Reach, ...rest: A) => Promise<R>) => {
    return at(async (reach: Reach, ...rest: A) => {
      const written = await call(reach, ...rest);
      options.logger.info({ delivery_id: callContext().deliveryId, repo: nameOf(reach), written }, `GitHub: ${name}`);
      return written;
    });
  };
  return {
    checks: at(checksOf),
    evidence: at(evidenceOf),
    pullRequestOf: at(repository.pullRequestOf),
    pullRequest: at(repository.pullRequest),
    issue: at(repository.issue),
    defaultBranch: at(repository.defaultBranch),
    headOf: at(repository.headOf),
    branchesAt: at(repository.branchesAt),
    file: at(repository.file),
    permission: at(repository.permission),
    react: at(react),
    upsertComment: write('upsertComment', upsertComment),
    upsertCheckRun: write('upsertCheckRun', upsertCheckRun),
    upsertIssue: write('upsertIssue', upsertIssue),
    cloneUrl: at(repository.cloneUrl),
    cloneToken: at(repository.cloneToken),
  };
}

async function reachOf(options: ForgeOptions, repo: RepoRef): Promise<Reach> {
  return {
    client: await options.octokitFor(repo.installation_id),
    repo,
    at: { owner: repo.owner, repo: repo.name },
    appId: options.appId,
    botLogin: `${options.appSlug}[bot]`,
    limits: options.limits,
  };
}
