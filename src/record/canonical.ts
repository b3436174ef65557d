/** Canonical JSON (RFC 8785) and the hashes and ids made from it: same value, same bytes, same id on every machine. */
import { createHash } from 'node:crypto';
import canonicalizeModule from 'canonicalize';
import { InquestError } from '../errors.ts';

// The package is CommonJS and its types describe an ES default export; at run time the import is the function itself.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** The RFC 8785 text of a JSON value. Throws `INTERNAL` when the value has no JSON form. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new InquestError('INTERNAL', 'A value without a JSON form cannot be made canonical.');
  return text;
}

/** SHA-256 of the UTF-8 of a text, as 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** `<prefix>_` and the first 16 hex digits of the SHA-256 of the value's canonical JSON. */
export function shortId(prefix: string, value: unknown): string {
  return `${prefix}_${sha256Hex(canonicalJson(value)).slice(0, 16)}`;
}
