/** The tests of a Python file: where each is, what prepares it, and the row of `parametrize` that failed. */

import { parseValue } from '../../pipeline/value/value.ts';
import { type PythonRow, type PythonScope, parameterNames, plain } from './python-scope.ts';
import { isMissing, type Resolved } from './site.ts';
import { findKinds, linesOf, type Node, parts } from './tree.ts';

export interface PythonTest {
  readonly name: string;
  readonly definition: Node;
  readonly body: Node;
  readonly decorators: readonly Node[];
  /** The class that holds it, or null. */
  readonly holder: Node | null;
}

const REPLACING =
  /\b(?:monkeypatch|mocker|freeze_time|freezegun|time_machine|responses|respx|requests_mock)\b|\bpatch(?:\.\w+)?\(|\bmock\.\w+\(/;
const PREPARING =
  /^(?:setUp|setUpClass|asyncSetUp|setup|setup_method|setup_class|setUpModule|setup_module|setup_function)$/;
const BASES = /^(?:unittest\.)?(?:TestCase|IsolatedAsyncioTestCase)$|^object$/;
const PLAIN_DECORATORS =
  /^@(?:pytest\.mark\.(?:parametrize|asyncio|anyio|slow|unit|xfail|skip\w*)|unittest\.skip\w*|staticmethod)\b/;

export function pythonReplacesParts(source: string): boolean {
  return REPLACING.test(source);
}

export function pythonTestsIn(root: Node): PythonTest[] {
  return findKinds(root, ['function_definition']).flatMap((definition) => {
    const name = definition.field('name')?.text() ?? '';
    const body = definition.field('body');
    if (!name.startsWith('test') || !body) return [];
    const decorated = definition.parent()?.kind() === 'decorated_definition' ? definition.parent() : null;
    const decorators = parts(decorated).filter((part) => part.kind() === 'decorator');
    const holder = definition.ancestors().find((node) => node.kind() === 'class_definition') ?? null;
    return [{ name, definition, body, decorators, holder }];
  });
}

/** Function and class of a test's full name, as pytest or unittest print it. */
export function partsOfName(full: string): {
  readonly name: string;
  readonly holder: string | null;
  readonly parameters: string | null;
} {
  const unittest = /^(\w+) \(([\w.]+)\)/.exec(full);
  if (unittest) {
    const path = (unittest[2] ?? '').split('.').filter((part) => part !== unittest[1]);
    return { name: unittest[1] ?? '', holder: path.at(-1) ?? null, parameters: null };
  }
  const parameters = /\[(.*)\]$/.exec(full)?.[1] ?? null;
  const path = full
    .replace(/\[.*\]$/, '')
    .split(/::|\.|\s/)
    .filter(Boolean);
  return { name: path.at(-1) ?? '', holder: path.at(-2) ?? null, parameters };
}

/** What prepares the test or changes what it sees; null when nothing does. */
export function preparedBy(test: PythonTest, root: Node): string | null {
  const decorator = test.decorators.find((each) => !PLAIN_DECORATORS.test(each.text()));
  if (decorator) return `line ${linesOf(decorator).first} decorates the test`;
  const bases = test.holder ? parts(test.holder.field('superclasses')) : [];
  if (bases.some((base) => !BASES.test(base.text()))) return 'the class of the test inherits from another one';
  const holders = [root, ...(test.holder?.field('body') ? [test.holder.field('body')] : [])];
  for (const holder of holders) {
    for (const statement of parts(holder)) {
      const inner = statement.kind() === 'decorated_definition' ? statement.field('definition') : statement;
      if (inner?.kind() === 'function_definition' && PREPARING.test(inner.field('name')?.text() ?? ''))
        return `line ${linesOf(statement).first} prepares something before the test`;
      if (statement.kind() === 'decorated_definition' && /\bautouse\s*=\s*True\b/.test(statement.text().slice(0, 400)))
        return `line ${linesOf(statement).first} prepares something before the test`;
    }
  }
  return null;
}

/** Parameters of the test that no row gives: fixtures. */
export function fixturesOf(test: PythonTest): string[] {
  const given = parametrized(test).flatMap((each) => each.names);
  return parameterNames(test.definition).filter((name) => name !== 'self' && name !== 'cls' && !given.includes(name));
}

interface Parametrize {
  readonly names: readonly string[];
  readonly rows: Node | null;
  readonly ids: boolean;
}

function parametrized(test: PythonTest): Parametrize[] {
  return test.decorators.flatMap((decorator) => {
    const call = parts(decorator)[0];
    if (!/^(?:pytest\.mark|mark)\.parametrize$/.test(call?.field('function')?.text() ?? '')) return [];
    const [names, rows, ...more] = parts(call?.field('arguments') ?? null);
    const text = names ? parseValue(names.text()) : null;
    const list =
      text?.kind === 'string'
        ? text.value.split(',').map((name) => name.trim())
        : text && 'items' in text
          ? text.items.flatMap((item) => (item.kind === 'string' ? [item.value] : []))
          : [];
    return [{ names: list, rows: rows ?? null, ids: more.length > 0 }];
  });
}

/** The row that failed: null when there is no table, `unclear` when it cannot be told. */
export function pythonRowOf(
  test: PythonTest,
  scope: PythonScope,
  parameters: string | null,
): PythonRow | null | 'unclear' {
  const tables = parametrized(test);
  const [table] = tables;
  if (!table) return null;
  if (tables.length > 1 || table.ids) return 'unclear';
  const rows = rowsOf(table, scope);
  if (rows.length === 1) return rows[0] ?? 'unclear';
  const fitting = rows.filter((row) => row.id === parameters);
  return parameters !== null && fitting.length === 1 ? (fitting[0] ?? 'unclear') : 'unclear';
}

function rowsOf(table: Parametrize, scope: PythonScope): (PythonRow & { readonly id: string | null })[] {
  let list = table.rows && plain(table.rows);
  if (list?.kind() === 'identifier') {
    const binding = scope.lookup(list.text(), list);
    list = binding.kind === 'value' ? plain(binding.value) : null;
  }
  if (list?.kind() !== 'list' && list?.kind() !== 'tuple') return [];
  return parts(list).map((row) => rowOf(plain(row), table.names, scope));
}

function rowOf(row: Node, names: readonly string[], scope: PythonScope): PythonRow & { readonly id: string | null } {
  const param =
    row.kind() === 'call' && /(?:^|\.)param$/.test(row.field('function')?.text() ?? '')
      ? parts(row.field('arguments'))
      : null;
  const named = param
    ?.find((each) => each.kind() === 'keyword_argument' && each.field('name')?.text() === 'id')
    ?.field('value');
  const cells = param
    ? param.filter((each) => each.kind() !== 'keyword_argument')
    : names.length === 1
      ? [row]
      : parts(row);
  const values = new Map<string, Resolved>();
  const words = cells.map((cell, index) => {
    const resolved = scope.literal(cell);
    const name = names[index];
    if (isMissing(resolved) || name === undefined) return null;
    values.set(name, { text: resolved.text, from: [plain(cell)] });
    return word(resolved.text);
  });
  const id = named
    ? idOf(named)
    : words.every((each) => each !== null) && cells.length === names.length
      ? words.join('-')
      : null;
  return Object.assign(values, { id });
}

function idOf(node: Node): string | null {
  const value = parseValue(node.text());
  return value?.kind === 'string' ? value.value : null;
}

/** pytest names scalars in a test's id; lists and the like get a number that says nothing. */
function word(text: string): string | null {
  const value = parseValue(text);
  if (value?.kind === 'string') return /^[\x20-\x7e]*$/.test(value.value) ? value.value : null;
  return value?.kind === 'number' || value?.kind === 'boolean' || value?.kind === 'null' ? text : null;
}
