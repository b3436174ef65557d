/** Secrets that the operator named: as they are, and as they look when encoded. */
import { Buffer } from 'node:buffer';
import { MARK_SOURCE, mark } from './mark.ts';

/** Shorter texts stand in every log by chance. */
const SHORTEST = 4;
const SHORTEST_ENCODED = 6;

/** Replaces every form of the secrets. A secret of several lines is taken line by line. */
export function redactLiterals(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.flatMap((secret) => secret.split(/[\r\n]+/)).flatMap(formsOf));
  if (forms.size === 0) return text;
  const longestFirst = [...forms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const pattern = new RegExp(`(${MARK_SOURCE})|${longestFirst.map(escaped).join('|')}`, 'g');
  return text.replace(pattern, (_, known: string | undefined) => known ?? mark('secret'));
}

function formsOf(secret: string): string[] {
  if (secret.trim().length < SHORTEST) return [];
  const bytes = Buffer.from(secret, 'utf8');
  const encoded = [
    ...base64Forms(bytes),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURI(wellFormed(secret)),
    encodeURIComponent(wellFormed(secret)),
    encodeURIComponent(wellFormed(secret)).replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
  ];
  return [secret, ...encoded.filter((form) => form.length >= SHORTEST_ENCODED)];
}

/** Base64 of the bytes at each of the three places that they can have in a longer text, less the digits that others share. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const digits = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const own = digits.slice(first, last);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

function escaped(form: string): string {
  return form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
