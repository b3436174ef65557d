// Runs one quiet command with a single line of progress; its output goes to a file and is shown only when it fails.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TICK_MS = 250;
const TAIL_LINES = 40;

/** Runs `program args`. Resolves to `{ok, log}`: whether it exited with 0, and its last lines of output. Never rejects. */
export async function runQuietly(label, program, args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'inquest-bootstrap-'));
  const file = join(folder, 'output.log');
  const progress = startProgress(label);
  try {
    const output = openSync(file, 'w');
    const ok = await exitsWithZero(
      spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', output, output] }),
    );
    closeSync(output);
    progress.end(ok);
    return { ok, log: tail(readFileSync(file, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function exitsWithZero(child) {
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}

function startProgress(label) {
  const start = Date.now();
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
  if (!process.stderr.isTTY) {
    process.stderr.write(`${label} …`);
    return { end: (ok) => process.stderr.write(` ${ok ? 'done' : 'failed'} (${seconds()})\n`) };
  }
  const draw = (text) => process.stderr.write(`\r\u001b[K${text}`);
  const timer = setInterval(() => draw(`${label} … ${seconds()}`), TICK_MS);
  draw(`${label} …`);
  return {
    end(ok) {
      clearInterval(timer);
      draw(`${label}: ${ok ? 'done' : 'failed'} (${seconds()})\n`);
    },
  };
}

function tail(text) {
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}
