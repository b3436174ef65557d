import { describe, expect, it } from '@jest/globals';
import { parseServiceConfig } from '../../src/config/service.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n';
const APP = { APP_ID: '12', WEBHOOK_SECRET: 'long enough', PRIVATE_KEY: KEY };

describe('the environment of the service', () => {
  it('may be empty: then all is embedded', () => {
    expect(parseServiceConfig({})).toMatchObject({
      role: 'all',
      sandbox: 'bubblewrap',
      port: 3000,
      redis_url: undefined,
    });
    expect(parseServiceConfig({ PORT: ' ', LOG_LEVEL: '' })).toEqual(parseServiceConfig({}));
  });

  it('takes a key as it is, with written line breaks, and in base64', () => {
    for (const key of [KEY, KEY.replaceAll('\n', '\\n'), Buffer.from(KEY).toString('base64')]) {
      expect(parseServiceConfig({ ...APP, PRIVATE_KEY: key }).private_key?.trim()).toBe(KEY.trim());
    }
  });

  it('reports all problems at once', () => {
    const wrong = { PORT: '99999', REDIS_URL: 'http://x', LOG_LEVEL: 'loud', INQUEST_CONCURRENCY: '0' };
    expect(() => parseServiceConfig(wrong)).toThrow(
      [
        'environment:',
        '  - PORT: expected at most 65535',
        '  - REDIS_URL: expected a URL that begins with redis:// or rediss://',
        '  - INQUEST_CONCURRENCY: expected at least 1',
        '  - LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent',
      ].join('\n'),
    );
  });

  it.each([
    [{ INQUEST_ROLE: 'worker' }, 'REDIS_URL and DATABASE_URL: required when INQUEST_ROLE is worker'],
    [{ INQUEST_ROLE: 'app', REDIS_URL: 'redis://x' }, 'DATABASE_URL: required when INQUEST_ROLE is app'],
    [{ APP_ID: '1' }, 'PRIVATE_KEY or PRIVATE_KEY_PATH: required with APP_ID'],
    [{ ...APP, WEBHOOK_SECRET: undefined }, 'WEBHOOK_SECRET: required with APP_ID'],
    [{ ...APP, APP_ID: undefined }, 'APP_ID: required with a private key'],
    [{ ...APP, PRIVATE_KEY_PATH: 'x' }, 'expected one of them, got both'],
  ])('%j needs more', (env, message) => {
    expect(() => parseServiceConfig(env)).toThrow(message);
  });

  it('never shows the value of a secret', () => {
    const secret = 'S3cr';
    expect(() => parseServiceConfig({ ...APP, WEBHOOK_SECRET: secret, PRIVATE_KEY: secret })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) }),
    );
  });
});
