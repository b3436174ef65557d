/** Reads the environment of the service into a checked value; every problem is reported at once. */
import type { z } from 'zod';
import { InquestError } from '../errors.ts';
import { VARIABLES } from './service-table.ts';

type Key = keyof typeof VARIABLES;

/** One field for each row of the table: `APP_ID` is `app_id`, `INQUEST_ROLE` is `role`. Optional rows may be undefined. */
export type ServiceConfig = { readonly [K in Key]: z.output<(typeof VARIABLES)[K]['schema']> };

type Environment = Readonly<Record<string, string | undefined>>;

/** Needs that are about several variables. Each gives a problem, or null. */
const RULES: readonly ((config: ServiceConfig) => string | null)[] = [
  ({ role, redis_url, database_url }) => {
    const missing = [redis_url === undefined && 'REDIS_URL', database_url === undefined && 'DATABASE_URL'].filter(
      Boolean,
    );
    if (role === 'all' || missing.length === 0) return null;
    return `${missing.join(' and ')}: required when INQUEST_ROLE is ${role}, because app and workers share the queue and the store`;
  },
  ({ private_key, private_key_path }) =>
    private_key !== undefined && private_key_path !== undefined
      ? 'PRIVATE_KEY and PRIVATE_KEY_PATH: expected one of them, got both'
      : null,
  ({ app_id, private_key, private_key_path }) =>
    app_id !== undefined && private_key === undefined && private_key_path === undefined
      ? 'PRIVATE_KEY or PRIVATE_KEY_PATH: required with APP_ID'
      : null,
  ({ app_id, webhook_secret }) =>
    app_id !== undefined && webhook_secret === undefined ? 'WEBHOOK_SECRET: required with APP_ID' : null,
  ({ app_id, private_key, private_key_path }) =>
    app_id === undefined && (private_key !== undefined || private_key_path !== undefined)
      ? 'APP_ID: required with a private key'
      : null,
  ({ private_key }) =>
    private_key === undefined || private_key.includes('-----BEGIN ')
      ? null
      : 'PRIVATE_KEY: expected PEM text that begins with -----BEGIN, or the same in base64',
];

/** Values are trimmed and an empty one counts as missing. Throws `CONFIG_INVALID` with all problems; values of secrets are never shown. */
export function parseServiceConfig(env: Environment): ServiceConfig {
  const problems: string[] = [];
  const values: Partial<Record<Key, unknown>> = {};
  for (const [key, row] of Object.entries(VARIABLES)) {
    const result = row.schema.safeParse(env[row.name]?.trim() || undefined);
    if (result.success) values[key as Key] = result.data;
    else problems.push(...result.error.issues.map((issue) => `${row.name}: ${issue.message}`));
  }
  const config = withKey(values as ServiceConfig);
  if (problems.length === 0) problems.push(...RULES.map((rule) => rule(config)).filter((problem) => problem !== null));
  if (problems.length === 0) return config;
  throw new InquestError('CONFIG_INVALID', `environment:${problems.map((problem) => `\n  - ${problem}`).join('')}`, {
    hint: 'docs/configuration.md lists every variable with its default.',
  });
}

/** Undoes the two usual ways to write a PEM on one line: `\n` for line breaks, and base64. */
function withKey(config: ServiceConfig): ServiceConfig {
  const text = config.private_key;
  if (text === undefined) return config;
  const pem = text.includes('-----BEGIN ') ? text : Buffer.from(text, 'base64').toString('utf8');
  return { ...config, private_key: pem.includes('-----BEGIN ') ? pem.replaceAll('\\n', '\n') : text };
}
