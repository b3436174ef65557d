import { describe, expect, it } from '@jest/globals';
import { asking, badAnswer, noAnswer, readFailure } from '../../../src/adapters/github/github-error.ts';

const NOW = 1_800_000_000_000;

function answered(status: number, headers: Record<string, string>, message = 'Words of GitHub'): Error {
  return badAnswer(new Response(null, { status, statusText: message, headers }));
}

describe('What GitHub asks to wait', () => {
  it.each([
    ['the seconds of Retry-After', answered(429, { 'retry-after': '7' }), 7_000],
    [
      'until the limit is reset, and a second more',
      answered(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 60) }),
      61_000,
    ],
    [
      'nothing when the limit was reset meanwhile but for a second',
      answered(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 - 60) }),
      1_000,
    ],
    ['it does not say', answered(403, {}, 'You have exceeded a secondary rate limit'), null],
  ])('%s', (_what, error, waitMs) => {
    expect(readFailure(error, NOW)).toMatchObject({ limited: true, waitMs });
  });
});

describe('An answer of 403', () => {
  it('is a refusal when no limit is exceeded', () => {
    expect(readFailure(answered(403, {}, 'Resource not accessible by integration'), NOW)).toMatchObject({
      status: 403,
      limited: false,
      waitMs: null,
    });
  });
});

describe('Asking GitHub', () => {
  it.each([
    ['no answer', noAnswer(new Error('connect ECONNREFUSED')), 'GITHUB_UNAVAILABLE', true],
    ['a server error', answered(503, {}), 'GITHUB_UNAVAILABLE', true],
    ['a limit', answered(429, {}), 'GITHUB_UNAVAILABLE', true],
    ['a refusal', answered(422, {}), 'GITHUB_REFUSED', false],
    ['a defect of our own', new TypeError('x is undefined'), 'INTERNAL', false],
  ])('ends with one error of ours: %s', async (_what, error, code, retryable) => {
    await expect(asking('read a thing', () => Promise.reject(error))).rejects.toMatchObject({ code, retryable });
  });
});
