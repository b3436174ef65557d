/** A real PostgreSQL of the test's own: private port, temporary folder, gone afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, constants, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const INSTALL = 'These tests need PostgreSQL (initdb, postgres). Debian, Ubuntu: apt-get install postgresql.';
const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** Resolves when the server takes connections. Fails with what to install when there is no PostgreSQL. */
export async function startPostgres(): Promise<Server> {
  const binaries = await binariesFolder();
  const owner = await ownerOfServer();
  const folder = await mkdtemp(join(tmpdir(), 'inquest-postgres-'));
  if (owner) await chown(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const initdb = ['--pgdata', data, '--username', 'inquest', '--auth', 'trust', '--no-sync', '--encoding', 'UTF8'];
    await ended(spawn(join(binaries, 'initdb'), [...initdb, '--locale', 'C'], { ...owner, cwd: folder }));
    const port = await freePort();
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'fsync=off',
      'shared_buffers=16MB',
      'max_connections=60',
      'logging_collector=off',
      'lc_messages=C',
    ];
    const argv = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(binaries, 'postgres'), argv, { ...owner, cwd: folder });
    const stop = async () => {
      const gone = child.exitCode === null ? once(child, 'close') : null;
      // SIGQUIT ends all of its processes at once.
      child.kill('SIGQUIT');
      await gone;
      await remove();
    };
    await ready(child).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { url: `postgres://inquest@127.0.0.1:${port}/postgres`, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The folder that has both programs: one of PATH, else Debian's newest version. */
async function binariesFolder(): Promise<string> {
  const versions = await readdir(DEBIAN_VERSIONS).catch(() => []);
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a)).map((each) => join(DEBIAN_VERSIONS, each, 'bin'));
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...newestFirst]) {
    const found = await Promise.all(['initdb', 'postgres'].map((name) => isExecutable(join(folder, name))));
    if (found.every(Boolean)) return folder;
  }
  throw new Error(INSTALL);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** PostgreSQL refuses to run as root. Null when we are not root. */
async function ownerOfServer(): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((fields) => fields[0] === name);
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user `postgres` or `nobody` to run it as.');
}

async function ended(child: ChildProcess): Promise<void> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`initdb ended with ${code}:\n${output}`);
}

async function ready(child: ChildProcess): Promise<void> {
  if (!child.stderr) throw new Error('postgres has no stderr.');
  const seen: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    seen.push(line);
    if (!line.includes('database system is ready to accept connections')) continue;
    child.stderr.resume();
    child.stdout?.resume();
    return;
  }
  throw new Error(`postgres ended before it was ready:\n${seen.join('\n')}`);
}
