/** Reads a sample the way the product does. */
import type { Finding, ParseResult } from '../../../../src/failures/finding.ts';
import { parseBytes } from '../../../../src/failures/parse/parse.ts';

/** Parses text as the input `name`. */
export function read(text: string, name = 'job.log'): ParseResult {
  return parseBytes(name, new TextEncoder().encode(text));
}

/** The failing tests and diagnostics of a text, without what only the job says. */
export function failures(text: string, name?: string): readonly Finding[] {
  return read(text, name).findings.filter((finding) => finding.kind !== 'job');
}

/** The only failure of a text. */
export function only(text: string, name?: string): Finding {
  const found = failures(text, name);
  const [first] = found;
  if (found.length !== 1 || first === undefined) {
    throw new Error(
      `Expected one failure, got ${found.length}: ${found.map((one) => `${one.runner} ${one.test} ${one.message}`).join(' | ')}`,
    );
  }
  return first;
}
