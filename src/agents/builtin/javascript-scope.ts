/** Names in a JavaScript or TypeScript test file: where they come from, and the literals they stand for. */
import { isMissing, missing, type Resolution, type Resolved } from './site.ts';
import { findKinds, type Node, parts, within } from './tree.ts';

/** Where an imported name comes from. */
export interface Imported {
  readonly module: string;
  /** Name in the module; `default`, or `*` for the whole. */
  readonly name: string;
}

export type Binding =
  | { readonly kind: 'import'; readonly imported: Imported }
  | { readonly kind: 'value'; readonly value: Node; readonly declaration: Node }
  | { readonly kind: 'row'; readonly value: Resolved }
  | { readonly kind: 'opaque'; readonly reason: string };

/** Values of the parameters of a table-driven test, for the row that failed. */
export type Row = ReadonlyMap<string, Resolved>;

const WRAPPERS = new Set([
  'parenthesized_expression',
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'await_expression',
  'type_assertion',
]);
const SIMPLE = new Set(['number', 'string', 'true', 'false', 'null', 'undefined', 'regex']);

/** Sets aside parentheses, `await` and type annotations. */
export function unwrapped(node: Node): Node {
  let inner = node;
  while (WRAPPERS.has(String(inner.kind()))) {
    const next = parts(inner)[inner.kind() === 'type_assertion' ? 1 : 0];
    if (!next) return inner;
    inner = next;
  }
  return inner;
}

export class Scope {
  readonly imports: ReadonlyMap<string, Imported>;
  private readonly root: Node;
  private readonly row: Row;

  constructor(root: Node, row: Row = new Map()) {
    this.root = root;
    this.row = row;
    this.imports = importsOf(root);
  }

  withRow(row: Row): Scope {
    return new Scope(this.root, row);
  }

  /** What a name means where `at` stands. */
  lookup(name: string, at: Node): Binding {
    for (const ancestor of [at, ...at.ancestors()]) {
      if (declaresParameter(ancestor, name)) {
        const value = this.row.get(name);
        return value
          ? { kind: 'row', value }
          : { kind: 'opaque', reason: `\`${name}\` is a parameter whose value is not known` };
      }
      const kind = String(ancestor.kind());
      if (kind === 'statement_block' || kind === 'program' || kind === 'switch_body') {
        const found = this.declared(ancestor, name);
        if (found) return found;
      }
    }
    const imported = this.imports.get(name);
    return imported
      ? { kind: 'import', imported }
      : { kind: 'opaque', reason: `\`${name}\` is not defined in the test file` };
  }

  private declared(block: Node, name: string): Binding | null {
    for (const statement of parts(block).map((part) =>
      part.kind() === 'export_statement' ? (parts(part)[0] ?? part) : part,
    )) {
      const kind = String(statement.kind());
      if (
        (kind === 'function_declaration' ||
          kind === 'class_declaration' ||
          kind === 'generator_function_declaration') &&
        statement.field('name')?.text() === name
      ) {
        return { kind: 'opaque', reason: `\`${name}\` is defined in the test file itself` };
      }
      if (kind !== 'lexical_declaration' && kind !== 'variable_declaration') continue;
      for (const declarator of parts(statement)) {
        const found = this.declarator(declarator, name);
        if (found) return found;
      }
    }
    return null;
  }

  private declarator(declarator: Node, name: string): Binding | null {
    const target = declarator.field('name');
    const value = declarator.field('value');
    if (!target || !value)
      return target?.text() === name
        ? { kind: 'opaque', reason: `\`${name}\` has no value where it is declared` }
        : null;
    if (target.kind() !== 'identifier') {
      if (
        !findKinds(target, ['identifier', 'shorthand_property_identifier_pattern']).some((each) => each.text() === name)
      )
        return null;
      return this.imports.has(name)
        ? { kind: 'import', imported: this.imports.get(name) ?? { module: '', name } }
        : { kind: 'opaque', reason: `\`${name}\` is taken out of a larger value` };
    }
    if (target.text() !== name) return null;
    const imported = this.imports.get(name);
    if (imported && moduleOfRequire(value)) return { kind: 'import', imported };
    if (this.isReassigned(name)) return { kind: 'opaque', reason: `\`${name}\` is assigned more than once` };
    return { kind: 'value', value, declaration: declarator };
  }

