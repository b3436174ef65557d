// Installs the npm packages that package-lock.json names, when they are not there yet.
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootstrapError } from './failure.mjs';
import { runQuietly } from './task.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LOCK = join(ROOT, 'package-lock.json');
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.inquest-lock-hash');

/** `npm ci` unless node_modules already holds what the lock file says. Install scripts never run (docs/decisions/0005). */
export async function prepareNpm() {
  const lock = readFileSync(LOCK);
  const hash = createHash('sha256').update(lock).digest('hex');
  if (textOf(STAMP) === hash) return;
  if (!installedAgrees(JSON.parse(lock.toString('utf8')))) await install();
  writeFileSync(STAMP, hash);
}

/** Compares npm's own record of what it installed with the lock file; packages for other platforms may be missing. */
function installedAgrees(lock) {
  const record = textOf(join(MODULES, '.package-lock.json'));
  if (record === null) return false;
  const installed = JSON.parse(record).packages;
  const wanted = Object.entries(lock.packages).filter(([path]) => path !== '');
  return (
    wanted.every(([path, want]) => {
      const have = installed[path];
      return have === undefined
        ? want.optional === true
        : have.version === want.version && have.integrity === want.integrity;
    }) && Object.keys(installed).every((path) => path in lock.packages)
  );
}

async function install() {
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=4'];
  const cache = temporaryCacheIfNeeded();
  try {
    const [program, ...first] = npmCommand();
    const env = cache === null ? {} : { npm_config_cache: cache, npm_config_logs_max: '0' };
    const { ok, log } = await runQuietly(
      'Installing npm packages',
      program,
      [...first, ...args, '--prefix', ROOT],
      env,
    );
    if (!ok)
      throw new BootstrapError(`${log}\n\nnpm could not install the packages; the lines above say why. Try: npm ci`);
  } finally {
    if (cache !== null) rmSync(cache, { recursive: true, force: true });
  }
}

/** The npm that started us, if one did; else the one on the PATH. */
function npmCommand() {
  const started = process.env.npm_execpath;
  return started !== undefined && basename(started) === 'npm-cli.js' ? [process.execPath, started] : ['npm'];
}

/** npm needs a folder for its cache; where the usual one cannot be written (read-only HOME) it gets one for this time. */
function temporaryCacheIfNeeded() {
  const usual = process.env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    accessSync(existsSync(usual) ? usual : dirname(usual), constants.W_OK);
    return null;
  } catch {
    return mkdtempSync(join(tmpdir(), 'inquest-npm-cache-'));
  }
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
