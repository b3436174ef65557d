/** Keeps the output of a command up to a limit, and counts what it drops. */

export interface Capture {
  stdout(chunk: Uint8Array): void;
  stderr(chunk: Uint8Array): void;
  /** Bytes dropped so far, of both streams. */
  readonly dropped: number;
  result(): Captured;
}

interface Captured {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly combined: Uint8Array;
  readonly dropped_bytes: number;
}

/** `limit` counts bytes of each stream. What is kept of both also makes up `combined`, in order of arrival. */
export function createCapture(limit: number): Capture {
  const combined: Uint8Array[] = [];
  const streams = { stdout: emptyStream(), stderr: emptyStream() };
  let dropped = 0;

  function take(stream: Stream, chunk: Uint8Array): void {
    const kept = chunk.subarray(0, Math.max(0, limit - stream.bytes));
    dropped += chunk.byteLength - kept.byteLength;
    if (kept.byteLength === 0) return;
    // A small chunk can be a view on a large pooled buffer, which would then stay in memory.
    const own = Uint8Array.prototype.slice.call(kept);
    stream.bytes += own.byteLength;
    stream.chunks.push(own);
    combined.push(own);
  }

  return {
    stdout: (chunk) => take(streams.stdout, chunk),
    stderr: (chunk) => take(streams.stderr, chunk),
    get dropped() {
      return dropped;
    },
    result: () => ({
      stdout: Buffer.concat(streams.stdout.chunks),
      stderr: Buffer.concat(streams.stderr.chunks),
      combined: Buffer.concat(combined),
      dropped_bytes: dropped,
    }),
  };
}

interface Stream {
  readonly chunks: Uint8Array[];
  bytes: number;
}

function emptyStream(): Stream {
  return { chunks: [], bytes: 0 };
}
