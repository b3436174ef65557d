/** Finds the tool chains on the operator's PATH that lie outside `/usr`, and the folders that must be shown for them to work. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

export interface Runtimes {
  /** PATH inside the sandbox, in the operator's order. */
  readonly path: readonly string[];
  /** Absolute folders to show read-only. */
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];
const SYSTEM_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** What makes a folder the root of one installed tool chain, rather than a place where anything lies. */
const INSTALL_MARKS = ['lib', 'lib64', 'libexec', 'include', 'pyvenv.cfg'];

/**
 * `path` is the operator's PATH, `home` their home folder. The home folder itself, what contains it, and the
 * `.bin` folders that package managers prepend are never shown.
 */
export function findRuntimes(path: string, home: string, execPath: string): Runtimes {
  const entries = [...path.split(':'), dirname(execPath)].filter(
    (entry) => entry.startsWith('/') && !entry.includes('/node_modules/') && existsSync(entry),
  );
  const usable = new Set<string>();
  const folders = new Set<string>();
  const env: Record<string, string> = {};
  for (const entry of entries) {
    const shown = foldersOf(resolve(entry), home, env);
    if (shown === null) continue;
    usable.add(resolve(entry));
    for (const folder of shown) folders.add(folder);
  }
  for (const entry of SYSTEM_PATH) usable.add(entry);
  return { path: [...usable], folders: withoutNested([...folders]), env };
}

/** Empty for a system folder; null when the entry cannot be shown. */
function foldersOf(entry: string, home: string, env: Record<string, string>): readonly string[] | null {
  const real = realpathSync(entry);
  if (SYSTEM.some((folder) => within(real, folder))) return within(entry, '/usr') || SYSTEM.includes(entry) ? [] : null;
  if (within(home, real)) return null;
  const parent = dirname(entry);
  if (entry.endsWith('/.cargo/bin')) return [entry, ...rustup(dirname(parent), env)];
  if (basename(entry) === 'shims') return [managerOf(parent)].filter((folder) => !within(home, folder));
  if (isInstallRoot(parent, home)) return [parent, realpathSync(parent)];
  return [entry, real];
}

/** The programs in `.cargo/bin` are proxies: the tool chains lie beside them. */
function rustup(owner: string, env: Record<string, string>): readonly string[] {
  const root = process.env.RUSTUP_HOME ?? join(owner, '.rustup');
  if (!existsSync(root)) return [];
  env.RUSTUP_HOME = root;
  return [root];
}

/** `.pyenv/shims` belongs to `.pyenv`, and so do the shims of its plugins. */
function managerOf(folder: string): string {
  const plugins = folder.indexOf('/plugins/');
  return plugins < 0 ? folder : folder.slice(0, plugins);
}

function isInstallRoot(folder: string, home: string): boolean {
  if (within(home, folder) || folder === join(home, '.local')) return false;
  return INSTALL_MARKS.some((mark) => existsSync(join(folder, mark)));
}

function withoutNested(folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => !folders.some((other) => other !== folder && within(folder, other)));
}

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : folder + sep);
}
