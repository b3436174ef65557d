/** No isolation at all: only where the operator says so. Own environment, limits, and the end of the whole tree still hold. */
import { resolve } from 'node:path';
import { InquestError } from '../../errors.ts';
import type { Sandbox, SandboxRequest, SandboxResult } from '../../ports/sandbox.ts';
import { hasCode } from '../workspace/system-error.ts';
import { createCgroup } from './cgroup.ts';
import { sandboxEnvironment } from './environment.ts';
import { cancelledResult, supervise } from './supervise.ts';
import { withFolders } from './throw-away-copy.ts';

/** The command can read what the service can read, and has network whatever the request says. */
export function createHostSandbox(): Sandbox {
  return { kind: 'host', check: async () => undefined, run };
}

async function run(request: SandboxRequest): Promise<SandboxResult> {
  if (request.signal.aborted) return cancelledResult();
  return withFolders(request, async ({ workspace, scratch }) => {
    const cgroup = createCgroup(request.limits);
    try {
      return await supervise({
        argv: request.argv,
        cwd: resolve(workspace, request.cwd),
        env: sandboxEnvironment({ env: request.env, scratch }, hostPath()),
        limits: request.limits,
        signal: request.signal,
        cgroup,
        folders: [workspace, scratch],
        started: (child) => {
          if (child.pid !== undefined) cgroup?.add(child.pid);
        },
      });
    } catch (thrown) {
      return notStarted(request, thrown);
    } finally {
      await cgroup?.remove();
    }
  });
}

/** Folders of package managers, which `npm start` prepends, are Inquest's own. */
function hostPath(): readonly string[] {
  return (process.env.PATH ?? '').split(':').filter((entry) => !entry.includes('/node_modules/'));
}

/** A program that is not there is the command's failure, as a shell would report it. */
function notStarted(request: SandboxRequest, thrown: unknown): SandboxResult {
  const missing = hasCode(thrown, 'ENOENT');
  if (!missing && !hasCode(thrown, 'EACCES')) {
    throw new InquestError('SANDBOX_UNAVAILABLE', `host: ${request.argv[0]} cannot be started`, { cause: thrown });
  }
  const stderr = Buffer.from(`${request.argv[0]}: ${missing ? 'No such file or directory' : 'Permission denied'}\n`);
  return {
    exit_code: missing ? 127 : 126,
    signal: null,
    ended_by: 'exit',
    stdout: new Uint8Array(),
    stderr,
    combined: stderr,
    dropped_bytes: 0,
    duration_ms: 0,
  };
}
