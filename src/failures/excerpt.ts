/** Cuts excerpts to a budget of bytes without breaking a character, and says how much was left out. */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text with each lone surrogate, which has no UTF-8, as U+FFFD. */
export function wellFormed(text: string): string {
  return decoder.decode(encoder.encode(text));
}

/** The text within `maxBytes` of UTF-8, whole code points; a cut text ends with `… [n bytes dropped]` inside the budget. */
export function truncateBytes(text: string, maxBytes: number): string {
  const whole = wellFormed(text);
  const total = encoder.encode(whole).length;
  if (total <= maxBytes) return whole;
  // The suffix is as long as it can get: the number of dropped bytes is below the total.
  const room = Math.max(0, maxBytes - suffix(total).length - 2);
  const target = new Uint8Array(room);
  const { read, written } = encoder.encodeInto(whole, target);
  return `${whole.slice(0, read)}${suffix(total - written)}`;
}

function suffix(dropped: number): string {
  return `… [${dropped} bytes dropped]`;
}
