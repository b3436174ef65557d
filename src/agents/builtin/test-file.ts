/** Which file of the worktree holds the failing test, and which of its lines the failure's stack names. */
import type { FailurePacket } from '../../failures/packet.ts';

/** The path in the worktree; null when the packets name none, or more than one file fits. */
export function testFileOf(
  rerun: FailurePacket,
  packet: FailurePacket,
  files: readonly string[],
  isTestFile: (path: string) => boolean,
): string | null {
  const frames = rerun.stack.map((frame) => frame.file);
  const named = [rerun.test_file, packet.test_file, rerun.primary_file, packet.primary_file, ...frames];
  const tests = files.filter(isTestFile);
  for (const name of named) {
    if (name === null) continue;
    const fitting = tests.filter((path) => isSameFile(path, name));
    if (fitting.length === 1) return fitting[0] ?? null;
  }
  return null;
}

/** Lines of the file in the stack, innermost first; the places that the output itself names when the stack has none. */
export function failingLines(path: string, packet: FailurePacket, output: string): number[] {
  const frames = packet.stack.flatMap((frame) =>
    frame.line !== null && isSameFile(path, frame.file) ? [frame.line] : [],
  );
  if (frames.length > 0) return frames;
  const base = (path.split('/').at(-1) ?? path).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const places = new RegExp(`${base}(?:["']?, line |:)(\\d{1,7})`, 'g');
  return [...output.slice(0, 400_000).matchAll(places)].map((match) => Number(match[1]));
}

/** True when the name, as printed, can mean the file of the worktree. */
export function isSameFile(path: string, named: string): boolean {
  const name = named
    .replace(/^(?:file:\/\/)/, '')
    .replaceAll('\\', '/')
    .replace(/^\.\//, '');
  return path === name || name.endsWith(`/${path}`) || path.endsWith(`/${name}`);
}
