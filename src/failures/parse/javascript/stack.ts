/** Reads V8 stack frames, in the shapes that Node, jest, mocha, vitest and playwright print them. */
import type { Frame } from '../../finding.ts';

// `at async name (file:///path/a.ts:10:5)`, `at path/a.ts:10:5`, vitest's `❯ name path/a.ts:10:5`. Paths may hold spaces and drive letters.
const V8_FRAME =
  /^\s*at (?:async )?(?:(?<symbol>[^()]{1,300}?) )?\(?(?<file>[^()\s][^()]{0,800}?):(?<line>\d{1,7})(?::(?<column>\d{1,7}))?\)?(?:,| \{)?$/;
const POINTED_FRAME =
  /^\s*❯ (?:(?<symbol>\S{1,200}) )?(?<file>\S[^:]{0,800}|[A-Za-z]:[^:]{1,800}):(?<line>\d{1,7}):(?<column>\d{1,7})$/;
const ANY_FRAME = /^\s*at \S/;

/** The frame on this line, or null. Frames without a place (`at <anonymous>`, `at Promise.all (index 0)`) are null too. */
export function parseFrame(text: string): Frame | null {
  if (text.length > 2000) return null;
  const found = (V8_FRAME.exec(text) ?? POINTED_FRAME.exec(text))?.groups;
  if (found === undefined) return null;
  const { file = '', line, column, symbol } = found;
  return {
    file: plainPath(file),
    line: Number(line),
    column: column === undefined ? null : Number(column),
    symbol: symbol?.replace(/^(?:new|async) /, '') ?? null,
  };
}

/** True for each line of a stack, with or without a place. */
export function isFrame(text: string): boolean {
  return ANY_FRAME.test(text) || POINTED_FRAME.test(text);
}

/** True when the frame is not the project's own: Node itself, a dependency, or a test runner. */
export function isForeign(frame: Frame): boolean {
  return /(?:^|[\\/(])node_modules[\\/)]|^node:|^internal\/|\(NODE_MODULES\)|^native$|^<anonymous>$|[\\/]\.yarn[\\/]|[\\/]\.pnp\./.test(
    frame.file,
  );
}

/** The first frame in the project's own code, else null. */
export function ownFrame(stack: readonly Frame[]): Frame | null {
  return stack.find((frame) => !isForeign(frame)) ?? null;
}

/** `file:///a/b.ts` and `file:///C:/a.ts` as paths; query strings of bundlers are dropped. */
function plainPath(file: string): string {
  const path = file.startsWith('file://') ? decoded(file.slice('file://'.length)) : file;
  return path.replace(/^\/(?=[A-Za-z]:[\\/])/, '').replace(/\?[^/\\]*$/, '');
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path; // A stray percent sign: the path is meant as printed.
  }
}
