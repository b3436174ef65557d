/** Workflow files: what starts them, their jobs and steps. Only what a small repository uses is understood. */
import * as YAML from 'yaml';
import * as z from 'zod';
import type { GitRepository } from '../git/repository.ts';
import type { JobPlan } from './lifecycle.ts';

export interface Trigger {
  readonly event: 'push' | 'pull_request';
  /** The pushed branch, or the base of the pull request. */
  readonly branch: string;
  /** Title and number of the pull request. */
  readonly title: string | null;
  readonly number: number | null;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const env = z.record(z.string(), scalar).default({});
const many = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const stepSchema = z.looseObject({
  name: z.string().optional(),
  id: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  if: scalar.optional(),
  with: z.record(z.string(), scalar).default({}),
  env,
  'working-directory': z.string().default('.'),
  'continue-on-error': z.boolean().default(false),
});

const jobSchema = z.looseObject({
  name: z.string().optional(),
  'runs-on': many.default(['ubuntu-latest']),
  needs: many.default([]),
  env,
  strategy: z.looseObject({ matrix: z.record(z.string(), z.array(scalar)).default({}) }).optional(),
  steps: z.array(stepSchema).default([]),
});

const filter = z.looseObject({ branches: many.optional(), 'branches-ignore': many.optional() }).nullable();

const workflowSchema = z.looseObject({
  name: z.string().optional(),
  on: z.union([
    many.transform((names) => Object.fromEntries(names.map((name) => [name, null]))),
    z.record(z.string(), z.unknown()),
  ]),
  env,
  jobs: z.record(z.string(), jobSchema),
});

export type StepPlan = z.output<typeof stepSchema>;

export interface WorkflowJob extends JobPlan {
  readonly env: Readonly<Record<string, string>>;
  readonly matrix: Readonly<Record<string, string>>;
  readonly steps: readonly StepPlan[];
}

export interface Workflow {
  readonly name: string;
  readonly path: string;
  readonly jobs: readonly WorkflowJob[];
  startsOn(trigger: Trigger): boolean;
}

const FOLDER = '.github/workflows';

/** The workflows of a commit, by path. A file that cannot be read throws: the simulator does not guess. */
export async function readWorkflows(git: GitRepository, sha: string): Promise<Workflow[]> {
  const found = await git.entries(sha, FOLDER);
  const paths = (found?.entries ?? []).map((entry) => entry.path).filter((path) => /\.ya?ml$/.test(path));
  const workflows: Workflow[] = [];
  for (const path of paths.sort()) workflows.push(parseWorkflow(path, (await git.text(sha, path)) ?? ''));
  return workflows;
}

export function parseWorkflow(path: string, text: string): Workflow {
  const parsed = workflowSchema.safeParse(YAML.parse(text));
  if (!parsed.success) throw new Error(`${path} is no workflow: ${z.prettifyError(parsed.error)}`);
  const { name = path, on, env: shared, jobs } = parsed.data;
  return {
    name,
    path,
    jobs: Object.entries(jobs).flatMap(([key, job]) =>
      combinations(job.strategy?.matrix ?? {}).map((matrix) => ({
        key: [key, ...Object.values(matrix)].join(' '),
        name: substitute(job.name ?? [key, label(matrix)].filter(Boolean).join(' '), { matrix }),
        needs: job.needs,
        labels: job['runs-on'],
        env: { ...shared, ...job.env },
        matrix,
        steps: job.steps,
      })),
    ),
    startsOn: ({ event, branch }) => {
      if (!(event in on)) return false;
      const only = filter.parse(on[event] ?? null);
      if (only?.branches && !only.branches.some((pattern) => matches(pattern, branch))) return false;
      return !only?.['branches-ignore']?.some((pattern) => matches(pattern, branch));
    },
  };
}

function label(matrix: Readonly<Record<string, string>>): string {
  const values = Object.values(matrix);
  return values.length === 0 ? '' : `(${values.join(', ')})`;
}

function combinations(matrix: Readonly<Record<string, readonly string[]>>): Record<string, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const [key, values] of Object.entries(matrix)) {
    all = all.flatMap((one) => values.map((value) => ({ ...one, [key]: value })));
  }
  return all;
}

/** `*` stops at a slash, `**` does not. */
function matches(pattern: string, branch: string): boolean {
  const parts = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`).test(branch);
}

/** Puts values in place of `${{ context.name }}`; what is not known becomes empty, as on GitHub. */
export function substitute(text: string, contexts: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  return text.replace(/\$\{\{\s*([a-z]+)\.([\w.-]+)\s*\}\}/g, (_, context: string, name: string) => {
    return contexts[context]?.[name] ?? '';
  });
}
