/** Looks round the test: is what it calls defined once in the project, and does anything prepare all tests? */
import type { DebugTools } from '../../ports/agent.ts';
import type { Site } from './site.ts';
import type { Language } from './tree.ts';

/** Above this many source files only the first ones are searched for a second definition. */
const MAX_SEARCHED = 250;

const SOURCES: Readonly<Record<Language, RegExp>> = { javascript: /\.[cm]?[jt]sx?$/, python: /\.py$/ };
const NOT_SOURCE =
  /(?:^|\/)(?:node_modules|dist|build|out|coverage|vendor|third_party|examples?|docs?|\.[^/]+)\/|\.d\.[cm]?ts$|\.(?:config|rc)\.[cm]?[jt]s$/;
const CONFIGURATION =
  /^(?:.*\/)?(?:package\.json|(?:jest|vitest|vite)\.config\.[cm]?[jt]s|jest\.config\.json|conftest\.py|\.mocharc(?:\.\w+)?)$/;
const PREPARES =
  /\b(?:setupFiles|setupFilesAfterEnv|globalSetup)\b|\bautouse\s*=\s*True\b|def pytest_(?:runtest|configure|sessionstart)/;

/** The file that defines the name, or why it cannot be told for certain. */
export async function definitionOf(
  site: Pick<Site, 'callee' | 'module'>,
  language: Language,
  { tools, isTestFile }: { readonly tools: DebugTools; readonly isTestFile: (path: string) => boolean },
): Promise<{ readonly path: string } | { readonly missing: string }> {
  const files = (await tools.listFiles()).filter(
    (path) => SOURCES[language].test(path) && !NOT_SOURCE.test(path) && !isTestFile(path),
  );
  const name = site.callee;
  if (language === 'python' && !files.some((path) => isModule(path, site.module)))
    return { missing: `the module ${site.module} is not in the project` };
  const pattern = definition(name, language);
  const found: string[] = [];
  for (const path of files.slice(0, MAX_SEARCHED)) {
    const file = await tools.readFile(path);
    if (file.ok && pattern.test(file.value.text)) found.push(path);
    if (found.length > 1)
      return { missing: `${found.join(' and ')} both define \`${name}\`, and the clause does not say which it means` };
  }
  const [path] = found;
  return path === undefined ? { missing: `where the project defines \`${name}\` was not found` } : { path };
}

/** `shop.cart` is `shop/cart.py` or `shop/cart/__init__.py`, wherever the package lies; leading dots are relative. */
function isModule(path: string, module: string): boolean {
  const inner = module.replace(/^\.+/, '').replaceAll('.', '/');
  return [`${inner}.py`, `${inner}/__init__.py`].some((file) => path === file || path.endsWith(`/${file}`));
}

function definition(name: string, language: Language): RegExp {
  const word = name.replaceAll('$', '\\$');
  if (language === 'python')
    return new RegExp(`^[ \\t]*(?:async[ \\t]+)?(?:def|class)[ \\t]+${word}\\b|^${word}[ \\t]*=`, 'm');
  return new RegExp(
    `\\b(?:function\\*?|const|let|var|class)\\s+${word}(?![\\w$])|\\bexports\\.${word}\\s*=|^[ \\t]*(?:(?:static|async|public|get)[ \\t]+)*${word}[ \\t]*\\([^)\\n]*\\)[^\\n{;]*\\{|(?<![\\w$.])${word}\\s*:\\s*(?:async\\s*)?(?:function\\b|\\()`,
    'm',
  );
}

/** Why every test of the project starts from a prepared state; null when none of the usual places says so. */
export async function preparation(tools: DebugTools): Promise<string | null> {
  const files = (await tools.listFiles()).filter(
    (path) => CONFIGURATION.test(path) && !/(?:^|\/)node_modules\//.test(path),
  );
  for (const path of files.slice(0, 40)) {
    const file = await tools.readFile(path);
    if (file.ok && PREPARES.test(file.value.text))
      return `${path} prepares something for all tests that the clause may not speak of`;
  }
  return null;
}
