/** The argument list of bubblewrap, as a pure function of a plan: what the command may see and do. */
import { posix } from 'node:path';
import type { SandboxRequest } from '../../ports/sandbox.ts';
import { sandboxEnvironment } from './environment.ts';
import { DISK_BYTES } from './limits.ts';
import type { Runtimes } from './runtimes.ts';

export interface BubblewrapPlan {
  readonly request: SandboxRequest;
  /** The folder that stands at the place of the worktree: itself or a copy. */
  readonly workspace: string;
  /** The same for the scratch folder. */
  readonly scratch: string;
  /** `.git` in the worktree, if any: it is shown, but never writable. */
  readonly git: string | null;
  /** Folder with our own passwd, group and hosts. */
  readonly identity: string;
  readonly runtimes: Runtimes;
  /** Top folders of the system; `link` where one is a symbolic link. */
  readonly roots: readonly { readonly path: string; readonly link: string | null }[];
  /** Path of the program, or null where there is none. */
  readonly prlimit: string | null;
}

/** The parts of `/etc` that programs need to start, to find fonts of time and to check certificates. */
const ETC = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'java',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'pki/ca-trust',
  'pki/tls/certs',
  'protocols',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
];

export function bubblewrapArguments(plan: BubblewrapPlan): readonly string[] {
  const { request } = plan;
  return [
    ...isolation(request.network),
    ...system(plan),
    ...temporary(request.limits.memory_bytes),
    ...plan.runtimes.folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--bind', plan.workspace, request.workspace],
    ...(plan.git === null ? [] : ['--ro-bind', plan.git, posix.join(request.workspace, '.git')]),
    ...['--bind', plan.scratch, request.scratch],
    ...(request.show ?? []).flatMap((path) => ['--ro-bind', path, path]),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', posix.resolve(request.workspace, request.cwd)],
    ...environment(plan),
    '--',
    ...limiter(plan),
    ...request.argv,
  ];
}

/** Nothing of the host's processes, network, IPC or host name; nobody's user id; no capability; gone when we are gone. */
function isolation(network: boolean): readonly string[] {
  return [
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    ...['--unshare-user', '--disable-userns', '--uid', '65534', '--gid', '65534'],
    ...['--cap-drop', 'ALL', '--hostname', 'inquest'],
    ...['--die-with-parent', '--new-session'],
    ...['--json-status-fd', '3', '--block-fd', '4'],
  ];
}

function system({ roots, identity, request }: BubblewrapPlan): readonly string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...roots.flatMap(({ path, link }) => (link === null ? ['--ro-bind-try', path, path] : ['--symlink', link, path])),
    ...ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...(request.network ? ['--ro-bind-try', '/etc/resolv.conf', '/etc/resolv.conf'] : []),
    ...['passwd', 'group', 'hosts'].flatMap((name) => ['--ro-bind', posix.join(identity, name), `/etc/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev'],
  ];
}

/** Files in memory count as memory, so they are bounded too. */
function temporary(memoryBytes: number): readonly string[] {
  const size = String(Math.floor(memoryBytes / 4));
  return ['--size', size, '--tmpfs', '/dev/shm', '--size', size, '--tmpfs', '/tmp'];
}

function environment({ request, runtimes }: BubblewrapPlan): readonly string[] {
  const env = { ...runtimes.env, ...sandboxEnvironment(request, runtimes.path) };
  return ['--clearenv', ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])];
}

/** Threads count as processes. The kernel does not hold the limit for a service that runs as root: there the control group or sampling does. */
function limiter({ prlimit, request }: BubblewrapPlan): readonly string[] {
  if (prlimit === null) return [];
  const { processes, disk_bytes = DISK_BYTES } = request.limits;
  return [prlimit, '--core=0', `--nproc=${processes}`, `--fsize=${disk_bytes}`, '--'];
}
