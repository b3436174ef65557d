/** Recognises assertions of node:assert, jest, vitest and chai in a JavaScript or TypeScript tree. */
import type { Scope } from './javascript-scope.ts';
import { unwrapped } from './javascript-scope.ts';
import { findKinds, type Node, parts } from './tree.ts';

export type Check =
  /** Two values are compared, in the order in which the runner prints them. */
  | { readonly kind: 'pair'; readonly first: Node; readonly second: Node; readonly tolerance: number | null }
  /** One value, and a check whose name says what it must be. */
  | { readonly kind: 'named'; readonly value: Node; readonly name: string; readonly at: Node }
  | { readonly kind: 'throws'; readonly body: Node; readonly error: Node | null }
  /** An assertion that is seen and not judged: its reason. */
  | { readonly kind: 'other'; readonly reason: string };

export interface Assertion {
  readonly node: Node;
  readonly check: Check;
}

const PAIRS = new Set(['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual', 'eql', 'equals']);
const MATCHERS = new Set(['toBe', 'toEqual', 'toStrictEqual', 'equal', 'equals', 'eq', 'eql', 'eqls']);
const NAMED = new Set(['toBeNull', 'toBeUndefined', 'toBeNaN', 'toBeTruthy', 'toBeFalsy']);
const CHAI_NAMED: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  null: 'null',
  undefined: 'undefined',
};
const FLUENT = new Set([
  'to',
  'be',
  'been',
  'is',
  'that',
  'which',
  'and',
  'has',
  'have',
  'with',
  'at',
  'of',
  'same',
  'deep',
  'resolves',
  'rejects',
  'not',
]);
const ASSERT_MODULES = /^(?:node:)?assert(?:\/strict)?$|^chai$/;

/** All assertions under the node, outermost first, none inside another. */
export function assertionsIn(root: Node, scope: Scope): Assertion[] {
  const found: Assertion[] = [];
  let end = -1;
  for (const node of findKinds(root, ['call_expression', 'member_expression'])) {
    const { start, end: stop } = node.range();
    if (start.index < end) continue;
    const check = node.kind() === 'call_expression' ? checkOfCall(node, scope) : checkOfProperty(node);
    if (!check) continue;
    found.push({ node, check });
    end = stop.index;
  }
  return found;
}

function checkOfCall(call: Node, scope: Scope): Check | null {
  const callee = call.field('function');
  if (!callee) return null;
  const args = parts(call.field('arguments'));
  const method = assertMethod(callee, scope);
  if (method !== null) return checkOfAssert(method, args);
  if (callee.kind() !== 'member_expression') return null;
  const chain = expectChain(callee);
  return chain && checkOfExpect(call, chain, args);
}

/** The name of the assert function that is called, `ok` for a bare `assert(…)`; null when it is none. */
function assertMethod(callee: Node, scope: Scope): string | null {
  if (callee.kind() === 'identifier') {
    const imported = scope.imports.get(callee.text());
    if (!imported || !ASSERT_MODULES.test(imported.module)) return null;
    if (imported.module === 'chai' && imported.name !== 'assert') return null;
    return imported.name === 'default' ||
      imported.name === '*' ||
      imported.name === 'strict' ||
      imported.name === 'assert'
      ? 'ok'
      : imported.name;
  }
  if (callee.kind() !== 'member_expression') return null;
  const object = callee.field('object');
  const text = object?.text() ?? '';
  const base = /^([\w$]+)(?:\.strict|\.assert)?$/.exec(text)?.[1];
  if (base === undefined) return null;
  const imported = scope.imports.get(base);
  const known =
    imported &&
    ASSERT_MODULES.test(imported.module) &&
    (imported.module !== 'chai' || imported.name === 'assert' || text.endsWith('.assert'));
  return known || /^t\.assert$/.test(text) ? (callee.field('property')?.text() ?? null) : null;
}

function checkOfAssert(method: string, args: readonly Node[]): Check {
  const [first, second] = args;
  if (PAIRS.has(method) && first && second) return { kind: 'pair', first, second, tolerance: null };
  if (/^(?:ok|isOk|assert)$/.test(method) && first)
    return checkOfCondition(first, method === 'isOk' ? 'assert' : method);
  if ((method === 'isTrue' || method === 'isFalse' || method === 'isNull' || method === 'isUndefined') && first) {
    return { kind: 'named', value: first, name: method, at: first };
  }
  if ((method === 'throws' || method === 'rejects') && first)
    return { kind: 'throws', body: first, error: second ?? null };
  return { kind: 'other', reason: `\`${method}\` says what must not be or only a part of what must be` };
}

/** `assert(total([1]) === 3)` compares, but the runner prints only that it is false. */
function checkOfCondition(value: Node, name: string): Check {
  const inner = unwrapped(value);
  if (inner.kind() === 'call_expression') return { kind: 'named', value: inner, name, at: inner };
  return { kind: 'other', reason: 'the assertion shows only that a condition was false, not the value' };
}

interface Chain {
  readonly value: Node;
  /** Property names between `expect(…)` and the matcher. */
  readonly words: readonly string[];
  readonly matcher: string;
}

function expectChain(member: Node): Chain | null {
  const names: string[] = [];
  let node: Node | null = member;
  while (node?.kind() === 'member_expression' && names.length < 12) {
    names.unshift(node.field('property')?.text() ?? '');
    node = node.field('object');
  }
  if (node?.kind() !== 'call_expression' || node.field('function')?.text() !== 'expect') return null;
  const [value] = parts(node.field('arguments'));
  const matcher = names.at(-1);
  return value && matcher !== undefined ? { value, words: names.slice(0, -1), matcher } : null;
}

function checkOfExpect(call: Node, chain: Chain, args: readonly Node[]): Check {
  const [second] = args;
  const { value, words, matcher } = chain;
  if (words.includes('not')) return { kind: 'other', reason: 'the assertion says what the value must not be' };
  if (words.some((word) => !FLUENT.has(word)))
    return { kind: 'other', reason: `\`${words.join('.')}\` is not understood` };
  if (/^(?:toThrow|toThrowError|throw|throws|Throw)$/.test(matcher))
    return { kind: 'throws', body: value, error: second ?? null };
  if (words.includes('rejects')) return { kind: 'other', reason: 'what a promise is rejected with is compared' };
  if (MATCHERS.has(matcher) && second) return { kind: 'pair', first: value, second, tolerance: null };
  if (matcher === 'toBeCloseTo' && second) return { kind: 'pair', first: value, second, tolerance: closeTo(args[1]) };
  if ((matcher === 'closeTo' || matcher === 'approximately') && second && args[1])
    return { kind: 'pair', first: value, second, tolerance: Number(args[1].text()) };
  if (NAMED.has(matcher)) return { kind: 'named', value, name: matcher, at: call };
  return { kind: 'other', reason: `\`${matcher}\` says only a part of what must be` };
}

/** jest: the number of digits, 2 when not given. */
function closeTo(digits: Node | undefined): number {
  return 10 ** -Number(digits?.text() ?? '2') / 2;
}

/** chai's `expect(x).to.be.true`, which is no call. */
function checkOfProperty(member: Node): Check | null {
  if (member.parent()?.kind() !== 'expression_statement') return null;
  const chain = expectChain(member);
  if (!chain) return null;
  const name = CHAI_NAMED[chain.matcher];
  if (name === undefined || chain.words.includes('not'))
    return { kind: 'other', reason: `\`${chain.matcher}\` says only a part of what must be` };
  return { kind: 'named', value: chain.value, name, at: member };
}
