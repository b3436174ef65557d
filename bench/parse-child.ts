/** Child process of the parse bench: parses one file and prints the time and its own peak memory as JSON. */
import { open } from 'node:fs/promises';
import { parseInput } from '../src/failures/parse/parse.ts';

const READ_BYTES = 1024 * 1024;

/** The file in pieces, all in one buffer, so that what is measured is the parser's memory. */
async function* pieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES);
    if (bytesRead === 0) break;
    yield buffer.subarray(0, bytesRead);
  }
  await file.close();
}

const started = process.hrtime.bigint();
const result = await parseInput('job.log', pieces(process.argv[2] ?? ''));
const seconds = Number(process.hrtime.bigint() - started) / 1e9;
console.log(
  JSON.stringify({
    seconds,
    peak_rss_mb: process.resourceUsage().maxRSS / 1024,
    findings: result.findings.length,
    lines: result.lines,
  }),
);
