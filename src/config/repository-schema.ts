/** The schema of `.github/inquest.yml`. Every key is described here; `docs/configuration.md` is generated from it. */
import { z } from 'zod';
import { MODES } from '../pipeline/slots.ts';
import { splitWords } from './words.ts';

export const ECOSYSTEM_IDS = [
  'node-test',
  'jest',
  'vitest',
  'mocha',
  'pytest',
  'unittest',
  'go-test',
  'cargo-test',
] as const;

const DEFAULT_SPEC = ['SPEC.md', 'spec.md', 'docs/SPEC.md', 'docs/spec.md', 'docs/spec/**/*.md', 'spec/**/*.md'];
const DEFAULT_TEST_PATHS = [
  'test/**',
  'tests/**',
  '**/__tests__/**',
  '**/*.test.*',
  '**/*.spec.*',
  '**/*_test.*',
  '**/test_*.py',
];

const word = z
  .string()
  .min(1)
  .max(8192)
  .refine((text) => !text.includes('\0'), 'must not contain a NUL character');

/** Read as an argument list, whichever way it was written. */
const command = z
  .union([z.string().max(8192), z.array(word).min(1).max(256)], {
    error: 'expected a command: a string, or a list of program and arguments',
  })
  .transform((value, context): readonly string[] => {
    if (typeof value !== 'string') return value;
    const split = splitWords(value);
    if ('words' in split) return split.words;
    context.addIssue({ code: 'custom', message: split.refused });
    return z.NEVER;
  })
  .describe('Program and arguments: a list, or a string that is split into words without a shell.');

const path = z
  .string()
  .min(1)
  .max(512)
  .refine((text) => !text.startsWith('/') && !text.split('/').includes('..'), {
    error: 'expected a path inside the repository',
  });

const setup = z.strictObject({
  command: command.describe(
    'Installs what the tests need, before they run. A list, or a string split into words without a shell.',
  ),
  network: z.boolean().default(true).describe('Whether the setup command has network. Tests never have.'),
});

const suite = z.strictObject({
  name: z.string().min(1).max(100).describe('Name of the suite, as reports show it.'),
  ecosystem: z
    .enum(ECOSYSTEM_IDS)
    .optional()
    .describe('The test runner. Default: found from the command and the files of the repository.'),
  setup: setup.optional().describe('Setup of this suite alone, after the common one.'),
  command: command.describe('Runs the whole suite. A list, or a string split into words without a shell.'),
  single: command
    .optional()
    .describe(
      'Runs one test alone; `{test}` stands for its full name, `{file}` for its file. Default: known from the ecosystem.',
    ),
  env: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/, 'expected a variable name'), z.string().max(8192))
    .default({})
    .describe('Environment of the command. Nothing else is passed on from the host.'),
  timeout_seconds: z.int().min(1).max(7200).optional().describe('Replaces `limits.timeout_seconds` for this suite.'),
});

export const repositorySchema = z.strictObject({
  mode: z
    .enum(MODES)
    .default('report')
    .describe('`report` explains a failure. `suggest` and `fix` are refused until this version has them.'),
  spec: z
    .array(path)
    .max(64)
    .default(DEFAULT_SPEC)
    .describe(
      'Files (paths or globs) that say what the code must do. Only they, and linked issues by people with write access, can prove code or test wrong.',
    ),
  setup: setup.optional().describe('Runs once a run, before any suite.'),
  tests: z
    .array(suite)
    .max(32)
    .default([])
    .describe(
      'The test suites. Empty: the runner is detected from the repository, and the report says what was detected.',
    ),
  paths: z
    .strictObject({
      tests: z.array(path).max(64).default(DEFAULT_TEST_PATHS).describe('Which files are tests.'),
    })
    .prefault({})
    .describe('Which files are what.'),
  forks: z
    .strictObject({
      setup: z
        .boolean()
        .default(false)
        .describe(
          'Whether a setup command may have network for a pull request from a fork, whose code nobody has reviewed.',
        ),
    })
    .prefault({})
    .describe('What pull requests from forks may do.'),
  wait: z
    .strictObject({
      checks_minutes: z
        .number()
        .min(0)
        .max(360)
        .default(10)
        .describe('How long to wait, after the first failure, for the other checks of the commit to complete.'),
    })
    .prefault({})
    .describe('When a run starts.'),
  rerun: z
    .strictObject({
      attempts: z
        .int()
        .min(1)
        .max(5)
        .default(3)
        .describe('How often each failing test is run alone. Differing outcomes show a flaky test.'),
    })
    .prefault({})
    .describe('How failing tests are run again.'),
  limits: z
    .strictObject({
      timeout_seconds: z.int().min(1).max(7200).default(600).describe('Wall clock time of one command.'),
      memory_mb: z
        .int()
        .min(64)
        .max(65_536)
        .default(2048)
        .describe('Memory of one command and its children together, in MiB.'),
      processes: z.int().min(8).max(4096).default(256).describe('Processes and threads of one command.'),
      output_mb: z
        .int()
        .min(1)
        .max(256)
        .default(16)
        .describe('Kept output of one command, stdout and stderr each, in MiB.'),
    })
    .prefault({})
    .describe('Limits of each command in the sandbox.'),
  budgets: z
    .strictObject({
      failures: z
        .int()
        .min(1)
        .max(500)
        .default(20)
        .describe('How many failures of one run are re-run and judged; the rest is listed.'),
      minutes: z.int().min(1).max(360).default(30).describe('Time for all re-runs of one run together, in minutes.'),
    })
    .prefault({})
    .describe('Bounds of one whole run.'),
  ignore_checks: z
    .array(z.string().min(1).max(200))
    .max(100)
    .default([])
    .describe('Names of checks whose failure starts nothing.'),
  sandbox: z
    .strictObject({
      kind: z
        .enum(['bubblewrap', 'container'])
        .optional()
        .describe('Default: what the operator configured. Running on the host cannot be chosen by a repository.'),
      image: z
        .string()
        .regex(/^[a-z0-9][\w.\-/:@]{0,254}$/i, 'expected an image reference such as node:24')
        .optional()
        .describe('Container image that has the tools the tests need. Alone, it means `kind: container`.'),
    })
    .prefault({})
    .describe('Where commands run.'),
});

export type RepositoryConfig = z.infer<typeof repositorySchema>;
export type SuiteConfig = RepositoryConfig['tests'][number];
export type SetupConfig = NonNullable<RepositoryConfig['setup']>;
