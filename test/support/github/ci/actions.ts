/** The few published actions that the runner has built in. Any other `uses:` fails, and says so. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { execa } from 'execa';
import { GIT_ENV } from '../git/repository.ts';
import { zip } from './archive.ts';
import type { JobOutcome, RunPlan } from './lifecycle.ts';
import type { JobLog } from './log.ts';
import type { Runner } from './runner.ts';

export interface ActionCall {
  readonly runner: Runner;
  readonly log: JobLog;
  readonly plan: RunPlan;
  readonly gitDir: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly artifacts: JobOutcome['artifacts'][number][];
}

/** Throwing fails the step, with the message as its error. */
type Action = (call: ActionCall) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  'actions/checkout': checkout,
  'actions/setup-node': (call) => setup(call, 'node', ['--version']),
  'actions/setup-python': (call) => setup(call, 'python3', ['--version']),
  'actions/upload-artifact': uploadArtifact,
};

export async function runAction(uses: string, call: ActionCall): Promise<void> {
  const action = ACTIONS[uses.split('@')[0] ?? ''];
  if (!action)
    throw new Error(`Unable to resolve action \`${uses}\`: this runner has only ${Object.keys(ACTIONS).join(', ')}.`);
  await action(call);
}

async function checkout({ runner, log, plan, gitDir, inputs }: ActionCall): Promise<void> {
  const target = resolve(runner.workspace, inputs.path ?? '.');
  const { owner, name } = plan.repository;
  log.line(`Syncing repository: ${owner.login}/${name}`);
  const git = (...args: string[]) => execa('git', args, { cwd: target, env: GIT_ENV });
  await git('init', '--quiet');
  await git('remote', 'add', 'origin', `file://${gitDir}`);
  await git(
    'fetch',
    '--quiet',
    '--no-tags',
    '--depth',
    inputs['fetch-depth'] === '0' ? '2147483647' : '1',
    'origin',
    plan.head.sha,
  );
  await git('checkout', '--quiet', '--detach', plan.head.sha);
  const { stdout } = await git('log', '-1', '--format=%h %s');
  log.line(`HEAD is now at ${stdout}`);
}

/** The version is the machine's, whatever was asked for: it is said in the log. */
async function setup({ runner, log, inputs }: ActionCall, program: string, args: readonly string[]): Promise<void> {
  const { stdout } = await execa(program, args, { env: { PATH: runner.path }, extendEnv: false });
  const asked = inputs['node-version'] ?? inputs['python-version'];
  log.group('Environment details', [
    `${program}: ${stdout.trim()}${asked === undefined ? '' : ` (asked for ${asked})`}`,
  ]);
}

async function uploadArtifact({ runner, log, inputs, artifacts }: ActionCall): Promise<void> {
  const { name = 'artifact', path = '' } = inputs;
  const patterns = path
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const files = (await Promise.all(patterns.map((pattern) => filesOf(runner.workspace, pattern)))).flat();
  if (files.length === 0) {
    const message = `No files were found with the provided path: ${patterns.join(', ')}. No artifacts will be uploaded.`;
    if (inputs['if-no-files-found'] === 'error') throw new Error(message);
    log.line(`##[warning]${message}`);
    return;
  }
  const root = commonFolder(files);
  const bytes = await zip(
    await Promise.all(files.map(async (file) => [relative(root, file), await readFile(file)] as const)),
  );
  artifacts.push({ name, zip: bytes });
  log.line(`With the provided path, there will be ${files.length} file(s) uploaded`);
  log.line(`Artifact ${name}.zip successfully finalized.`);
}

/** A file, everything in a folder, or what a pattern of `*` and `**` matches; sorted. */
async function filesOf(workspace: string, pattern: string): Promise<string[]> {
  const star = pattern.indexOf('*');
  const start = resolve(workspace, star === -1 ? pattern : dirname(`${pattern.slice(0, star)}x`));
  const found = await stat(start).catch(() => null);
  if (!found || !`${start}${sep}`.startsWith(`${workspace}${sep}`)) return [];
  if (found.isFile()) return [start];
  const entries = await readdir(start, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const wanted = star === -1 ? null : globOf(pattern);
  return files.filter((file) => wanted === null || wanted.test(relative(workspace, file))).sort();
}

function globOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*\*|\*)/).map((part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  while (!files.every((file) => file.startsWith(`${folder}${sep}`))) folder = dirname(folder);
  return folder;
}
