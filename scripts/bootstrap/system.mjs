// Finds the system programs a purpose needs, and installs the missing ones where it may: as root on Debian and Ubuntu.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BootstrapError } from './failure.mjs';
import { isInstalled, PROGRAMS } from './programs.mjs';
import { runQuietly } from './task.mjs';

const SERVICE_POLICY = '/usr/sbin/policy-rc.d';
const APT_OPTIONS = ['-y', '-q', '-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=180', '-o', 'Dpkg::Use-Pty=0'];
const APT_ENV = { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'l', LC_ALL: 'C' };

/** Makes sure that the programs of `purpose` (`demo` or `test`) are there; throws when a required one is not. */
export async function prepareSystem(purpose) {
  const missing = PROGRAMS.filter((program) => purpose in program.purposes && !isInstalled(program));
  if (missing.length === 0) return;
  if (mayInstall()) await installWithApt(missing);
  const still = missing.filter((program) => !isInstalled(program));
  if (still.length === 0) return;
  const required = still.filter((program) => program.purposes[purpose] === 'required');
  if (required.length > 0) throw new BootstrapError(howTo(required, `npm run ${purpose}`.replace('run test', 'test')));
  console.error(`${howTo(still, 'full isolation')} Going on without.`);
}

function mayInstall() {
  return (
    process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(osRelease())
  );
}

async function installWithApt(missing) {
  const packages = missing.map((program) => program.debian);
  const release = forbidServiceStarts();
  try {
    const update = await apt('Updating the package index', 'update');
    const install = await apt(`Installing ${packages.join(', ')}`, 'install', '--no-install-recommends', ...packages);
    if (!install.ok) console.error(update.ok ? install.log : `${update.log}\n${install.log}`);
  } finally {
    release();
  }
}

function apt(label, command, ...rest) {
  return runQuietly(label, 'apt-get', [command, ...APT_OPTIONS, ...rest], APT_ENV);
}

/** Installing a database must not start one. Debian asks this file before it starts a service; an existing one is kept. */
function forbidServiceStarts() {
  if (existsSync(SERVICE_POLICY)) return () => {};
  writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const release = () => rmSync(SERVICE_POLICY, { force: true });
  process.once('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  return release;
}

function howTo(programs, what) {
  const names = programs.map((program) => program.name).join(', ');
  const manager = managerFor(process.platform, osRelease());
  const hints = programs.map((program) => program[manager.key]).filter((name) => name !== undefined);
  const how = hints.length === programs.length ? `${manager.command} ${hints.join(' ')}` : 'see docs/install.md';
  return `Missing for ${what}: ${names}. Install: ${how}`;
}

function managerFor(platform, release) {
  if (platform === 'darwin') return { key: 'brew', command: 'brew install' };
  if (/^ID(_LIKE)?=.*(fedora|rhel)/m.test(release)) return { key: 'fedora', command: 'sudo dnf install' };
  if (/^ID(_LIKE)?=.*arch/m.test(release)) return { key: 'arch', command: 'sudo pacman -S' };
  if (/^ID(_LIKE)?=.*alpine/m.test(release)) return { key: 'alpine', command: 'apk add' };
  return { key: 'debian', command: 'sudo apt-get install' };
}

function osRelease() {
  return existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
}
