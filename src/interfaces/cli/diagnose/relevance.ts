/** Which files of a folder or zip are read: what CI systems write, and nothing twice. */

const EXTENSIONS = /\.(?:log|txt|out|err|xml|json|jsonl|ndjson|tap|trx|zip)$/i;
const REPORTS = /\.(?:xml|json|jsonl|ndjson|tap|trx)$/i;
/** Manifests and settings that only look like reports. */
const SETTINGS =
  /^(?:package|package-lock|composer|tsconfig.*|jsconfig|deno|\.?[\w-]*rc|requirements.*|CMakeLists|robots|pom|AndroidManifest)\.(?:json|txt|xml)$/i;
/** Folders that hold what tools installed, never what they printed. */
const FOREIGN = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__', '__MACOSX']);

export function isForeignFolder(name: string): boolean {
  return FOREIGN.has(name);
}

/** Says why a file (path with forward slashes) is not looked into; null when it is. */
export function irrelevance(path: string): string | null {
  const parts = path.split('/');
  const base = parts.at(-1) ?? '';
  if (parts.slice(0, -1).some(isForeignFolder)) return 'lies in a folder of installed files';
  if (base.startsWith('.')) return 'is a hidden file';
  if (SETTINGS.test(base)) return 'is a settings file';
  if (EXTENSIONS.test(base) || !base.includes('.')) return null;
  return 'is no CI output by its name';
}

/** A test report. Empty, it tells of a runner that died; an empty log tells nothing. */
export function isReport(path: string): boolean {
  return REPORTS.test(path);
}

export interface ListedFile {
  /** Path inside the folder or zip, forward slashes. */
  readonly path: string;
  readonly size: number;
}

/**
 * The Actions archive of a run holds each job twice: `0_build.txt`, and `build/1_Set up job.txt`, `build/2_….txt`.
 * Returns the paths of the parts whose whole is there and not empty, with the whole's path.
 */
export function partsOfJobs(files: readonly ListedFile[]): ReadonlyMap<string, string> {
  const wholes = new Map<string, string>();
  for (const { path, size } of files) {
    const found = /^((?:.*\/)?)-?\d+_([^/]+)\.txt$/.exec(path);
    if (found !== null && size > 0) wholes.set(`${found[1]}${found[2]}`, path);
  }
  const parts = new Map<string, string>();
  for (const { path } of files) {
    const found = /^(.+)\/(?:-?\d+_[^/]*|system)\.txt$/.exec(path);
    const whole = found === null ? undefined : wholes.get(found[1] ?? '');
    if (whole !== undefined) parts.set(path, whole);
  }
  return parts;
}

/** Order of paths: by code units, the same on every machine. */
export function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : Number(one.path > other.path);
}
