/** Syntax trees of test files: which language a path is, and small questions to nodes. */
import python from '@ast-grep/lang-python';
import type { SgNode } from '@ast-grep/napi';
import { Lang, parse, registerDynamicLanguage } from '@ast-grep/napi';

export type Node = SgNode;
export type Language = 'javascript' | 'python';

const GRAMMARS: readonly { readonly path: RegExp; readonly language: Language; readonly grammar: Lang | string }[] = [
  { path: /\.(?:tsx)$/, language: 'javascript', grammar: Lang.Tsx },
  { path: /\.(?:ts|mts|cts)$/, language: 'javascript', grammar: Lang.TypeScript },
  { path: /\.(?:js|mjs|cjs|jsx)$/, language: 'javascript', grammar: Lang.JavaScript },
  { path: /\.py$/, language: 'python', grammar: 'python' },
];

const MAX_SOURCE = 1_000_000;
let registered = false;

export interface Tree {
  readonly language: Language;
  readonly root: Node;
}

/** The tree of a file; null when its language is not one that is read, or it is too large. */
export function treeOf(path: string, text: string): Tree | null {
  const found = GRAMMARS.find((each) => each.path.test(path));
  if (!found || text.length > MAX_SOURCE) return null;
  if (found.language === 'python' && !registered) {
    registerDynamicLanguage({ python });
    registered = true;
  }
  return { language: found.language, root: parse(found.grammar, text).root() };
}

/** Named children without comments. */
export function parts(node: Node | null): Node[] {
  return node ? node.children().filter((child) => child.isNamed() && child.kind() !== 'comment') : [];
}

export function within(inner: Node, outer: Node): boolean {
  const [a, b] = [inner.range(), outer.range()];
  return a.start.index >= b.start.index && a.end.index <= b.end.index;
}

/** First and last line, from 1. */
export function linesOf(node: Node): { readonly first: number; readonly last: number } {
  const { start, end } = node.range();
  return { first: start.line + 1, last: end.line + 1 };
}

export function coversLine(node: Node, line: number): boolean {
  const { first, last } = linesOf(node);
  return first <= line && line <= last;
}

/** Nodes of the kinds, in document order; the walk is bounded by the size of the tree. */
export function findKinds(root: Node, kinds: readonly string[]): Node[] {
  return root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });
}
