/** What Inquest reads of the answers of GitHub's REST API: these fields and no others. */
import { z } from 'zod';

const account = z.object({ login: z.string() }).nullish();
const writer = z.object({ id: z.int() }).nullish();

export const checkRunSchema = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  external_id: z.string().nullish(),
  html_url: z.string().nullish(),
  details_url: z.string().nullish(),
  app: z.object({ id: z.int(), slug: z.string().nullish() }).nullish(),
  check_suite: z.object({ id: z.int() }).nullish(),
  output: z.object({ annotations_count: z.int() }).nullish(),
});
export type CheckRun = z.infer<typeof checkRunSchema>;

export const statusSchema = z.object({
  id: z.int(),
  context: z.string(),
  state: z.string(),
  target_url: z.string().nullish(),
});

export const workflowRunSchema = z.object({
  id: z.int(),
  workflow_id: z.int(),
  check_suite_id: z.int().nullish(),
});

/** As the parsers of check annotations expect it. */
export const annotationSchema = z.object({
  path: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  annotation_level: z.string().nullable(),
  title: z.string().nullable(),
  message: z.string().nullable(),
  raw_details: z.string().nullish(),
});

export const artifactSchema = z.object({
  id: z.int(),
  name: z.string(),
  size_in_bytes: z.int(),
  expired: z.boolean(),
});
export type Artifact = z.infer<typeof artifactSchema>;

export const pullRequestSchema = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  head: z.object({ sha: z.string(), ref: z.string(), repo: z.object({ id: z.int() }).nullish() }),
  base: z.object({ sha: z.string(), ref: z.string(), repo: z.object({ id: z.int() }) }),
});

export const issueSchema = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  html_url: z.string(),
  user: account,
  author_association: z.string().nullish(),
  performed_via_github_app: writer,
  pull_request: z.unknown().optional(),
});

export const commentSchema = z.object({
  id: z.int(),
  body: z.string().nullish(),
  html_url: z.string(),
  user: account,
  performed_via_github_app: writer,
});

export const writtenIssueSchema = z.object({ number: z.int(), html_url: z.string() });
export const writtenCheckRunSchema = z.object({ id: z.int(), html_url: z.string().nullish() });

export const repositorySchema = z.object({ default_branch: z.string(), clone_url: z.string() });
export const branchSchema = z.object({ commit: z.object({ sha: z.string() }) });
export const branchNamesSchema = z.array(z.object({ name: z.string() }));
export const permissionSchema = z.object({ permission: z.enum(['admin', 'write', 'read', 'none']) });

/** A file; folders answer with a list, links and submodules with another `type`. */
export const fileSchema = z.object({
  type: z.literal('file'),
  size: z.int(),
  encoding: z.string(),
  content: z.string(),
  sha: z.string(),
});
export const blobSchema = z.object({ encoding: z.literal('base64'), content: z.string() });
