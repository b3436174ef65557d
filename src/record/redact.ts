/** Takes secrets out of text before it is kept or shown. Pure; time linear in the text. */
import { redactAssignments } from './redaction/assignments.ts';
import { redactLiterals } from './redaction/literals.ts';
import { redactPrivateKeys } from './redaction/private-keys.ts';
import { redactShapes } from './redaction/shapes.ts';

/** A mark can bring out what stood against the secret; more than a few rounds are never needed. */
const MOST_ROUNDS = 5;

/**
 * Replaces every secret with `[redacted:<kind>]`. Redacting twice changes nothing more; the number of lines stays.
 *
 * @param secrets texts that are secret here, whatever they look like; also found as Base64, hexadecimal and URL-encoded
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let current = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = redactOnce(current, secrets);
    if (next === current) break;
    current = next;
  }
  return current;
}

function redactOnce(text: string, secrets: readonly string[]): string {
  return redactAssignments(redactShapes(redactPrivateKeys(redactLiterals(text, secrets))));
}
