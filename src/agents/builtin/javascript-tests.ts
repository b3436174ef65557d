/** The tests of a JavaScript or TypeScript file: where each is, what runs before it, and the row of a table that failed. */

import type { Value } from '../../pipeline/value/model.ts';
import { parseValue } from '../../pipeline/value/value.ts';
import { namesIn, type Row, type Scope, unwrapped } from './javascript-scope.ts';
import { isMissing, type Resolved } from './site.ts';
import { findKinds, type Node, parts, within } from './tree.ts';

export interface TestCase {
  /** The call that registers it. */
  readonly call: Node;
  /** Its function's body. */
  readonly body: Node;
  readonly title: Node;
  /** Parameters of its function, and the rows of `each`, if it is driven by a table. */
  readonly table: { readonly parameters: readonly Node[]; readonly rows: Node } | null;
}

const TEST = /^(?:test|it|specify|t\.test)(?:\.(?:only|concurrent|failing|sequential))?$/;
const GROUP = /^(?:describe|suite|context)(?:\.only)?$/;
const HOOK = /^(?:(?:jest|vi|t|test)\.)?(?:before|beforeEach|beforeAll|setup|suiteSetup)$/;
const FUNCTIONS = ['arrow_function', 'function_expression'];

/** Ways in which a test file replaces parts of what it tests, its clock or its surroundings. */
const REPLACING =
  /\b(?:jest|vi)\s*\.\s*(?:mock|doMock|spyOn|setSystemTime|useFakeTimers|stubGlobal|stubEnv|unstable_mockModule|setMock|replaceProperty)\b|\bmock\s*\.\s*(?:method|module|timers|fn|getter|setter|property)\b|\b(?:sinon|nock|proxyquire|rewire|mockdate|timekeeper|testdouble)\b/;

export function replacesParts(source: string): boolean {
  return REPLACING.test(source);
}

export function testsIn(root: Node): TestCase[] {
  return findKinds(root, ['call_expression']).flatMap((call) => testOf(call) ?? []);
}

function testOf(call: Node): TestCase | null {
  const callee = call.field('function');
  const args = parts(call.field('arguments'));
  const title = args[0];
  const run = args.find((argument) => FUNCTIONS.includes(String(argument.kind())));
  const body = run?.field('body');
  if (!callee || !title || !run || !body || !/^(?:template_)?string$/.test(String(title.kind()))) return null;
  if (TEST.test(callee.text())) return { call, title, body, table: null };
  if (callee.kind() !== 'call_expression') return null;
  const each = callee.field('function');
  if (each?.field('property')?.text() !== 'each' || !TEST.test(each.field('object')?.text() ?? '')) return null;
  const rows = parts(callee.field('arguments'))[0];
  return rows ? { call, title, body, table: { parameters: parametersOf(run), rows } } : null;
}

function parametersOf(run: Node): Node[] {
  const single = run.field('parameter');
  if (single) return [single];
  return parts(run.field('parameters')).map((parameter) => parameter.field('pattern') ?? parameter);
}

/** Hooks that run before the test and may change what its calls give. */
export function hooksBefore(test: TestCase): Node | null {
  for (const block of test.call.ancestors()) {
    const kind = String(block.kind());
    if (kind !== 'program' && kind !== 'statement_block') continue;
    for (const statement of parts(block)) {
      const call = statement.kind() === 'expression_statement' ? unwrapped(parts(statement)[0] ?? statement) : null;
      if (call?.kind() === 'call_expression' && HOOK.test(call.field('function')?.text() ?? '')) return statement;
    }
  }
  return null;
}

/** True for a statement that registers tests or groups: it changes nothing that the test sees. */
export function registers(statement: Node): boolean {
  const call = statement.kind() === 'expression_statement' ? unwrapped(parts(statement)[0] ?? statement) : null;
  if (call?.kind() !== 'call_expression') return false;
  const callee = call.field('function')?.text() ?? '';
  return (
    GROUP.test(callee) ||
    /^(?:test|it|specify|describe|suite|context|after|afterEach|afterAll|teardown|suiteTeardown)\b/.test(callee)
  );
}

/** The loop around the test's registration, `for (const [a, b] of rows) test(…)`. */
function loopAround(test: TestCase): Node | null {
  return test.call.ancestors().find((node) => node.kind() === 'for_in_statement') ?? null;
}

/** Every possible row of a table-driven test; null when the test has no table, an empty list when it cannot be read. */
export function rowsOf(test: TestCase, scope: Scope): Row[] | null {
  const loop = loopAround(test);
  if (test.table) return rowsFrom(test.table.rows, test.table.parameters, scope);
  if (!loop) return null;
  const pattern = loop.field('left');
  const rows = loop.field('right');
  return pattern && rows && /\bof\b/.test(loop.text().slice(0, 400)) ? rowsFrom(rows, [pattern], scope, 'whole') : [];
}

function rowsFrom(rows: Node, parameters: readonly Node[], scope: Scope, form: 'spread' | 'whole' = 'spread'): Row[] {
  let table = unwrapped(rows);
  if (table.kind() === 'identifier') {
    const binding = scope.lookup(table.text(), table);
    if (binding.kind !== 'value') return [];
    table = unwrapped(binding.value);
  }
  if (table.kind() !== 'array') return [];
  return parts(table).flatMap((row) => rowFrom(unwrapped(row), parameters, scope, form) ?? []);
}

