/** Makes one packet of a failure that several sources tell of: the log, a JUnit file, an annotation. */
import type { SubClass } from './finding.ts';
import type { FailurePacket } from './packet.ts';
import { isPathSuffix } from './parse/merge.ts';

/**
 * Merges packets of the same failure from different sources and keeps the richest of each. The order is that of the first
 * mention; the order of sources does not matter, because packets are first sorted by source name.
 */
export function mergePackets(packets: readonly FailurePacket[]): FailurePacket[] {
  const merged: FailurePacket[] = [];
  const byKey = new Map<string, number[]>();
  for (const packet of [...packets].sort(bySource)) {
    const candidates = keysOf(packet).flatMap((key) => byKey.get(key) ?? []);
    const same = candidates.find((index) => sameFailure(merged[index] as FailurePacket, packet));
    const index = same ?? merged.length;
    merged[index] = same === undefined ? packet : richer(merged[same] as FailurePacket, packet);
    for (const key of keysOf(packet)) byKey.set(key, [...new Set([...(byKey.get(key) ?? []), index])]);
  }
  return withoutEchoes(merged);
}

/** Ends of a job that are failures of their own, whatever else failed. */
const HARD_ENDS: ReadonlySet<SubClass> = new Set(['out_of_memory', 'killed', 'lost_runner', 'disk_full', 'timeout']);

/** A job that "completed with exit code 1" is no failure of its own when a test or a place in the code says why. */
function withoutEchoes(packets: FailurePacket[]): FailurePacket[] {
  const explains = packets.some((packet) => !isAboutJob(packet));
  return packets.filter((packet) => !explains || !isAboutJob(packet));
}

function isAboutJob({ first_failing_test, primary_file, sub_class }: FailurePacket): boolean {
  const isHardEnd = sub_class !== null && HARD_ENDS.has(sub_class);
  return first_failing_test === null && primary_file === null && !isHardEnd;
}

/** Sources in code-unit order (no locale), each in its own document order. */
function bySource(one: FailurePacket, other: FailurePacket): number {
  if (one.source !== other.source) return one.source < other.source ? -1 : 1;
  return one.range.start_byte - other.range.start_byte || (one.packet_id < other.packet_id ? -1 : 1);
}

/** Two packets of one failure share at least one of these. */
function keysOf(packet: FailurePacket): readonly string[] {
  const keys: string[] = [];
  if (packet.first_failing_test !== null) keys.push(`test ${lastWord(packet.first_failing_test)}`);
  if (packet.primary_file !== null && packet.primary_line !== null) {
    keys.push(`place ${baseName(packet.primary_file)}:${packet.primary_line}`);
  }
  if (keys.length === 0) keys.push(`message ${packet.normalized_message.slice(0, 200)}`);
  return keys;
}

function sameFailure(one: FailurePacket, other: FailurePacket): boolean {
  if (one.packet_id === other.packet_id) return true;
  const bothTests = one.first_failing_test !== null && other.first_failing_test !== null;
  if (bothTests) return sameTest(one, other);
  if (!samePlace(one, other)) return sameMessage(one, other) && one.primary_line === other.primary_line;
  // An annotation has no test name; at the same place it tells of the same failure when its words are part of the other's.
  return one.source !== other.source || sameMessage(one, other);
}

function sameTest(one: FailurePacket, other: FailurePacket): boolean {
  const [a, b] = [titles(one), titles(other)];
  if (a === b) return filesAgree(one, other);
  if (one.source === other.source || !(a.endsWith(` ${b}`) || b.endsWith(` ${a}`))) return false;
  // Each report format puts more or less before the title; place or message must then agree too.
  return samePlace(one, other) || (sameMessage(one, other) && filesAgree(one, other));
}

/** The path of titles as words, whatever stands between them. */
function titles(packet: FailurePacket): string {
  return wordsOf(packet.first_failing_test ?? '').join(' ');
}

function lastWord(name: string): string {
  return wordsOf(name).at(-1) ?? name;
}

function wordsOf(name: string): string[] {
  return name.split(/[\s›>»:./\\#]+/).filter((word) => word !== '');
}

function filesAgree(one: FailurePacket, other: FailurePacket): boolean {
  const [a, b] = [one.test_file ?? one.primary_file, other.test_file ?? other.primary_file];
  return a === null || b === null || isPathSuffix(a, b) || isPathSuffix(b, a) || one.runner !== other.runner;
}

function samePlace(one: FailurePacket, other: FailurePacket): boolean {
  if (one.primary_file === null || other.primary_file === null) return false;
  if (one.primary_line === null || one.primary_line !== other.primary_line) return false;
  return isPathSuffix(one.primary_file, other.primary_file) || isPathSuffix(other.primary_file, one.primary_file);
}

function sameMessage(one: FailurePacket, other: FailurePacket): boolean {
  const [a, b] = [one.normalized_message, other.normalized_message];
  if (a === '' || b === '') return a === b;
  return a.includes(b) || b.includes(a);
}

function richer(one: FailurePacket, other: FailurePacket): FailurePacket {
  const [rich, poor] = richness(other) > richness(one) ? [other, one] : [one, other];
  const hasValues = rich.expected !== null || rich.actual !== null;
  return {
    ...rich,
    primary_file: rich.primary_file ?? poor.primary_file,
    primary_line: rich.primary_line ?? (rich.primary_file === null ? poor.primary_line : null),
    first_failing_test: rich.first_failing_test ?? poor.first_failing_test,
    test_file: rich.test_file ?? poor.test_file,
    expected: hasValues ? rich.expected : poor.expected,
    actual: hasValues ? rich.actual : poor.actual,
    stack: rich.stack.length > 0 ? rich.stack : poor.stack,
    confidence: Math.max(one.confidence, other.confidence),
    flaky_signals: [...new Set([...one.flaky_signals, ...other.flaky_signals])].sort(),
  };
}

function richness(packet: FailurePacket): number {
  const known = [packet.first_failing_test, packet.primary_line, packet.expected, packet.actual, packet.primary_symbol];
  const told = known.filter((value) => value !== null).length * 100;
  const classed = packet.failure_class === 'unknown' ? 0 : 50;
  return told + classed + packet.stack.length + Math.min(packet.raw_excerpt.length, 1000) / 100;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
