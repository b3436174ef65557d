/** The text that stands where a secret stood. */

const KINDS = [
  'secret',
  'private-key',
  'github-token',
  'aws-key',
  'slack-token',
  'stripe-key',
  'google-key',
  'npm-token',
  'pypi-token',
  'jwt',
  'service-token',
  'authorization',
  'userinfo',
  'signature',
  'password',
  'token',
] as const;
export type Kind = (typeof KINDS)[number];

export function mark(kind: Kind): string {
  return `[redacted:${kind}]`;
}

/** A mark, as a pattern without anchors. */
export const MARK_SOURCE = String.raw`\[redacted:[a-z-]{1,20}\]`;

const NOTHING_LEFT = new RegExp(String.raw`^(?:${MARK_SOURCE}|\*{3,}|\[(?:REDACTED|MASKED|FILTERED)\]?)`, 'i');

/** True when somebody has taken the value out already: our mark, GitHub's `***`, another tool's note. */
export function isTakenOut(value: string): boolean {
  return NOTHING_LEFT.test(value);
}

/** A place for a value rather than a value: `${TOKEN}`, `{{ token }}`, `$TOKEN`, `<token>`, `%s`, `{token}`. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || value.includes('${') || value.includes('{{') || value.includes('$(');
}

const PLACEHOLDER =
  /^(?:\$[A-Za-z_]\w*|\$env:\w+|%\w+%?|<[^>]*>?|\{[^}]*\}?|:[a-z]\w*|\[[^\]]*\]?|\.{3}|x{3,}|X{3,}|•+|-+|_+)$/;