  private isReassigned(name: string): boolean {
    const written = findKinds(this.root, [
      'assignment_expression',
      'augmented_assignment_expression',
      'update_expression',
    ]);
    return written.some((node) => {
      const target = node.field('left') ?? node.field('argument');
      return target !== null && new RegExp(`^${escaped(name)}(?![\\w$])`).test(target.text());
    });
  }

  /** The text of the literal that an expression is, with names replaced by what they stand for. */
  literal(expression: Node, depth = 0): Resolution {
    const node = unwrapped(expression);
    const kind = String(node.kind());
    if (depth > 12) return missing('a value is nested too deeply');
    if (SIMPLE.has(kind)) return { text: node.text(), from: [node] };
    if (kind === 'template_string' && !node.has({ rule: { kind: 'template_substitution' } }))
      return { text: node.text(), from: [node] };
    if (kind === 'unary_expression' && /^[-+]\s*[\d.]/.test(node.text())) return { text: node.text(), from: [node] };
    if (kind === 'array')
      return this.container(
        node,
        '[',
        ']',
        parts(node).map((part) => () => this.literal(part, depth + 1)),
      );
    if (kind === 'object')
      return this.container(
        node,
        '{',
        '}',
        parts(node).map((part) => () => this.property(part, depth + 1)),
      );
    if (kind === 'identifier') return this.named(node, depth);
    if (kind === 'member_expression') return this.member(node, depth);
    if (kind === 'new_expression' && /^new (?:Set|Map|Date)\b/.test(node.text())) return this.constructed(node, depth);
    return missing(`\`${brief(node)}\` is not a literal`);
  }

  private constructed(node: Node, depth: number): Resolution {
    const args = parts(node.field('arguments')).map((part) => this.literal(part, depth + 1));
    const lost = args.find(isMissing);
    if (lost) return lost;
    const known = args.filter((each): each is Resolved => !isMissing(each));
    return {
      text: `new ${node.field('constructor')?.text()}(${known.map((each) => each.text).join(', ')})`,
      from: [node, ...known.flatMap((each) => each.from)],
    };
  }

