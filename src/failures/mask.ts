/** Masks what differs between two runs of the same failure: times, addresses, temporary paths, ids. */

interface Mask {
  readonly what: RegExp;
  readonly by: string;
}

/** In this order: a UUID holds what looks like other things. All are linear. */
const MASKS: readonly Mask[] = [
  { what: /\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b/g, by: '<uuid>' },
  { what: /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g, by: '<time>' },
  { what: /\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, by: '<time>' },
  { what: /\b0x[0-9a-fA-F]{4,16}\b/g, by: '<address>' },
  { what: /\b(?:[0-9a-f]{40}|[0-9a-f]{64})\b/g, by: '<hash>' },
  { what: /(?:\/private)?(?:\/tmp|\/var\/folders|\/var\/tmp)\/[^\s'"`:,)\]]+/g, by: '<tmp>' },
  { what: /[A-Za-z]:[\\/](?:[^\s'"`:\\/]{1,60}[\\/]){1,6}Temp[\\/][^\s'"`:,)\]]+/g, by: '<tmp>' },
  { what: /\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|::1):\d{2,5}\b/g, by: '$1:<port>' },
  { what: /\b(pid|PID|process|Process|thread|Thread)([ =:#]{1,3})\d+\b/g, by: '$1$2<id>' },
  { what: /\b\d+(?:\.\d+)? ?(?:ms|milliseconds|µs|ns|s|sec|secs|seconds|m|min|minutes)\b/g, by: '<duration>' },
];

const MAX_MASKED = 2000;

/** The message with volatile parts masked and white space folded, at most 2,000 characters. */
export function normalisedMessage(message: string): string {
  // Masks run on a bounded text; folding first keeps the bound about content.
  let text = message
    .slice(0, MAX_MASKED * 4)
    .replace(/\s+/g, ' ')
    .trim();
  for (const mask of MASKS) text = text.replace(mask.what, mask.by);
  return Array.from(text).slice(0, MAX_MASKED).join('');
}
