/** The argument list of `docker run` or `podman run`, as a pure function. */
import { posix } from 'node:path';
import type { SandboxRequest } from '../../ports/sandbox.ts';
import { DISK_BYTES } from './limits.ts';

export interface ContainerPlan {
  readonly request: SandboxRequest;
  /** The folder that stands at the place of the worktree: itself or a copy. */
  readonly workspace: string;
  /** The same for the scratch folder. */
  readonly scratch: string;
  readonly git: string | null;
  readonly image: string;
  /** By which the container is ended and removed. */
  readonly name: string;
  /** `uid:gid` that owns the worktree. */
  readonly user: string;
}

export function containerArguments(plan: ContainerPlan): readonly string[] {
  const { request } = plan;
  const [program = '', ...args] = request.argv;
  const memory = String(request.limits.memory_bytes);
  return [
    'run',
    ...['--name', plan.name, '--init', '--hostname', 'inquest'],
    ...['--network', request.network ? 'bridge' : 'none'],
    ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--user', plan.user],
    ...['--memory', memory, '--memory-swap', memory, '--pids-limit', String(request.limits.processes)],
    ...['--ulimit', 'core=0', '--ulimit', `fsize=${request.limits.disk_bytes ?? DISK_BYTES}`],
    ...['--tmpfs', `/tmp:rw,nosuid,nodev,size=${Math.floor(request.limits.memory_bytes / 4)}`],
    ...mount(plan.workspace, request.workspace, 'writable'),
    ...(plan.git === null ? [] : mount(plan.git, posix.join(request.workspace, '.git'), 'readonly')),
    ...mount(plan.scratch, request.scratch, 'writable'),
    ...(request.show ?? []).flatMap((path) => mount(path, path, 'readonly')),
    ...['--workdir', posix.resolve(request.workspace, request.cwd)],
    ...Object.entries(environmentOf(request)).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    // The image's own entry point would decide what runs.
    ...['--entrypoint', program],
    plan.image,
    ...args,
  ];
}

/** PATH is the image's own unless the request has one: its tools lie where it says. */
function environmentOf(request: SandboxRequest): Readonly<Record<string, string>> {
  return {
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    CI: 'true',
    ...request.env,
    HOME: request.scratch,
    TMPDIR: request.scratch,
  };
}

/** The value is one CSV line: a part with a comma or a quote is quoted. */
function mount(from: string, to: string, access: 'readonly' | 'writable'): readonly string[] {
  const parts = ['type=bind', `source=${from}`, `target=${to}`, ...(access === 'readonly' ? ['readonly'] : [])];
  return ['--mount', parts.map((part) => (/[",]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join(',')];
}
