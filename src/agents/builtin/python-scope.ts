/** Names in a Python test file: where they come from, and the literals they stand for. */
import { isMissing, missing, type Resolution, type Resolved } from './site.ts';
import { findKinds, type Node, parts, within } from './tree.ts';

export interface PythonImport {
  readonly module: string;
  /** Name in the module; null for the module itself. */
  readonly name: string | null;
}

export type PythonBinding =
  | { readonly kind: 'import'; readonly imported: PythonImport }
  | { readonly kind: 'value'; readonly value: Node; readonly declaration: Node }
  | { readonly kind: 'row'; readonly value: Resolved }
  | { readonly kind: 'opaque'; readonly reason: string };

export type PythonRow = ReadonlyMap<string, Resolved>;

const SIMPLE = new Set(['integer', 'float', 'true', 'false', 'none']);
const CONTAINERS: Readonly<Record<string, readonly [string, string]>> = {
  list: ['[', ']'],
  tuple: ['(', ')'],
  set: ['{', '}'],
  dictionary: ['{', '}'],
};

export class PythonScope {
  readonly imports: ReadonlyMap<string, PythonImport>;
  private readonly root: Node;
  private readonly row: PythonRow;

  constructor(root: Node, row: PythonRow = new Map()) {
    this.root = root;
    this.row = row;
    this.imports = importsOf(root);
  }

  /** What a name means where `at` stands. */
  lookup(name: string, at: Node): PythonBinding {
    for (const ancestor of at.ancestors()) {
      const kind = String(ancestor.kind());
      if (kind === 'lambda' || kind === 'list_comprehension' || kind === 'generator_expression')
        return opaque(`\`${name}\` may be bound inside an expression`);
      if (kind === 'for_statement' && namesIn(ancestor.field('left')).includes(name))
        return opaque(`\`${name}\` changes in a loop`);
      if (kind === 'function_definition') {
        if (parameterNames(ancestor).includes(name)) {
          const value = this.row.get(name);
          return value ? { kind: 'row', value } : opaque(`\`${name}\` is a parameter whose value is not known`);
        }
        const local = this.assigned(ancestor, name);
        if (local) return local;
      }
    }
    return this.global(name);
  }

  private global(name: string): PythonBinding {
    const found = this.assigned(this.root, name);
    const defined = parts(this.root).some((statement) => definedName(statement) === name);
    if (defined) return opaque(`\`${name}\` is defined in the test file itself`);
    if (found) return found;
    const imported = this.imports.get(name);
    return imported ? { kind: 'import', imported } : opaque(`\`${name}\` is not defined in the test file`);
  }

  /** The one assignment of the name in the function or module; opaque when there are more. */
  private assigned(scope: Node, name: string): PythonBinding | null {
    const inner = (node: Node) =>
      node
        .ancestors()
        .find(
          (each) =>
            each.kind() === 'function_definition' || each.kind() === 'class_definition' || each.kind() === 'module',
        );
    const here = findKinds(scope, [
      'assignment',
      'augmented_assignment',
      'named_expression',
      'for_statement',
      'with_item',
      'as_pattern',
    ]).filter((node) => {
      const owner = inner(node);
      return owner?.range().start.index === scope.range().start.index && owner.kind() === scope.kind();
    });
    const writes = here.filter((node) =>
      new RegExp(`^${name}(?!\\w)|[,(\\s]${name}\\s*[,)=]`).test(
        (node.field('left') ?? node.field('name') ?? node.field('alias'))?.text() ?? '',
      ),
    );
    const [only, ...others] = writes;
    if (!only) return null;
    const value = only.field('right');
    const plain = only.kind() === 'assignment' && only.field('left')?.text() === name && value;
    if (others.length > 0 || !plain) return opaque(`\`${name}\` is not assigned just once`);
    return { kind: 'value', value, declaration: only };
  }

  /** The text of the literal that an expression is, with names replaced by what they stand for. */
  literal(expression: Node, depth = 0): Resolution {
    const node = plain(expression);
    const kind = String(node.kind());
    if (depth > 12) return missing('a value is nested too deeply');
    if (SIMPLE.has(kind)) return { text: node.text(), from: [node] };
    if (kind === 'string')
      return /^[a-zA-Z]*[fF]/.test(node.text())
        ? missing('a value is a formatted string')
        : { text: node.text(), from: [node] };
    if (kind === 'unary_operator' && /^[-+]\s*[\d.]/.test(node.text())) return { text: node.text(), from: [node] };
    if (CONTAINERS[kind]) return this.container(node, CONTAINERS[kind], depth);
    if (kind === 'identifier') return this.named(node, depth);
    if (kind === 'call' && /^(?:set|frozenset|Decimal|Fraction)$/.test(node.field('function')?.text() ?? ''))
      return this.constructed(node, depth);
    return missing(`\`${brief(node)}\` is not a literal`);
  }

