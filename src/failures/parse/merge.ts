/** Decides whether two findings of one input are the same failure printed twice, and makes one of them. */
import type { Finding } from '../finding.ts';

/** True when both describe one failure: a test printed inline and in the summary, a retry, an annotation and its text. */
export function sameFailure(one: Finding, other: Finding): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'test') return one.test === other.test && sameFile(one.test_file, other.test_file);
  if (one.kind === 'job') return one.message === other.message;
  if (!sameFile(fileOf(one), fileOf(other))) return false;
  const sameLine = (one.location?.line ?? null) === (other.location?.line ?? null);
  return (
    sameLine &&
    (sameWords(one, other) || (one.symbol !== null && one.symbol === other.symbol && one.runner !== other.runner))
  );
}

/** The richer of the two, with what only the other knows filled in; placed where the first one stood. */
export function mergeFindings(first: Finding, second: Finding): Finding {
  const [rich, poor] = richness(second) > richness(first) ? [second, first] : [first, second];
  return {
    ...rich,
    test_file: relativeOf(rich.test_file, poor.test_file),
    expected: rich.expected ?? (rich.actual === null ? poor.expected : null),
    actual: rich.actual ?? (rich.expected === null ? poor.actual : null),
    location: rich.location ?? poor.location,
    stack: rich.stack.length > 0 ? rich.stack : poor.stack,
    symbol: rich.symbol ?? poor.symbol,
    range: first.range,
    confidence: Math.max(first.confidence, second.confidence),
    flaky_signals: [...new Set([...first.flaky_signals, ...second.flaky_signals])].sort(),
  };
}

/** Of two notations of one file the one relative to the project. */
function relativeOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return isAbsolute(one) && !isAbsolute(other) ? other : one;
}

/** True for `/a`, `C:\\a` and `\\\\host\\a`. */
export function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

function richness(finding: Finding): number {
  const known = [finding.expected, finding.actual, finding.location, finding.symbol, finding.test_file];
  const told = known.filter((value) => value !== null).length * 100;
  return (
    told +
    Math.min(finding.stack.length, 20) * 5 +
    Math.min(finding.message.length, 400) / 10 +
    Math.min(finding.excerpt.length, 400) / 100
  );
}

function fileOf(finding: Finding): string | null {
  return finding.location?.file ?? finding.test_file;
}

/** An unknown file agrees with any; otherwise one path must end with the other on a component border. */
function sameFile(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other || one === null || other === null;
  return isPathSuffix(one, other) || isPathSuffix(other, one);
}

/** True when `path` ends with all components of `suffix`. Slashes of both kinds are equal; leading `./` and `../` do not count. */
export function isPathSuffix(path: string, suffix: string): boolean {
  const long = `/${plain(path)}`;
  const short = plain(suffix);
  return short !== '' && long.endsWith(`/${short}`);
}

function plain(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/)+/, '');
}

function sameWords(one: Finding, other: Finding): boolean {
  const [a, b] = [firstLine(one.message), firstLine(other.message)];
  if (a === b) return true;
  return one.runner !== other.runner && a !== '' && b !== '' && (a.includes(b) || b.includes(a));
}

function firstLine(message: string): string {
  const end = message.indexOf('\n');
  return (end < 0 ? message : message.slice(0, end)).trim();
}
