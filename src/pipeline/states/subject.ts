/** What a run is about, read once by `validate` and kept as `subject.json`: pull request, issues, configuration. */
import { z } from 'zod';
import {
  defaultRepositoryConfig,
  parseRepositoryConfig,
  REPOSITORY_CONFIG_PATH,
  type RepositoryConfig,
} from '../../config/repository.ts';
import { repositorySchema } from '../../config/repository-schema.ts';
import { InquestError } from '../../errors.ts';
import type { Forge } from '../../ports/forge.ts';
import { redact } from '../../record/redact.ts';
import type { Run } from '../run.ts';
import type { VisitContext } from './state.ts';

export const SUBJECT = 'subject.json';

const pullRequestSchema = z.strictObject({
  number: z.int(),
  title: z.string(),
  body: z.string(),
  head_sha: z.string(),
  head_branch: z.string(),
  base_branch: z.string(),
  base_sha: z.string(),
  fork: z.boolean(),
});

const issueSchema = z.strictObject({
  number: z.int(),
  title: z.string(),
  body: z.string(),
  state: z.enum(['open', 'closed']),
  author_may_write: z.boolean(),
});

const subjectSchema = z.strictObject({
  pull_request: pullRequestSchema.nullable(),
  issues: z.array(issueSchema),
  default_branch: z.string(),
  /** Where the configuration came from, in words. */
  config_source: z.string(),
  config: z.unknown(),
  /** What readers of the report should know about where the clauses come from. */
  notes: z.array(z.string()),
});

export type Subject = Omit<z.infer<typeof subjectSchema>, 'config'> & { readonly config: RepositoryConfig };

const MAX_ISSUES = 5;
const LINKED = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?::[ \t]?|[ \t])#([0-9]{1,9})\b/gi;

/** Numbers of the issues that a pull request's body says it closes, in order, each once. */
export function linkedIssues(body: string): number[] {
  const numbers = [...body.matchAll(LINKED)].map((found) => Number(found[1]));
  return [...new Set(numbers)].slice(0, MAX_ISSUES);
}

/** Asks GitHub what the run is about. The configuration comes from a branch that reviewers own, never from the change itself. */
export async function readSubject(forge: Forge, run: Run): Promise<Subject> {
  const { repo } = run;
  const default_branch = await forge.defaultBranch(repo);
  const pull_request = run.pull_request === null ? null : await forge.pullRequest(repo, run.pull_request);
  const asked = run.issue !== null && run.issue !== run.pull_request ? [run.issue] : [];
  const numbers = [...new Set([...asked, ...linkedIssues(pull_request?.body ?? '')])];
  const found = await Promise.all(numbers.map((number) => forge.issue(repo, number)));
  const issues = found.filter((issue) => issue !== null);
  const ref = pull_request?.base_branch ?? default_branch;
  const config = await readConfig(forge, run, ref);
  return {
    pull_request: pull_request && withoutSecrets(pull_request),
    issues: issues.map(withoutSecrets),
    default_branch,
    ...config,
    notes: [],
  };
}

/** People paste tokens into descriptions too; the subject is kept. */
function withoutSecrets<T extends { readonly title: string; readonly body: string }>(text: T): T {
  return { ...text, title: redact(text.title), body: redact(text.body) };
}

/** The configuration at a ref, or the defaults. Throws `CONFIG_INVALID`. */
export async function readConfig(forge: Forge, { repo }: Pick<Run, 'repo'>, ref: string) {
  const text = await forge.file(repo, REPOSITORY_CONFIG_PATH, ref);
  if (text === null)
    return { config: defaultRepositoryConfig(), config_source: `defaults (no ${REPOSITORY_CONFIG_PATH} on ${ref})` };
  const config_source = `${REPOSITORY_CONFIG_PATH} on ${ref}`;
  return { config: parseRepositoryConfig(text, config_source), config_source };
}

/** The subject that `validate` kept. */
export async function loadSubject(context: VisitContext): Promise<Subject> {
  const text = await context.artifact(SUBJECT);
  if (text === null) {
    throw new InquestError(
      'INTERNAL',
      `Run ${context.run.run_id} has no ${SUBJECT}: ${context.visit.visit_id} came before validate.`,
    );
  }
  const subject = subjectSchema.parse(JSON.parse(text));
  return { ...subject, config: repositorySchema.parse(subject.config) };
}
