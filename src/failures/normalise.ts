/** Turns findings into failure packets: paths, the place in the project's own code, masked message, bounded excerpt, id. */
import { shortId } from '../record/canonical.ts';
import { truncateBytes, wellFormed } from './excerpt.ts';
import type { Finding, Frame, ParseResult } from './finding.ts';
import { normalisedMessage } from './mask.ts';
import type { FailurePacket } from './packet.ts';
import { isForeign } from './parse/formats/reading/frames.ts';
import { isAbsolute } from './parse/merge.ts';
import { forward, type PathOptions, workspacePath } from './path.ts';

const EXCERPT_BYTES = 4096;
const VALUE_BYTES = 1024;
const NAME_BYTES = 1024;
const MAX_FRAMES = 50;

/** The packets of one input, in the order of its findings. `source` is the input's name. Deterministic. */
export function packetsOf(source: string, result: ParseResult, options: PathOptions = {}): FailurePacket[] {
  const known: PathOptions = { ...options, roots: [...(options.roots ?? []), ...rootsIn(result.findings)] };
  const seen = new Map<string, FailurePacket>();
  for (const finding of result.findings) {
    const packet = packetOf(source, finding, known);
    // Two findings that identify alike are one failure to every reader of packets.
    if (!seen.has(packet.packet_id)) seen.set(packet.packet_id, packet);
  }
  return [...seen.values()];
}

/** Where the project lay: what an absolute path has before a test file that the same finding names relatively. */
function rootsIn(findings: readonly Finding[]): string[] {
  const roots = new Set<string>();
  for (const { test_file, location, stack } of findings) {
    if (test_file === null || isAbsolute(test_file)) continue;
    const tail = `/${forward(test_file).replace(/^(?:\.\/)+/, '')}`;
    for (const frame of [location, ...stack]) {
      const file = forward(frame?.file ?? '');
      if (tail.length > 1 && isAbsolute(file) && file.endsWith(tail)) roots.add(file.slice(0, -tail.length));
    }
  }
  return [...roots].filter((root) => root !== '');
}

function packetOf(source: string, finding: Finding, options: PathOptions): FailurePacket {
  const stack = finding.stack
    .slice(0, MAX_FRAMES)
    .map((frame) => ({ ...frame, file: workspacePath(frame.file, options) }));
  const testFile = finding.test_file === null ? null : workspacePath(finding.test_file, options);
  const primary = primaryFrame(finding, options);
  const packet: Omit<FailurePacket, 'packet_id'> = {
    failure_class: finding.failure_class,
    sub_class: finding.sub_class,
    primary_file: primary?.file ?? testFile,
    primary_line: primary?.line ?? null,
    primary_symbol: finding.symbol ?? primary?.symbol ?? null,
    normalized_message: wellFormed(normalisedMessage(finding.message)),
    repro_command: null,
    first_failing_test: finding.test === null ? null : truncateBytes(finding.test, NAME_BYTES),
    test_file: testFile,
    confidence: finding.confidence,
    raw_excerpt: truncateBytes(finding.excerpt, EXCERPT_BYTES),
    expected: bounded(finding.expected),
    actual: bounded(finding.actual),
    runner: finding.runner,
    stack,
    flaky_signals: finding.flaky_signals,
    source,
    range: finding.range,
  };
  return { packet_id: packetId(packet), ...packet };
}

/** What makes two failures the same one: not the excerpt, the values, the input or the order. */
function packetId(packet: Omit<FailurePacket, 'packet_id'>): string {
  return shortId('fp', {
    failure_class: packet.failure_class,
    primary_file: packet.primary_file,
    primary_line: packet.first_failing_test === null ? packet.primary_line : null,
    normalized_message: packet.normalized_message,
    first_failing_test: packet.first_failing_test,
    test_file: packet.test_file,
    runner: packet.runner,
  });
}

/** The place the runner names if it is the project's own, else the innermost own frame, else the place as named. */
function primaryFrame(finding: Finding, options: PathOptions): Frame | null {
  const candidates = [finding.location, ...finding.stack].filter((frame) => frame !== null);
  const chosen = candidates.find((frame) => isOwn(frame, options)) ?? finding.location;
  return chosen === null ? null : { ...chosen, file: workspacePath(chosen.file, options) };
}

const GENERATED =
  /(?:^|\/)(?:dist|build|out|target|coverage|\.next|\.nuxt|generated|__generated__)\/|\.min\.js$|_pb2?\.(?:py|js)$|\.g\.(?:ts|dart|cs)$/;

function isOwn(frame: Frame, options: PathOptions): boolean {
  if (isForeign(frame.file)) return false;
  const path = workspacePath(frame.file, options);
  if (options.files?.has(path)) return true;
  return !GENERATED.test(path);
}

function bounded(value: string | null): string | null {
  return value === null ? null : truncateBytes(value, VALUE_BYTES);
}

export { mergePackets } from './merge-packets.ts';
