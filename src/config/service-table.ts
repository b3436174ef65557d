/** Every environment variable of the service, as one table: the parser and `docs/configuration.md` are both made from it. */
import { z } from 'zod';

export const ROLES = ['all', 'app', 'worker'] as const;
export const SANDBOX_KINDS = ['bubblewrap', 'container', 'host'] as const;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Variable<Value = unknown> {
  readonly name: string;
  readonly schema: z.ZodType<Value, string | undefined>;
  /** What a value looks like; may carry Markdown. */
  readonly form: string;
  readonly description: string;
  /** As the documentation shows it. */
  readonly fallback: string;
}

function variable<Value>(
  name: string,
  schema: z.ZodType<Value, string | undefined>,
  texts: Omit<Variable, 'name' | 'schema'>,
): Variable<Value> {
  return { name, schema, ...texts };
}

const digits = z.string().regex(/^\d{1,15}$/, 'expected a whole number');

function whole(min: number, max: number, fallback: number) {
  return digits
    .default(String(fallback))
    .transform(Number)
    .pipe(z.number().min(min, `expected at least ${min}`).max(max, `expected at most ${max}`));
}

function url(protocols: readonly string[]) {
  const expected = `expected a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), expected);
}

function oneOf<const Words extends readonly string[]>(words: Words, fallback: Words[number]) {
  const expected = `expected one of ${words.join(', ')}`;
  return z
    .string()
    .default(fallback)
    .refine((text): text is Words[number] => words.includes(text), expected);
}

const listOf = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

export const VARIABLES = {
  app_id: variable('APP_ID', digits.transform(Number).optional(), {
    form: 'number',
    description: 'Id of the GitHub App.',
    fallback: 'none',
  }),
  private_key: variable('PRIVATE_KEY', z.string().optional(), {
    form: 'PEM text, or the same in base64',
    description: 'Private key of the GitHub App. Line breaks may be written as `\\n`.',
    fallback: 'none',
  }),
  private_key_path: variable('PRIVATE_KEY_PATH', z.string().optional(), {
    form: 'path',
    description: 'File that holds the private key, instead of `PRIVATE_KEY`.',
    fallback: 'none',
  }),
  webhook_secret: variable('WEBHOOK_SECRET', z.string().min(8, 'expected at least 8 characters').optional(), {
    form: 'text',
    description: 'Secret that GitHub signs webhooks with. Required with `APP_ID`.',
    fallback: 'none',
  }),
  github_api_url: variable('GITHUB_API_URL', url(['https:', 'http:']).default('https://api.github.com'), {
    form: 'URL',
    description: 'REST API; for GitHub Enterprise Server `https://HOST/api/v3`.',
    fallback: '`https://api.github.com`',
  }),
  host: variable('HOST', z.string().default('0.0.0.0'), {
    form: 'address',
    description: 'Address to listen on.',
    fallback: '`0.0.0.0`',
  }),
  port: variable('PORT', whole(0, 65_535, 3000), {
    form: 'number',
    description: 'Port to listen on; 0 takes a free one.',
    fallback: '`3000`',
  }),
  role: variable('INQUEST_ROLE', oneOf(ROLES, 'all'), {
    form: listOf(ROLES),
    description:
      '`app` takes webhooks, `worker` does the jobs, `all` does both. `app` and `worker` need `REDIS_URL` and `DATABASE_URL`.',
    fallback: '`all`',
  }),
  redis_url: variable('REDIS_URL', url(['redis:', 'rediss:']).optional(), {
    form: 'URL',
    description: 'Redis for the queue. Missing: jobs run in this process and go on from the store after a restart.',
    fallback: 'none',
  }),
  database_url: variable('DATABASE_URL', url(['postgres:', 'postgresql:']).optional(), {
    form: 'URL',
    description: 'PostgreSQL. Missing: an embedded database in the data folder.',
    fallback: 'none',
  }),
  data_dir: variable('INQUEST_DATA_DIR', z.string().default('.inquest'), {
    form: 'path',
    description: 'Folder for mirrors, worktrees and the embedded database. Commands in the sandbox never see it.',
    fallback: '`.inquest`',
  }),
  sandbox: variable('INQUEST_SANDBOX', oneOf(SANDBOX_KINDS, 'bubblewrap'), {
    form: listOf(SANDBOX_KINDS),
    description:
      'Where test commands run. `host` gives no isolation: only for repositories whose every author you trust.',
    fallback: '`bubblewrap`',
  }),
  container_image: variable('INQUEST_CONTAINER_IMAGE', z.string().default('node:24'), {
    form: 'image',
    description: 'Image of the `container` sandbox, where the repository names none.',
    fallback: '`node:24`',
  }),
  container_engine: variable('INQUEST_CONTAINER_ENGINE', z.string().default('docker'), {
    form: 'program',
    description: 'Program of the `container` sandbox: `docker` or `podman`, or a path.',
    fallback: '`docker`',
  }),
  concurrency: variable('INQUEST_CONCURRENCY', whole(1, 256, 2), {
    form: 'number',
    description: 'Jobs that this process works on at once.',
    fallback: '`2`',
  }),
  wait_seconds: variable('INQUEST_WAIT_SECONDS', whole(0, 21_600, 600), {
    form: 'seconds',
    description: 'Longest wait for the other checks of a commit, whatever a repository asks for.',
    fallback: '`600`',
  }),
  debounce_ms: variable('INQUEST_DEBOUNCE_MS', whole(0, 600_000, 2000), {
    form: 'milliseconds',
    description: 'Quiet time after the last check event of a commit, before its checks are looked at.',
    fallback: '`2000`',
  }),
  log_level: variable('LOG_LEVEL', oneOf(LOG_LEVELS, 'info'), {
    form: listOf(LOG_LEVELS),
    description: 'What is logged, as JSON lines on stdout.',
    fallback: '`info`',
  }),
} as const satisfies Record<string, Variable>;
