// The system programs Inquest's demo and tests use, how each is recognised, and its package in common systems.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const POSTGRES_ROOT = '/usr/lib/postgresql';

/** A program is there when one of its `commands` is on the PATH or in one of its `folders`. */
export const PROGRAMS = [
  {
    name: 'git',
    commands: ['git'],
    purposes: { demo: 'required', test: 'required' },
    debian: 'git',
    brew: 'git',
    fedora: 'git',
    arch: 'git',
    alpine: 'git',
  },
  {
    name: 'bubblewrap',
    commands: ['bwrap'],
    purposes: { demo: 'optional', test: 'required' },
    debian: 'bubblewrap',
    fedora: 'bubblewrap',
    arch: 'bubblewrap',
    alpine: 'bubblewrap',
  },
  {
    name: 'redis-server',
    commands: ['redis-server', 'valkey-server'],
    purposes: { test: 'required' },
    debian: 'redis-server',
    brew: 'redis',
    fedora: 'valkey',
    arch: 'valkey',
    alpine: 'redis',
  },
  {
    name: 'PostgreSQL (initdb)',
    commands: ['initdb'],
    folders: postgresFolders,
    purposes: { test: 'required' },
    debian: 'postgresql',
    brew: 'postgresql@17',
    fedora: 'postgresql-server',
    arch: 'postgresql',
    alpine: 'postgresql',
  },
  {
    name: 'chromium',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    purposes: { test: 'required' },
    debian: 'chromium',
    brew: 'chromium',
    fedora: 'chromium',
    arch: 'chromium',
    alpine: 'chromium',
  },
];

/** True when the program can be started from here. */
export function isInstalled(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...(program.folders?.() ?? [])];
  return folders.some((folder) => program.commands.some((command) => isExecutable(join(folder, command))));
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian keeps the server's programs off the PATH, one folder a version. */
function postgresFolders() {
  if (!existsSync(POSTGRES_ROOT)) return [];
  return readdirSync(POSTGRES_ROOT).map((version) => join(POSTGRES_ROOT, version, 'bin'));
}