function rowFrom(row: Node, parameters: readonly Node[], scope: Scope, form: 'spread' | 'whole'): Row | null {
  const values = new Map<string, Resolved>();
  const cells = row.kind() === 'array' && form === 'spread' ? parts(row) : [row];
  const whole = cells.every((cell, index) => bind(parameters[index] ?? null, cell, scope, values));
  return whole ? values : null;
}

/** Binds a parameter's names to a cell; patterns take the cell apart. */
function bind(pattern: Node | null, cell: Node, scope: Scope, values: Map<string, Resolved>): boolean {
  if (!pattern) return true;
  const value = unwrapped(cell);
  if (pattern.kind() === 'identifier') {
    const resolved = scope.literal(value);
    if (isMissing(resolved)) return false;
    values.set(pattern.text(), {
      text: resolved.text,
      from: [value, ...resolved.from.filter((node) => !within(node, value))],
    });
    return true;
  }
  if (pattern.kind() === 'array_pattern' && value.kind() === 'array') {
    const cells = parts(value);
    return parts(pattern).every((part, index) => bindAt(part, cells[index], scope, values));
  }
  if (pattern.kind() !== 'object_pattern' || value.kind() !== 'object') return false;
  return parts(pattern).every((part) => {
    const key = part.field('key')?.text() ?? part.text();
    const held = parts(value)
      .find((pair) => pair.kind() === 'pair' && pair.field('key')?.text() === key)
      ?.field('value');
    const target = part.field('value') ?? part;
    return held ? bindName(target, held, scope, values) : false;
  });
}

function bindAt(part: Node, cell: Node | undefined, scope: Scope, values: Map<string, Resolved>): boolean {
  return cell ? bind(part, cell, scope, values) : false;
}

function bindName(target: Node, held: Node, scope: Scope, values: Map<string, Resolved>): boolean {
  const [name] = target.kind() === 'shorthand_property_identifier_pattern' ? [target.text()] : namesIn(target);
  const resolved = scope.literal(held);
  if (name === undefined || isMissing(resolved)) return false;
  values.set(name, {
    text: resolved.text,
    from: [unwrapped(held), ...resolved.from.filter((node) => !within(node, held))],
  });
  return true;
}

/** The title as the runner prints it for a row; null when it holds something that cannot be told. */
export function titleOf(test: TestCase, row: Row | null): string | null {
  const { title } = test;
  if (title.kind() === 'string')
    return test.table && row ? formatted(unquoted(title.text()), row) : unquoted(title.text());
  let text = '';
  for (const part of title.children()) {
    if (part.kind() === 'template_substitution') {
      const value = row?.get(parts(part)[0]?.text() ?? '');
      const plain = value && plainText(value.text);
      if (plain === undefined || plain === null) return null;
      text += plain;
    } else if (part.kind() === 'string_fragment') text += part.text();
    else if (part.kind() === 'escape_sequence') return null;
  }
  return text;
}

function unquoted(text: string): string | null {
  const value = parseValue(text);
  return value?.kind === 'string' ? value.value : null;
}

function formatted(title: string | null, row: Row): string | null {
  if (title === null) return null;
  const values = [...row.values()];
  let next = 0;
  let known = true;
  const text = title.replace(/%[sdij]|%[pofc#$]|%%|\$([A-Za-z_]\w*)/g, (mark, name: string | undefined) => {
    if (mark === '%%') return '%';
    const value = name === undefined ? values[next++] : row.get(name);
    const plain =
      name === undefined && !/^%[sdij]$/.test(mark)
        ? null
        : value && (mark === '%j' ? jsonText(parseValue(value.text)) : plainText(value.text, name !== undefined));
    if (plain === null || plain === undefined) known = false;
    return plain ?? '';
  });
  return known ? text : null;
}

/** A scalar as it appears in a title; jest quotes strings that are put in by `$name`. */
function plainText(literal: string, quoted = false): string | null {
  const value = parseValue(literal);
  if (value?.kind === 'number') return String(value.value);
  if (value?.kind === 'boolean') return String(value.value);
  if (value?.kind === 'null' || value?.kind === 'undefined') return value.kind;
  return value?.kind === 'string' && !quoted ? value.value : null;
}

/** The value as JSON on one line; null for what JSON cannot hold. */
function jsonText(value: Value | null): string | null {
  switch (value?.kind) {
    case 'null':
    case 'boolean':
    case 'number':
      return value.kind === 'null' ? 'null' : String(value.value);
    case 'string':
      return JSON.stringify(value.value);
    case 'list': {
      const items = value.items.map(jsonText);
      return items.includes(null) ? null : `[${items.join(',')}]`;
    }
    case 'object': {
      const entries = value.entries.map(([key, held]) => [jsonText(key), jsonText(held)]);
      return entries.flat().includes(null) ? null : `{${entries.map((entry) => entry.join(':')).join(',')}}`;
    }
    default:
      return null;
  }
}
