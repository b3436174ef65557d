/** Makes paths as printed in CI output relative to the repository, the same on every machine. */

/** What is known about the workspace. */
export interface PathOptions {
  /** Folders in which the repository was checked out, as printed in the output. */
  readonly roots?: readonly string[];
  /** All files of the repository, relative to it: a printed path is resolved by its longest suffix that names exactly one. */
  readonly files?: ReadonlySet<string>;
}

// Where CI systems check repositories out. `x/x` is the Actions runner's doubled repository name.
const CHECKOUTS: readonly RegExp[] = [
  /^\/home\/runner\/_?work\/([^/]+)\/\1\//,
  /^\/Users\/runner\/work\/([^/]+)\/\1\//,
  /^\/(?:mnt|home|opt|root|runner|data)\/(?:[^/]+\/){0,6}_?work\/([^/]+)\/\1\//,
  /^[A-Za-z]:\/a\/([^/]+)\/\1\//,
  /^[A-Za-z]:\/(?:[^/]+\/){0,4}_work\/([^/]+)\/\1\//,
  /^\/__w\/([^/]+)\/\1\//,
  /^\/github\/workspace\//,
  /^\/builds\/[^/]+\/[^/]+\//,
  /^\/home\/travis\/build\/[^/]+\/[^/]+\//,
  /^\/home\/circleci\/(?:project|repo)\//,
  /^\/home\/vsts\/work\/\d+\/s\//,
  /^[A-Za-z]:\/projects\/[^/]+\//,
  /^\/var\/lib\/jenkins\/workspace\/[^/]+\//,
  /^\/(?:app|workspace|usr\/src\/app|work|code|repo|src|project)\/(?=[^/])/,
];

/** The path relative to the repository, with forward slashes; as printed (with forward slashes) when its root is unknown. */
export function workspacePath(printed: string, options: PathOptions = {}): string {
  const path = forward(printed);
  const relative = withoutRoot(path, options.roots ?? []);
  // `../` at the start says only that the tool ran in a folder below the root.
  const inside = relative.replace(/^(?:\.\.\/)+/, '');
  return options.files === undefined ? inside : (resolveBySuffix(inside, options.files) ?? inside);
}

/** Forward slashes, no `file://`, no doubled slashes. */
export function forward(printed: string): string {
  const path = printed
    .replace(/^file:\/\/(?:localhost(?=\/))?/, '')
    .replaceAll('\\', '/')
    .replace(/^\/(?=[A-Za-z]:\/)/, '');
  return path.replace(/\/(?:\.\/)+/g, '/').replace(/([^:])\/{2,}/g, '$1/');
}

function withoutRoot(path: string, roots: readonly string[]): string {
  const longestFirst = roots.map((root) => `${forward(root).replace(/\/+$/, '')}/`).sort((a, b) => b.length - a.length);
  const root = longestFirst.find((candidate) => candidate !== '/' && path.startsWith(candidate));
  if (root !== undefined) return collapse(path.slice(root.length));
  for (const checkout of CHECKOUTS) {
    const found = checkout.exec(path);
    if (found !== null) return collapse(path.slice(found[0].length));
  }
  return collapse(path.replace(/^\.\//, ''));
}

/** `a/../b` is `b`; leading `../` stay, there is nothing to take them from. */
function collapse(path: string): string {
  if (!path.includes('/../')) return path;
  const kept: string[] = [];
  for (const part of path.split('/')) {
    const last = kept.at(-1);
    if (part === '..' && last !== undefined && last !== '..' && last !== '') kept.pop();
    else kept.push(part);
  }
  return kept.join('/');
}

/** The one file of the repository that ends with the longest tail of the path; null when none or several do. */
function resolveBySuffix(path: string, files: ReadonlySet<string>): string | null {
  if (files.has(path)) return path;
  const parts = path.replace(/^(?:\.\.?\/|\/)+/, '').split('/');
  const base = parts.at(-1) ?? '';
  const sameName = [...files].filter((file) => file === base || file.endsWith(`/${base}`));
  for (let from = 0; from < parts.length; from += 1) {
    const tail = parts.slice(from).join('/');
    const matches = sameName.filter((file) => file === tail || file.endsWith(`/${tail}`));
    if (matches.length === 1) return matches[0] ?? null;
    if (matches.length > 1) return null;
  }
  return null;
}
