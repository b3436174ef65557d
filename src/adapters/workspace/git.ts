/** Runs git with nothing of the machine's or the repository's own settings, and hands a token over by askpass only. */
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { InquestError } from '../../errors.ts';

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** Milliseconds. Default: two minutes. */
  readonly timeout?: number;
  readonly credentials?: Credentials;
  /** Path of an index of its own, in place of the worktree's. */
  readonly index?: string;
}

/** Good for one host: a redirect to another one gets no answer from askpass. */
export interface Credentials {
  readonly token: string;
  readonly host: string;
  readonly askpass: string;
}

const TWO_MINUTES = 120_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Each is set on the command line, where it overrides whatever a configuration file says. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.autocrlf=false',
  'core.quotePath=false',
  'credential.helper=',
  'filter.lfs.process=',
  'filter.lfs.smudge=',
  'filter.lfs.required=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'protocol.ext.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
];

/** Settings of the network path, which only the machine knows. */
const PASSED_ON = [
  'PATH',
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'NO_PROXY',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
];

/** Stdout of git. Throws `GIT_FAILED` (retryable: git does not say why it failed), or `CANCELLED`. */
export async function git(call: GitCall): Promise<string> {
  const result = await execa('git', [...SETTINGS.flatMap((setting) => ['-c', setting]), ...call.args], {
    cwd: call.cwd,
    env: { ...environment(call.credentials), ...(call.index === undefined ? {} : { GIT_INDEX_FILE: call.index }) },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    stripFinalNewline: false,
    timeout: call.timeout ?? TWO_MINUTES,
    maxBuffer: MAX_OUTPUT,
    ...(call.signal === undefined ? {} : { cancelSignal: call.signal }),
  });
  if (!result.failed) return result.stdout;
  if (result.isCanceled) throw new InquestError('CANCELLED', `git ${call.args[0]} was cancelled`);
  const said = result.timedOut
    ? 'it took too long'
    : result.stderr.trim().slice(-2000) || (result.shortMessage ?? 'no reason given');
  const what = withoutToken(said, call.credentials);
  throw new InquestError('GIT_FAILED', `git ${call.args[0]} failed: ${what}`, { retryable: true });
}

/** True when git ended well; for questions whose answer is the exit code. */
export async function gitSucceeds(call: GitCall): Promise<boolean> {
  try {
    await git(call);
    return true;
  } catch (thrown) {
    if (thrown instanceof InquestError && thrown.code === 'GIT_FAILED') return false;
    throw thrown;
  }
}

/** Writes the askpass program into the folder and gives its path. It holds no secret: it prints what git's environment has. */
export async function writeAskpass(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'askpass');
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, ASKPASS);
  await chmod(fresh, 0o700);
  await rename(fresh, path);
  return path;
}

/** Git asks `Username for 'https://host': ` and `Password for 'https://user@host': `. */
const ASKPASS = `#!/bin/sh
case "$1" in
  "Username for 'https://$INQUEST_GIT_HOST': " | "Username for 'http://$INQUEST_GIT_HOST': ")
    printf '%s\\n' x-access-token ;;
  "Password for 'https://x-access-token@$INQUEST_GIT_HOST': " | "Password for 'http://x-access-token@$INQUEST_GIT_HOST': ")
    printf '%s\\n' "$INQUEST_GIT_TOKEN" ;;
  *) exit 1 ;;
esac
`;

function environment(credentials: Credentials | undefined): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    ...Object.fromEntries(passed),
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'https:http:file',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    ...(credentials === undefined
      ? { GIT_ASKPASS: '/bin/false' }
      : {
          GIT_ASKPASS: credentials.askpass,
          INQUEST_GIT_TOKEN: credentials.token,
          INQUEST_GIT_HOST: credentials.host,
        }),
  };
}

function withoutToken(text: string, credentials: Credentials | undefined): string {
  return credentials === undefined ? text : text.replaceAll(credentials.token, '[token]');
}