  private container(node: Node, [open, close]: readonly [string, string], depth: number): Resolution {
    const members = parts(node).map((part) => this.element(part, depth + 1));
    const lost = members.find(isMissing);
    if (lost) return lost;
    const known = members.filter((each): each is Resolved => !isMissing(each));
    const outside = known.flatMap((each) => each.from).filter((each) => !within(each, node));
    const comma = node.kind() === 'tuple' && known.length === 1 ? ',' : '';
    const text =
      outside.length === 0 && node.text().startsWith(open)
        ? node.text()
        : `${open}${known.map((each) => each.text).join(', ')}${comma}${close}`;
    return { text, from: [node, ...outside] };
  }

  private element(node: Node, depth: number): Resolution {
    if (node.kind() !== 'pair') return this.literal(node, depth);
    const [key, value] = [node.field('key'), node.field('value')].map((each) =>
      each ? this.literal(each, depth) : missing('a pair is incomplete'),
    );
    if (!key || !value || isMissing(key) || isMissing(value)) return missing(`\`${brief(node)}\` is not a literal`);
    return { text: `${key.text}: ${value.text}`, from: [...key.from, ...value.from] };
  }

  private constructed(node: Node, depth: number): Resolution {
    const name = node.field('function')?.text() ?? '';
    const args = parts(node.field('arguments')).map((part) => this.literal(part, depth + 1));
    const lost = args.find(isMissing);
    if (lost) return lost;
    const known = args.filter((each): each is Resolved => !isMissing(each));
    return {
      text: `${name}(${known.map((each) => each.text).join(', ')})`,
      from: [node, ...known.flatMap((each) => each.from)],
    };
  }

  private named(node: Node, depth: number): Resolution {
    const binding = this.lookup(node.text(), node);
    if (binding.kind === 'row') return { text: binding.value.text, from: [...binding.value.from] };
    if (binding.kind === 'opaque') return missing(binding.reason);
    if (binding.kind === 'import')
      return missing(`\`${node.text()}\` comes from ${binding.imported.module}, not from the test`);
    const resolved = this.literal(binding.value, depth + 1);
    return isMissing(resolved) ? resolved : { text: resolved.text, from: [binding.declaration, ...resolved.from] };
  }
}

function opaque(reason: string): PythonBinding {
  return { kind: 'opaque', reason };
}

/** Sets aside parentheses and `await`. */
export function plain(node: Node): Node {
  let inner = node;
  while (inner.kind() === 'parenthesized_expression' || inner.kind() === 'await') {
    const next = parts(inner)[0];
    if (!next) return inner;
    inner = next;
  }
  return inner;
}

export function brief(node: Node): string {
  const text = node.text().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

export function definedName(statement: Node): string | null {
  const inner = statement.kind() === 'decorated_definition' ? statement.field('definition') : statement;
  return inner?.kind() === 'function_definition' || inner?.kind() === 'class_definition'
    ? (inner.field('name')?.text() ?? null)
    : null;
}

export function namesIn(pattern: Node | null): string[] {
  if (!pattern) return [];
  return pattern.kind() === 'identifier'
    ? [pattern.text()]
    : findKinds(pattern, ['identifier']).map((node) => node.text());
}

export function parameterNames(definition: Node): string[] {
  return parts(definition.field('parameters')).map((parameter) => /^[*\s]*(\w+)/.exec(parameter.text())?.[1] ?? '');
}

function importsOf(root: Node): Map<string, PythonImport> {
  const imports = new Map<string, PythonImport>();
  for (const statement of findKinds(root, ['import_statement'])) {
    for (const part of parts(statement)) {
      const module = part.kind() === 'aliased_import' ? part.field('name')?.text() : part.text();
      const alias = part.field('alias')?.text() ?? module;
      if (module && alias && !alias.includes('.')) imports.set(alias, { module, name: null });
    }
  }
  for (const statement of findKinds(root, ['import_from_statement'])) {
    const module = statement.field('module_name')?.text() ?? '';
    for (const part of statement.fieldChildren('name')) {
      const name = part.kind() === 'aliased_import' ? (part.field('name')?.text() ?? '') : part.text();
      imports.set(part.field('alias')?.text() ?? name, { module, name });
    }
  }
  return imports;
}
