import { describe, expect, it } from '@jest/globals';
import { fingerprint } from '../../src/record/fingerprint.ts';

const KEY = new Uint8Array(32).fill(1);
const OTHER_KEY = new Uint8Array(32).fill(2);

describe('fingerprint', () => {
  it('is the same for equal values, however they were built', () => {
    expect(fingerprint(KEY, { a: 1, b: ['x'] })).toBe(fingerprint(KEY, { b: ['x'], a: 1 }));
  });

  it('differs between values of the same text', () => {
    const prints = [1, '1', [1], true, 'true', null, 'null', '', []].map((value) => fingerprint(KEY, value));
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('differs between runs', () => {
    expect(fingerprint(KEY, 'main')).not.toBe(fingerprint(OTHER_KEY, 'main'));
  });

  it('shows nothing but its own digits', () => {
    expect(fingerprint(KEY, 'main')).toMatch(/^hmac_[0-9a-f]{32}$/);
  });

  it('refuses a key that could be guessed', () => {
    expect(() => fingerprint(new Uint8Array(8), 'main')).toThrow('16 bytes');
  });
});
