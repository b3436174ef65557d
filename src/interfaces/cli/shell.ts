/** What a command sees of the world around it: streams, environment, folder. Tests hand in their own. */
import type { Readable, Writable } from 'node:stream';
import { codeOf } from './file-problem.ts';

export interface Shell {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path that relative paths are read from. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

export type OutputStream = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };

/** Writes and waits until the stream can take more. A reader that has gone away (`| head`) is no error. */
export async function print(stream: OutputStream, text: string): Promise<void> {
  if (!stream.writable) return;
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve()));
  });
}

export function isClosedPipe(error: unknown): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(codeOf(error));
}
