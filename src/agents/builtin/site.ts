/** What the syntax tree says about a failing assertion: the call under test and what is demanded of it. */
import type { Node } from './tree.ts';

/** A piece of the test's source that shows the site; offsets in UTF-16 units. */
export interface Shown {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

export interface Site {
  /** The call under test with its arguments resolved to literals: `total([1, 2])`. */
  readonly subject: string;
  /** The name by which the project defines what is called. */
  readonly callee: string;
  /** The module it is imported from, as written. */
  readonly module: string;
  /** `equal`: the demanded value itself; `near`: within a tolerance; `truthy`: a check that implies the value; `throws`: an error. */
  readonly relation: 'equal' | 'near' | 'truthy' | 'throws';
  /** As it stands in the source: a literal, the name of a check, the name of an error. */
  readonly demand: string;
  /** The largest distance that still passes, for `near`. */
  readonly tolerance: number;
  /** Whether the call is the first or the second of the two values that the runner compares. */
  readonly side: 'first' | 'second';
  /** The assertion first, then whatever it was resolved through. */
  readonly shown: readonly Shown[];
  /** Which of `shown` holds the demand. */
  readonly demandIn: number;
}

/** A site, or why the tree does not settle it. */
export type SiteAnswer = { readonly site: Site } | { readonly missing: string };

export function missing(reason: string): { readonly missing: string } {
  return { missing: reason };
}

/** A literal or a call, resolved: its text, and the nodes it was read from. */
export interface Resolved {
  readonly text: string;
  readonly from: readonly Node[];
}

export type Resolution = Resolved | { readonly missing: string };

export function isMissing(answer: object): answer is { readonly missing: string } {
  return 'missing' in answer;
}

export function shownOf(node: Node): Shown {
  const { start, end } = node.range();
  return { start: start.index, end: end.index, line: start.line + 1 };
}

/** What is asked about a failing test. */
export interface SiteQuestion {
  readonly root: Node;
  /** Full name of the failing test, in the runner's notation. */
  readonly test: string;
  /** Lines of the test file in the failure's stack, innermost first. */
  readonly lines: readonly number[];
  /** True when the test ended by an error that is not the assertion's own. */
  readonly threw: boolean;
}
