/** What `diagnose` was given, one by one: something to read, or the reason why it is not read. */

export type Bytes = AsyncIterable<Uint8Array>;

export interface ReadableInput {
  readonly kind: 'readable';
  readonly name: string;
  /** True when the person named it, not a folder or zip that holds it: then whatever is wrong with it matters. */
  readonly named: boolean;
  open(): Bytes | Promise<Bytes>;
}

/** `skipped`: no CI output, and nobody said it was. `unreadable`: it should have been read. */
export interface UnreadInput {
  readonly kind: 'skipped' | 'unreadable';
  readonly name: string;
  /** The rest of a sentence that begins with the name: "is empty". */
  readonly reason: string;
}

export type Input = ReadableInput | UnreadInput;

export function unread(kind: UnreadInput['kind'], name: string, reason: string): UnreadInput {
  return { kind, name, reason };
}
