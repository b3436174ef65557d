/** The sandbox made of a container engine: docker, podman, or what takes the same arguments. */
import { randomUUID } from 'node:crypto';
import { execa } from 'execa';
import { InquestError } from '../../errors.ts';
import type { Sandbox, SandboxRequest, SandboxResult } from '../../ports/sandbox.ts';
import { containerArguments } from './container-arguments.ts';
import { cancelledResult, supervise } from './supervise.ts';
import { type Folders, gitOf, withFolders } from './throw-away-copy.ts';

/** How long the engine may take to answer a question, in milliseconds. */
const ENGINE_MS = 15_000;

/** `engine` is a program name or path; `image` has the tools that the tests need. */
export function createContainerSandbox(engine: string, image: string): Sandbox {
  return {
    kind: 'container',
    check: () => checkEngine(engine),
    run: async (request) => {
      if (request.signal.aborted) return cancelledResult();
      return withFolders(request, (folders) => runContainer(engine, image, request, folders));
    },
  };
}

async function runContainer(
  engine: string,
  image: string,
  request: SandboxRequest,
  folders: Folders,
): Promise<SandboxResult> {
  const name = `inquest-${randomUUID()}`;
  const git = await gitOf(folders.workspace);
  const user = `${process.getuid?.() ?? 65534}:${process.getgid?.() ?? 65534}`;
  try {
    const result = await supervise({
      argv: [engine, ...containerArguments({ request, ...folders, git, image, name, user })],
      cwd: '/',
      env: engineEnvironment(),
      limits: request.limits,
      signal: request.signal,
      cgroup: null,
      folders: [folders.workspace, folders.scratch],
      end: () => void ask(engine, ['kill', name]),
    });
    if (result.ended_by !== 'exit') return result;
    // 125 is the engine's own failure; 126 and 127 are the command's.
    if (result.exit_code === 125) throw unavailable(engine, lastLine(result.stderr));
    const state = await ask(engine, ['inspect', '--format', '{{.State.OOMKilled}}', name]);
    return state.stdout.trim() === 'true' ? { ...result, ended_by: 'memory' } : result;
  } catch (thrown) {
    throw thrown instanceof InquestError ? thrown : unavailable(engine, 'the program cannot be started', thrown);
  } finally {
    await ask(engine, ['rm', '--force', name]);
  }
}

async function checkEngine(engine: string): Promise<void> {
  const answer = await ask(engine, ['version', '--format', '{{.Server.Version}}']);
  if (answer.ok) return;
  throw unavailable(engine, answer.stderr.trim().split('\n')[0] || 'it does not answer');
}

/** A short question to the engine; a failure is an answer too. */
async function ask(engine: string, args: readonly string[]) {
  const answer = await execa(engine, args, {
    reject: false,
    timeout: ENGINE_MS,
    stdin: 'ignore',
    env: engineEnvironment(),
    extendEnv: false,
  });
  return { ok: !answer.failed, stdout: answer.stdout, stderr: answer.stderr || (answer.shortMessage ?? '') };
}

/** What an engine's client needs to find its server; nothing of it reaches the container. */
function engineEnvironment(): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'DOCKER_HOST',
    'DOCKER_CONTEXT',
    'CONTAINER_HOST',
    'XDG_RUNTIME_DIR',
    'XDG_CONFIG_HOME',
  ];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function lastLine(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').trim().split('\n').at(-1)?.slice(0, 500) ?? '';
}

function unavailable(engine: string, what: string, cause?: unknown): InquestError {
  return new InquestError('SANDBOX_UNAVAILABLE', `container engine ${engine}: ${what}`, {
    hint: 'Start the engine and let this user reach it, or choose another one with INQUEST_CONTAINER_ENGINE or INQUEST_SANDBOX.',
    cause,
  });
}
