/** The project's own source files and what each imports, for tests that hold the code to its written rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** Relative to the repository, forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export interface Import {
  /** As written: `node:fs`, `zod`, `../errors.ts`. */
  readonly specifier: string;
  /** The file of the repository it names; null for packages and Node's modules. */
  readonly path: string | null;
  /** True when the import vanishes at run time. */
  readonly typeOnly: boolean;
}

/** Every TypeScript file below the folders, sorted. */
export function sourceFiles(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((path) => path.endsWith('.ts') && !path.includes('/fixtures/') && !path.startsWith('demo/sample/'))
      .sort()
      .map(readSource),
  );
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, imports: importsOf(text, path) };
}

const STATIC = /^(?:import|export)\s+(type\s)?([^'";]*?)\s*from\s*'([^']+)'/gm;
const BARE = /^import\s+'([^']+)'/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;

function importsOf(text: string, path: string): Import[] {
  const found = [...text.matchAll(STATIC)].map(([, type, names = '', specifier = '']) => ({
    specifier,
    typeOnly: type !== undefined || isAllTypes(names),
  }));
  const effects = [...text.matchAll(BARE), ...text.matchAll(DYNAMIC)].map(([, specifier = '']) => ({
    specifier,
    typeOnly: false,
  }));
  return [...found, ...effects].map((one) => ({
    ...one,
    path: one.specifier.startsWith('.') ? posix.join(dirname(path), one.specifier) : null,
  }));
}

/** `{ type A, type B }` */
function isAllTypes(names: string): boolean {
  const inside = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
  const parts = (inside ?? '').split(',').map((part) => part.trim());
  return inside !== undefined && parts.filter(Boolean).every((part) => part.startsWith('type '));
}