  private container(node: Node, open: string, close: string, members: readonly (() => Resolution)[]): Resolution {
    if (open === '[' && /\[\s*,|,\s*,/.test(node.text().replace(/(['"`])(?:\\.|(?!\1).)*\1/g, 's')))
      return missing('an array has holes');
    const texts: string[] = [];
    const from: Node[] = [];
    for (const member of members) {
      const resolved = member();
      if (isMissing(resolved)) return resolved;
      texts.push(resolved.text);
      from.push(...resolved.from);
    }
    const plain = from.every((part) => within(part, node));
    return {
      text: plain ? node.text() : `${open}${texts.join(', ')}${close}`,
      from: [node, ...from.filter((part) => !within(part, node))],
    };
  }

  private property(node: Node, depth: number): Resolution {
    if (node.kind() === 'shorthand_property_identifier') {
      const value = this.named(node, depth);
      return isMissing(value) ? value : { text: `${node.text()}: ${value.text}`, from: value.from };
    }
    const key = node.field('key');
    const value = node.field('value');
    if (node.kind() !== 'pair' || !key || !value || key.kind() === 'computed_property_name')
      return missing(`\`${brief(node)}\` is not a literal`);
    const resolved = this.literal(value, depth);
    return isMissing(resolved) ? resolved : { text: `${key.text()}: ${resolved.text}`, from: resolved.from };
  }

  private named(node: Node, depth: number): Resolution {
    const name = node.text();
    if (name === 'undefined' || name === 'NaN' || name === 'Infinity') return { text: name, from: [node] };
    const binding = this.lookup(name, node);
    if (binding.kind === 'row') return { text: binding.value.text, from: [...binding.value.from] };
    if (binding.kind === 'opaque') return missing(binding.reason);
    if (binding.kind === 'import')
      return missing(`\`${name}\` comes from ${binding.imported.module}, not from the test`);
    const resolved = this.literal(binding.value, depth + 1);
    return isMissing(resolved) ? resolved : { text: resolved.text, from: [binding.declaration, ...resolved.from] };
  }

  private member(node: Node, depth: number): Resolution {
    const object = node.field('object');
    const property = node.field('property');
    if (object?.kind() !== 'identifier' || !property) return missing(`\`${brief(node)}\` is not a literal`);
    const binding = this.lookup(object.text(), object);
    const value = binding.kind === 'value' ? unwrapped(binding.value) : null;
    if (binding.kind !== 'value' || value?.kind() !== 'object') return missing(`\`${brief(node)}\` is not a literal`);
    const pair = parts(value).filter(
      (part) =>
        part.kind() === 'pair' &&
        part
          .field('key')
          ?.text()
          .replace(/^['"]|['"]$/g, '') === property.text(),
    );
    const held = pair.length === 1 ? pair[0]?.field('value') : null;
    if (!held || parts(value).some((part) => part.kind() === 'spread_element'))
      return missing(`\`${brief(node)}\` cannot be told`);
    const resolved = this.literal(held, depth + 1);
    return isMissing(resolved) ? resolved : { text: resolved.text, from: [binding.declaration, ...resolved.from] };
  }
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$');
}

export function brief(node: Node): string {
  const text = node.text().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function declaresParameter(node: Node, name: string): boolean {
  const kind = String(node.kind());
  if (kind === 'for_in_statement') return namesIn(node.field('left')).includes(name);
  if (kind === 'for_statement') return namesIn(node.field('initializer')).includes(name);
  if (kind === 'catch_clause') return namesIn(node.field('parameter')).includes(name);
  if (kind !== 'arrow_function' && kind !== 'function_expression' && kind !== 'function_declaration') return false;
  return [...namesIn(node.field('parameters')), ...namesIn(node.field('parameter'))].includes(name);
}

/** Names that a pattern binds. */
export function namesIn(pattern: Node | null): string[] {
  if (!pattern) return [];
  if (pattern.kind() === 'identifier') return [pattern.text()];
  return findKinds(pattern, ['identifier', 'shorthand_property_identifier_pattern']).map((node) => node.text());
}

/** The module of `require('x')` or `await import('x')`, or null. */
export function moduleOfRequire(value: Node): string | null {
  const call = unwrapped(value);
  if (call.kind() !== 'call_expression' || !/^(?:require|import)$/.test(call.field('function')?.text() ?? ''))
    return null;
  const [argument, ...rest] = parts(call.field('arguments'));
  return argument?.kind() === 'string' && rest.length === 0 ? argument.text().slice(1, -1) : null;
}

function importsOf(root: Node): Map<string, Imported> {
  const imports = new Map<string, Imported>();
  for (const statement of findKinds(root, ['import_statement'])) {
    const module = statement.field('source')?.text().slice(1, -1) ?? '';
    for (const clause of findKinds(statement, ['import_clause'])) addClause(imports, clause, module);
  }
  for (const declarator of findKinds(root, ['variable_declarator'])) addRequire(imports, declarator);
  return imports;
}

function addClause(imports: Map<string, Imported>, clause: Node, module: string): void {
  for (const part of parts(clause)) {
    if (part.kind() === 'identifier') imports.set(part.text(), { module, name: 'default' });
    else if (part.kind() === 'namespace_import') imports.set(parts(part)[0]?.text() ?? '', { module, name: '*' });
    else if (part.kind() === 'named_imports') {
      for (const specifier of parts(part)) {
        const name = specifier.field('name')?.text() ?? '';
        imports.set(specifier.field('alias')?.text() ?? name, { module, name });
      }
    }
  }
}

function addRequire(imports: Map<string, Imported>, declarator: Node): void {
  const target = declarator.field('name');
  let value = declarator.field('value');
  if (!target || !value) return;
  const member = value.kind() === 'member_expression' ? value.field('property')?.text() : null;
  if (member) value = value.field('object');
  const module = value && moduleOfRequire(value);
  if (!module) return;
  if (target.kind() === 'identifier') imports.set(target.text(), { module, name: member ?? '*' });
  if (target.kind() !== 'object_pattern' || member) return;
  for (const part of parts(target)) {
    const name = part.field('key')?.text() ?? part.text();
    imports.set(part.field('value')?.text() ?? name, { module, name });
  }
}
