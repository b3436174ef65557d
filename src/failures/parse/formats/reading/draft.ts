/** Makes a `Finding` out of what a format knows: defaults for the rest, and every text within its bound. */
import type { Finding, Frame } from '../../../finding.ts';

const MESSAGE_CHARS = 4096;
const VALUE_CHARS = 2048;
const NAME_CHARS = 1024;
const EXCERPT_LINES = 60;
const EXCERPT_CHARS = 6000;
const STACK_FRAMES = 60;

type Required = 'kind' | 'runner' | 'failure_class' | 'message' | 'range';

/** A finding of which only the required fields must be known. */
export type Draft = Pick<Finding, Required> & Partial<Omit<Finding, Required>>;

function clip(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1)}…` : text;
}

function clipOrNull(text: string | null | undefined, chars: number): string | null {
  return text === null || text === undefined ? null : clip(text, chars);
}

/** Fills a draft up to a whole finding. */
export function finding(draft: Draft): Finding {
  const stack: readonly Frame[] = draft.stack ?? [];
  return {
    kind: draft.kind,
    runner: draft.runner,
    test: clipOrNull(draft.test, NAME_CHARS),
    test_file: clipOrNull(draft.test_file, NAME_CHARS),
    failure_class: draft.failure_class,
    sub_class: draft.sub_class ?? null,
    message: clip(draft.message.trim(), MESSAGE_CHARS),
    expected: clipOrNull(draft.expected, VALUE_CHARS),
    actual: clipOrNull(draft.actual, VALUE_CHARS),
    location: draft.location ?? null,
    stack: stack.length > STACK_FRAMES ? stack.slice(0, STACK_FRAMES) : stack,
    symbol: clipOrNull(draft.symbol, NAME_CHARS),
    excerpt: clip(draft.excerpt ?? draft.message, EXCERPT_CHARS),
    range: draft.range,
    confidence: draft.confidence ?? 0.9,
    flaky_signals: draft.flaky_signals ?? [],
  };
}

/** The lines of an excerpt: the first and the last when there are too many. */
export function excerptOf(lines: readonly string[]): string {
  if (lines.length <= EXCERPT_LINES) return lines.join('\n');
  const half = EXCERPT_LINES / 2;
  return [...lines.slice(0, half), '…', ...lines.slice(-half)].join('\n');
}
