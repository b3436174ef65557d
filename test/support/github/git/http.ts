/** git over HTTP: the smart protocol, spoken by git itself, behind GitHub's credentials. */
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { execa } from 'execa';
import { type Context, Hono } from 'hono';
import { grant } from '../auth/access.ts';
import { authenticate } from '../auth/authenticate.ts';
import { pushed } from '../domain/pushes.ts';
import { authorOf } from '../http/context.ts';
import { GithubError } from '../http/errors.ts';
import type { Repository } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { GIT_ENV } from './repository.ts';

const SERVICES = { 'git-upload-pack': 'contents:read', 'git-receive-pack': 'contents:write' } as const;
type Service = keyof typeof SERVICES;

const isService = (name: string | undefined): name is Service => name !== undefined && name in SERVICES;

export function createGitHttp(sim: Simulation): Hono {
  const app = new Hono();
  /** Pushes of one repository happen one after the other. */
  const pushes = new Map<Repository, Promise<unknown>>();

  app.get('/:owner/:repo/info/refs', async (c) => {
    const service = c.req.query('service');
    if (!isService(service)) return c.text('Please upgrade your git client.', 403);
    const entered = enter(sim, c, service);
    if (entered instanceof Response) return entered;
    const banner = Buffer.from(packetLine(`# service=${service}\n`) + FLUSH);
    const advertised = await talk(c, service, entered.repository, '--http-backend-info-refs').collect();
    return new Response(new Uint8Array(Buffer.concat([banner, advertised])), {
      headers: headersOf(service, 'advertisement'),
    });
  });

  app.post('/:owner/:repo/:service{git-(?:upload|receive)-pack}', async (c) => {
    const service = c.req.param('service');
    if (!isService(service)) return c.notFound();
    const entered = enter(sim, c, service);
    if (entered instanceof Response) return entered;
    const { repository } = entered;
    const headers = headersOf(service, 'result');
    if (service === 'git-upload-pack') return new Response(talk(c, service, repository).stream(), { headers });
    const turn = (pushes.get(repository) ?? Promise.resolve()).then(async () => {
      const git = sim.git(repository);
      const before = await git.refs();
      const answer = await talk(c, service, repository).collect();
      const after = await git.refs();
      await pushed(sim, repository, authorOf(entered.caller).author, before, after);
      return answer;
    });
    pushes.set(
      repository,
      turn.catch(() => undefined),
    );
    return new Response(new Uint8Array(await turn), { headers });
  });

  return app;
}

function enter(
  sim: Simulation,
  c: Context,
  service: Service,
): { repository: Repository; caller: ReturnType<typeof authenticate> } | Response {
  try {
    const caller = authenticate(sim, c.req.header('authorization'));
    const name = (c.req.param('repo') ?? '').replace(/\.git$/, '');
    const repository = sim.world.repository(c.req.param('owner') ?? '', name);
    if (!repository || (caller.kind === 'anonymous' && (repository.private || service === 'git-receive-pack'))) {
      if (caller.kind === 'anonymous') throw new GithubError(401, 'Requires authentication');
      throw new GithubError(404, 'Repository not found.');
    }
    grant(caller, repository, [SERVICES[service]]);
    return { repository, caller };
  } catch (thrown) {
    if (!(thrown instanceof GithubError)) throw thrown;
    if (thrown.status === 401) c.header('www-authenticate', 'Basic realm="GitHub"');
    return c.text(thrown.message, thrown.status);
  }
}

/** One exchange with git. Only the program's own output is sent; what it says besides is dropped. */
function talk(c: Context, service: Service, repository: Repository, ...flags: string[]) {
  const protocol = c.req.header('git-protocol');
  const { body } = c.req.raw;
  const raw = body ? Readable.fromWeb(body as WebStream) : null;
  const input = raw && c.req.header('content-encoding') === 'gzip' ? raw.pipe(createGunzip()) : raw;
  const child = execa('git', [service.slice('git-'.length), '--stateless-rpc', ...flags, repository.gitDir], {
    env: { ...GIT_ENV, ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }) },
    encoding: 'buffer',
    reject: false,
    buffer: { stdout: false },
    ...(input ? { input } : { stdin: 'ignore' as const }),
  });
  return {
    stream: () => Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    collect: async (): Promise<Buffer> => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of child.stdout) chunks.push(chunk as Uint8Array);
      await child;
      return Buffer.concat(chunks);
    },
  };
}

const FLUSH = '0000';

const packetLine = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

function headersOf(service: Service, part: 'advertisement' | 'result'): Record<string, string> {
  return {
    'content-type': `application/x-${service}-${part}`,
    'cache-control': 'no-cache, max-age=0, must-revalidate',
  };
}
