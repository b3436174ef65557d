/** Holds the code to the rules of ARCHITECTURE.md and docs/decisions that no compiler checks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../src/errors.ts';
import { ROOT, type SourceFile, sourceFiles } from './support/source-files.ts';

const SRC = sourceFiles('src');
const ALL = [...SRC, ...sourceFiles('test', 'bench', 'demo')];

/** Folders of the pure core, without `pipeline/states`, which is where the pipeline meets the ports. */
const isPure = (path: string) =>
  /^src\/(?:failures|pipeline|record|debugger)\//.test(path) && !path.startsWith('src/pipeline/states/');
/** Where effects live. */
const isShell = (path: string) =>
  /^src\/(?:adapters|interfaces|jobs|agents\/(?:builtin|model|command)|pipeline\/states)\//.test(path) ||
  /^src\/(?:app|main)\.ts$/.test(path);

/** Those that compute and touch nothing. */
const PURE_NODE_MODULES = ['node:buffer', 'node:crypto', 'node:util'];

describe('imports point inwards', () => {
  it('the pure core imports no adapter, interface, job, back end of an agent, or state', () => {
    expect(offences(SRC, isPure, ({ path }) => path !== null && isShell(path))).toEqual([]);
  });

  it('the pure core imports no module of Node that touches the world', () => {
    const isForbidden = (specifier: string) => specifier.startsWith('node:') && !PURE_NODE_MODULES.includes(specifier);
    expect(offences(SRC, isPure, ({ specifier }) => isForbidden(specifier))).toEqual([]);
  });

  it('the pure core asks neither clock, chance, environment nor locale', () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\.toLocale[A-Z]|\blocaleCompare\(|\bIntl\./;
    expect(SRC.filter(({ path, text }) => isPure(path) && impure.test(withoutComments(text))).map(pathOf)).toEqual([]);
  });

  it('ports import types only', () => {
    expect(
      offences(
        SRC,
        (path) => path.startsWith('src/ports/'),
        ({ typeOnly }) => !typeOnly,
      ),
    ).toEqual([]);
  });

  it('adapters do not import interfaces, jobs or the app', () => {
    const outward = /^src\/(?:interfaces|jobs)\/|^src\/(?:app|main)\.ts$/;
    const isOutward = (path: string | null) => path !== null && outward.test(path);
    expect(
      offences(
        SRC,
        (path) => path.startsWith('src/adapters/'),
        ({ path }) => isOutward(path),
      ),
    ).toEqual([]);
  });

  it('only the composition roots pick adapters', () => {
    const roots = /^src\/(?:main\.ts|adapters\/|interfaces\/)/;
    const isAdapter = (path: string | null) => path?.startsWith('src/adapters/') ?? false;
    expect(
      offences(
        SRC,
        (path) => !roots.test(path),
        ({ path }) => isAdapter(path),
      ),
    ).toEqual([]);
  });

  it('nothing in src imports tests, benches or the demo', () => {
    expect(
      offences(
        SRC,
        () => true,
        ({ path }) => path !== null && !/^(?:src\/|package\.json)/.test(path),
      ),
    ).toEqual([]);
  });

  it('no module imports itself by a detour', () => {
    expect(cyclesOf(SRC)).toEqual([]);
  });
});

describe('files are small and named alike', () => {
  it('19 of 20 have at most 400 lines', () => {
    const long = SRC.filter(({ text }) => text.split('\n').length > 401);
    expect(long.map(pathOf).slice(0, Math.max(0, long.length - Math.floor(SRC.length / 20)))).toEqual([]);
  });

  it('names are kebab-case', () => {
    const names = ALL.map(pathOf).filter(
      (path) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:[-.][a-z0-9]+)*\.ts$/.test(path),
    );
    expect(names).toEqual([]);
  });

  it('no name is one that says nothing', () => {
    const empty = /(?:^|[/-])(?:utils?|helpers?|manager|common|misc|shared)(?:[/.-]|$)/;
    expect(ALL.map(pathOf).filter((path) => empty.test(path))).toEqual([]);
  });

  it('each begins with a sentence on what it is for', () => {
    expect(SRC.filter(({ text }) => !/^(?:#!.*\n)?\/\*\*\s/.test(text)).map(pathOf)).toEqual([]);
  });
});

describe('rules are kept, or the reason is on the line', () => {
  it('every suppression says why', () => {
    const bare =
      /biome-ignore [^:\n]*$|biome-ignore [^:\n]*:\s*(?:<explanation>)?\s*$|@ts-ignore|@ts-nocheck|@ts-expect-error\s*$/m;
    expect(ALL.filter(({ path, text }) => path !== 'test/architecture.test.ts' && bare.test(text)).map(pathOf)).toEqual(
      [],
    );
  });

  it('no command goes through a shell', () => {
    expect(SRC.filter(({ text }) => /\bshell: true\b|\bexecSync\(|\bexec\(`/.test(text)).map(pathOf)).toEqual([]);
  });
});

describe('docs/errors.md and the code name the same errors', () => {
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
  const rows = new Map(
    [...page.matchAll(/^\| `([A-Z_]+)` *\| ([^|]+?) *\|/gm)].map(([, code, meaning]) => [code, meaning]),
  );

  it('every code has a row with its meaning', () => {
    expect(Object.fromEntries(rows)).toEqual(ERROR_CODES);
  });

  it('every code is used', () => {
    const text = SRC.filter(({ path }) => path !== 'src/errors.ts')
      .map(({ text }) => text)
      .join('\n');
    expect(Object.keys(ERROR_CODES).filter((code) => !text.includes(`'${code}'`) && !UNUSED_YET.has(code))).toEqual([]);
  });
});

/** Codes that nothing raises yet: a refused call of a tool is an answer today. */
const UNUSED_YET = new Set(['TOOL_REFUSED']);

function offences(
  files: readonly SourceFile[],
  applies: (path: string) => boolean,
  isWrong: (one: SourceFile['imports'][number]) => boolean,
): string[] {
  return files
    .filter(({ path }) => applies(path))
    .flatMap(({ path, imports }) => imports.filter(isWrong).map(({ specifier }) => `${path} imports ${specifier}`));
}

/** Circles of imports, each once, as `a → b → a`. Imports of types alone vanish and cannot make one. */
function cyclesOf(files: readonly SourceFile[]): string[] {
  const targets = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.flatMap((one) => (one.path === null || one.typeOnly ? [] : [one.path])),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function pathOf({ path }: SourceFile): string {
  return path;
}
