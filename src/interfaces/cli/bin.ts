#!/usr/bin/env node
/** The `inquest` program. Everything it does is in `program.ts`; here it meets the process. */
import { runCli } from './program.ts';
import { isClosedPipe } from './shell.ts';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());

// A reader that went away is noticed here when nothing waits for the write.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (!isClosedPipe(error)) throw error;
  });
}

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  signal: interrupted.signal,
});
// An interrupted read from a terminal or pipe would keep the process.
if (interrupted.signal.aborted) process.exit(130);
process.stdin.destroy();
