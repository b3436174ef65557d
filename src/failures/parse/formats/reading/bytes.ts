/** Counts the bytes that decoded text had in its input. */

/** A byte that is no UTF-8 was decoded to U+FFFD: it counts as one, so that a position never lies behind the input's end. */
export function bytesOf(text: string): number {
  let replaced = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) replaced++;
  return Buffer.byteLength(text) - 2 * replaced;
}
