/** The default sandbox: namespaces by bubblewrap. No network, no host files but tool chains, no privileges. */
import { lstatSync, readlinkSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { InquestError } from '../../errors.ts';
import type { Sandbox, SandboxRequest, SandboxResult } from '../../ports/sandbox.ts';
import { removeTree } from '../workspace/remove-tree.ts';
import { type BubblewrapPlan, bubblewrapArguments } from './bubblewrap-arguments.ts';
import { type Cgroup, createCgroup } from './cgroup.ts';
import { sandboxLimits } from './limits.ts';
import { findRuntimes } from './runtimes.ts';
import { cancelledResult, supervise } from './supervise.ts';
import { type Folders, gitOf, withFolders } from './throw-away-copy.ts';

/** What a system without user namespaces says, and what to do. */
const HINT =
  'Install the package bubblewrap and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; ' +
  'in a container, run it with seccomp and AppArmor unconfined), or set INQUEST_SANDBOX=container.';

export function createBubblewrapSandbox(): Sandbox {
  return { kind: 'bubblewrap', check, run };
}

async function check(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'inquest-check-'));
  const [workspace, scratch] = [join(folder, 'tree'), join(folder, 'scratch')];
  try {
    await mkdir(workspace);
    await mkdir(scratch);
    await run({
      argv: ['true'],
      workspace,
      cwd: '.',
      scratch,
      workspace_access: 'read-write',
      env: {},
      network: false,
      limits: sandboxLimits({ timeout_seconds: 10, memory_mb: 256, processes: 16, output_mb: 1 }),
      signal: new AbortController().signal,
    });
  } finally {
    await removeTree(folder);
  }
}

async function run(request: SandboxRequest): Promise<SandboxResult> {
  if (request.signal.aborted) return cancelledResult();
  const bwrap = await findProgram('bwrap');
  if (bwrap === null) throw unavailable('bwrap is not on the PATH');
  const identity = await mkdtemp(join(tmpdir(), 'inquest-identity-'));
  try {
    await writeIdentity(identity, request.scratch);
    return await withFolders(request, async (folders) => {
      const plan = await planFor(request, folders, identity);
      return runPlan([bwrap, ...bubblewrapArguments(plan)], plan);
    });
  } finally {
    await removeTree(identity);
  }
}

/** The command waits inside the sandbox until its control group holds it, so nothing escapes the limits. */
async function runPlan(argv: readonly string[], plan: BubblewrapPlan): Promise<SandboxResult> {
  const { request, workspace, scratch } = plan;
  const cgroup = createCgroup(request.limits);
  let status = '';
  try {
    const result = await supervise({
      argv,
      cwd: '/',
      env: {},
      limits: request.limits,
      signal: request.signal,
      cgroup,
      folders: [workspace, scratch],
      pipes: 2,
      started: (child) => {
        const released = child.stdio[4] as Writable;
        // The pipe breaks when the sandbox ends before it is released; its exit is reported anyway.
        released.on('error', () => undefined);
        (child.stdio[3] as Readable).on('data', (chunk: Buffer) => {
          if (status.length < 4096) status += chunk.toString('latin1');
          const pid = /"child-pid": (\d+)/.exec(status)?.[1];
          if (pid === undefined || released.writableEnded) return;
          confine(cgroup, Number(pid));
          released.end('x');
        });
      },
    }).catch((thrown: unknown) => {
      throw unavailable('bwrap cannot be started', thrown);
    });
    return judge(result, status, plan.prlimit !== null);
  } finally {
    await cgroup?.remove();
  }
}

function confine(cgroup: Cgroup | null, pid: number): void {
  try {
    cgroup?.add(pid);
  } catch {
    // It has ended already, or the kernel refuses the move: sampling still holds the limits.
  }
}

/** bwrap reports an exit code only when the command was started. */
function judge(result: SandboxResult, status: string, wrapped: boolean): SandboxResult {
  if (result.ended_by !== 'exit' || status.includes('"exit-code"')) return result;
  const message = Buffer.from(result.stderr.subarray(0, 2000)).toString('utf8').trim();
  if (!wrapped && message.startsWith('bwrap: execvp')) return { ...result, exit_code: 127 };
  throw unavailable(message || `bwrap ended with ${result.signal ?? result.exit_code}`);
}

async function planFor(request: SandboxRequest, folders: Folders, identity: string): Promise<BubblewrapPlan> {
  const runtimes = findRuntimes(process.env.PATH ?? '', homedir(), process.execPath);
  return {
    request,
    ...folders,
    git: await gitOf(folders.workspace),
    identity,
    runtimes,
    roots: ROOTS.map((path) => ({ path, link: linkTarget(path) })),
    prlimit: await findProgram('prlimit'),
  };
}

const ROOTS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Null for a real folder or nothing: bound when it exists. */
function linkTarget(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? readlinkSync(path) : null;
}

/** Accounts and hosts as the command sees them: none of the machine's own. */
async function writeIdentity(folder: string, home: string): Promise<void> {
  await writeFile(join(folder, 'passwd'), `inquest:x:65534:65534:inquest:${home}:/bin/sh\n`);
  await writeFile(join(folder, 'group'), 'inquest:x:65534:\n');
  await writeFile(join(folder, 'hosts'), '127.0.0.1 localhost inquest\n::1 localhost\n');
}

async function findProgram(name: string): Promise<string | null> {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']) {
    if (!folder.startsWith('/')) continue;
    const path = join(folder, name);
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return path;
  }
  return null;
}

function unavailable(what: string, cause?: unknown): InquestError {
  return new InquestError('SANDBOX_UNAVAILABLE', `bubblewrap: ${what}`, { hint: HINT, cause });
}
