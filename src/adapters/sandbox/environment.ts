/** The environment of a command: what the sandbox sets, and what the request asks for; nothing of the host's. */
import { posix } from 'node:path';
import type { SandboxRequest } from '../../ports/sandbox.ts';

/**
 * The request may replace anything but HOME and TMPDIR. Programs that a setup command installed for its user are found last: a folder
 * that commands can write to must not stand in for the machine's own programs.
 */
export function sandboxEnvironment(
  request: Pick<SandboxRequest, 'env' | 'scratch'>,
  path: readonly string[],
): Readonly<Record<string, string>> {
  return {
    PATH: [...path, posix.join(request.scratch, '.local/bin')].join(':'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    CI: 'true',
    ...request.env,
    HOME: request.scratch,
    TMPDIR: request.scratch,
  };
}
