/** Builds `dist` once before all tests, when a source is newer: tests that start Inquest as a process run what an operator runs. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

export default function build() {
  if (newestOf('src') <= modifiedAt('dist/main.js')) return;
  // Types are checked by `npm run types`; a test of one part does not wait for all parts to fit.
  const argv = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck'];
  execFileSync(process.execPath, argv, { cwd: ROOT, stdio: 'inherit' });
}

function newestOf(folder) {
  const names = readdirSync(join(ROOT, folder), { recursive: true });
  return Math.max(...names.map((name) => modifiedAt(join(folder, name))));
}

function modifiedAt(path) {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
