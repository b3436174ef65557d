/** Recognises the assertions of plain `assert`, unittest and pytest in a Python tree. */
import { plain } from './python-scope.ts';
import { findKinds, type Node, parts } from './tree.ts';

export type PythonCheck =
  | {
      readonly kind: 'pair';
      readonly first: Node;
      readonly second: Node;
      readonly tolerance: ((value: number) => number) | null;
    }
  | { readonly kind: 'named'; readonly value: Node; readonly name: string; readonly at: Node }
  /** `body` holds the call; for `assertRaises(E, f, x)` the function and its arguments stand apart. */
  | {
      readonly kind: 'throws';
      readonly error: Node;
      readonly body: Node | { readonly callee: Node; readonly args: readonly Node[] };
    }
  | { readonly kind: 'other'; readonly reason: string };

export interface PythonAssertion {
  readonly node: Node;
  readonly check: PythonCheck;
}

const EQUAL = new Set([
  'assertEqual',
  'assertEquals',
  'assertListEqual',
  'assertDictEqual',
  'assertTupleEqual',
  'assertSetEqual',
  'assertMultiLineEqual',
  'assertIs',
]);
const NAMED = new Set(['assertTrue', 'assertFalse', 'assertIsNone']);

/** All assertions under the node in document order, none inside another. */
export function pythonAssertionsIn(root: Node): PythonAssertion[] {
  const found: PythonAssertion[] = [];
  let end = -1;
  for (const node of findKinds(root, ['assert_statement', 'call', 'with_statement'])) {
    const range = node.range();
    if (range.start.index < end) continue;
    const check = checkOf(node);
    if (!check) continue;
    found.push({ node, check });
    end = range.end.index;
  }
  return found;
}

function checkOf(node: Node): PythonCheck | null {
  switch (String(node.kind())) {
    case 'assert_statement':
      return checkOfAssert(parts(node)[0] ?? node);
    case 'with_statement':
      return checkOfWith(node);
    default:
      return checkOfCall(node);
  }
}

function checkOfAssert(expression: Node): PythonCheck {
  const value = plain(expression);
  const kind = String(value.kind());
  if (kind === 'call') return { kind: 'named', value, name: 'assert', at: value };
  if (kind === 'not_operator') {
    const inner = plain(parts(value)[0] ?? value);
    if (inner.kind() === 'call') return { kind: 'named', value: inner, name: 'assert not', at: value };
  }
  const [first, second, ...rest] = parts(value);
  const operator = value
    .children()
    .filter((child) => !child.isNamed())
    .map((child) => child.text())
    .join(' ');
  if (
    kind === 'comparison_operator' &&
    first &&
    second &&
    rest.length === 0 &&
    (operator === '==' || operator === 'is')
  ) {
    const [left, right] = [approximated(first), approximated(second)];
    return { kind: 'pair', first: left.value, second: right.value, tolerance: left.tolerance ?? right.tolerance };
  }
  return {
    kind: 'other',
    reason: `\`${value.text().replace(/\s+/g, ' ').slice(0, 60)}\` says only a part of what must be`,
  };
}

/** `pytest.approx(0.3, abs=…)`: by default within a millionth of the value, or 1e-12. */
function approximated(node: Node): { value: Node; tolerance: ((value: number) => number) | null } {
  const call = plain(node);
  if (call.kind() !== 'call' || !/^(?:pytest\.)?approx$/.test(call.field('function')?.text() ?? ''))
    return { value: node, tolerance: null };
  const args = parts(call.field('arguments'));
  const [value] = args;
  const named = (name: string) =>
    args
      .find((each) => each.kind() === 'keyword_argument' && each.field('name')?.text() === name)
      ?.field('value')
      ?.text();
  const [relative, absolute] = [named('rel'), named('abs')];
  if (!value || args.some((each, index) => index > 0 && each.kind() !== 'keyword_argument'))
    return { value: node, tolerance: null };
  return {
    value,
    tolerance: (number) =>
      Math.max(
        absolute !== undefined && relative === undefined ? 0 : Number(relative ?? '1e-6') * Math.abs(number),
        Number(absolute ?? '1e-12'),
      ),
  };
}

function checkOfCall(call: Node): PythonCheck | null {
  const method = /^(?:self|cls)\.(assert\w+)$/.exec(call.field('function')?.text() ?? '')?.[1];
  if (!method) return null;
  const args = parts(call.field('arguments'));
  const [first, second, third] = args;
  if (EQUAL.has(method) && first && second) return { kind: 'pair', first, second, tolerance: null };
  if (NAMED.has(method) && first) return { kind: 'named', value: first, name: method, at: call };
  if (method === 'assertAlmostEqual' && first && second) return almostEqual(first, second, args.slice(2));
  if (method === 'assertRaises' && first && second)
    return { kind: 'throws', error: first, body: { callee: second, args: args.slice(2) } };
  return { kind: 'other', reason: `\`${method}\` says only a part of what must be${third ? '' : ''}` };
}

function almostEqual(first: Node, second: Node, options: readonly Node[]): PythonCheck {
  let distance = 0.5e-7;
  for (const option of options) {
    const name = option.field('name')?.text();
    const value = Number((option.field('value') ?? option).text());
    if (name === 'delta') distance = value;
    else if (name === 'places' || option === options[0]) distance = 0.5 * 10 ** -value;
  }
  return { kind: 'pair', first, second, tolerance: () => distance };
}

/** `with pytest.raises(ValueError):` and `with self.assertRaises(ValueError):`, around one call. */
function checkOfWith(node: Node): PythonCheck | null {
  const items = findKinds(node, ['with_item']).filter(
    (item) =>
      item
        .ancestors()
        .find((each) => each.kind() === 'with_statement')
        ?.range().start.index === node.range().start.index,
  );
  const call = items.length === 1 ? findKinds(items[0] ?? node, ['call'])[0] : undefined;
  if (!call || !/^(?:pytest\.raises|raises|self\.assertRaises)$/.test(call.field('function')?.text() ?? ''))
    return null;
  const args = parts(call.field('arguments'));
  const [only, ...others] = parts(node.field('body'));
  const body = only && others.length === 0 && only.kind() === 'expression_statement' ? parts(only)[0] : undefined;
  if (!args[0] || args.length > 1 || !body)
    return { kind: 'other', reason: 'what must be raised is more than the error of one call' };
  return { kind: 'throws', error: args[0], body };
}
