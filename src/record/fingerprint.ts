/** Fingerprints of slot values: equal values show as equal, but nobody without the run's key can guess the value. Pure. */
import { createHmac } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import type { Json } from './event.ts';

/** 128 bits are plenty against chance, and keep the ledger readable. */
const HEX_DIGITS = 32;

/**
 * HMAC-SHA-256 of the value's canonical JSON, as `hmac_` and 32 hex digits.
 *
 * @param key random bytes of the run, at least 16. The caller keeps them in memory and never persists them.
 */
export function fingerprint(key: Uint8Array, value: Json): string {
  if (key.byteLength < 16) throw new RangeError(`A fingerprint key needs at least 16 bytes, not ${key.byteLength}.`);
  const digest = createHmac('sha256', key).update(canonicalJson(value), 'utf8').digest('hex');
  return `hmac_${digest.slice(0, HEX_DIGITS)}`;
}
