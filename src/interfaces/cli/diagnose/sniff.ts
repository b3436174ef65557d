/** Looks at the first bytes of an input: is it text, an archive, or nothing that can be CI output? */
import type { Bytes } from './input.ts';

const HEAD_BYTES = 8192;
/** Share of control characters over which bytes are no text. Random bytes have a tenth. */
const MAX_CONTROL_SHARE = 0.05;
const TEXT_CONTROLS = new Set([0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

export type Content = 'empty' | 'text' | 'utf-16le' | 'utf-16be' | 'zip' | 'gzip' | 'binary';

/** How files begin. */
const SIGNATURES: readonly (readonly [Content, readonly number[]])[] = [
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['gzip', [0x1f, 0x8b]],
  ['binary', [0x7f, 0x45, 0x4c, 0x46]],
  ['binary', [0x89, 0x50, 0x4e, 0x47]],
  ['binary', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

export function contentOf(head: Uint8Array): Content {
  if (head.length === 0) return 'empty';
  const known = SIGNATURES.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (known !== undefined) return known[0];
  const controls = head.reduce((count, byte) => count + Number(byte < 0x20 && !TEXT_CONTROLS.has(byte)), 0);
  return controls > head.length * MAX_CONTROL_SHARE ? 'binary' : 'text';
}

/** Reads the head, and gives back all bytes, the head included. The bytes must be read, or `return`ed, to free the source. */
export async function sniff(bytes: Bytes): Promise<{ content: Content; bytes: AsyncGenerator<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await source.next();
    if (next.done === true) break;
    // Copied: a chunk may be reused by its owner as soon as the next one is asked for.
    first.push(Uint8Array.from(next.value));
    length += next.value.length;
  }
  const head = Buffer.concat(first).subarray(0, HEAD_BYTES);
  return { content: contentOf(head), bytes: replay(first, source) };
}

async function* replay(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** UTF-16 (what PowerShell's `>` writes) as UTF-8. */
export async function* toUtf8(bytes: Bytes, encoding: 'utf-16le' | 'utf-16be'): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of bytes) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
