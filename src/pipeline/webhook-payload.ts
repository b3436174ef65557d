/** What Inquest reads of GitHub's webhook payloads: these fields and no others. */
import { z } from 'zod';

const account = z.object({ login: z.string(), type: z.string().nullish() });

/** In every payload that GitHub sends to an App. */
const common = {
  installation: z.object({ id: z.int() }),
  repository: z.object({ id: z.int(), name: z.string(), owner: z.object({ login: z.string() }) }),
  sender: account,
};

const app = z.object({ id: z.int(), slug: z.string().nullish() }).nullish();
const headCommit = z.object({
  author: z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish(),
});

export const checkRunPayload = z.object({
  ...common,
  check_run: z.object({
    head_sha: z.string(),
    conclusion: z.string().nullable(),
    app,
  }),
});

export const checkSuitePayload = z.object({
  ...common,
  check_suite: z.object({
    head_sha: z.string(),
    conclusion: z.string().nullable(),
    app,
    head_commit: headCommit.nullish(),
  }),
});

export const workflowRunPayload = z.object({
  ...common,
  workflow_run: z.object({
    head_sha: z.string(),
    conclusion: z.string().nullable(),
    head_commit: headCommit.nullish(),
  }),
});

export const statusPayload = z.object({
  ...common,
  sha: z.string(),
  state: z.string(),
  commit: z.object({ commit: headCommit.nullish() }).nullish(),
});

export const issueLabeledPayload = z.object({
  ...common,
  issue: z.object({ number: z.int(), pull_request: z.unknown().optional() }),
  label: z.object({ name: z.string() }).nullish(),
});

export const issueCommentPayload = z.object({
  ...common,
  issue: z.object({ number: z.int(), pull_request: z.unknown().optional() }),
  comment: z.object({
    id: z.int(),
    body: z.string().nullable(),
    author_association: z.string(),
    user: account.nullable(),
    performed_via_github_app: z.unknown().optional(),
  }),
});

export const pullRequestPayload = z.object({
  ...common,
  pull_request: z.object({ number: z.int(), head: z.object({ sha: z.string() }) }),
  /** Only of `labeled`. */
  label: z.object({ name: z.string() }).nullish(),
});

/** Whose checks, comments and commits are Inquest's own. */
export interface Self {
  readonly app_id: number | null;
  /** The App's slug: `inquest` for `https://github.com/apps/inquest`. Its bot is `inquest[bot]`. */
  readonly slug: string | null;
}

/** True for the login of Inquest's own bot. */
export function isOwnLogin(self: Self, login: string): boolean {
  return self.slug !== null && login === `${self.slug}[bot]`;
}

/** True for a check that Inquest itself wrote. */
export function isOwnApp(self: Self, owner: z.infer<typeof app>): boolean {
  if (!owner) return false;
  return owner.id === self.app_id || (self.slug !== null && owner.slug === self.slug);
}

/** True for a commit that Inquest itself made: GitHub names its author after the bot. */
export function isOwnCommit(self: Self, commit: z.infer<typeof headCommit> | null | undefined): boolean {
  const name = commit?.author?.name;
  return typeof name === 'string' && isOwnLogin(self, name);
}
