/** Takes secrets out of a packet before anything keeps or shows it. */
import type { FailurePacket } from '../failures/packet.ts';
import { redact } from '../record/redact.ts';

/** The packet with each of its texts redacted. Its id stays: it is a hash and shows nothing. */
export function redactPacket(packet: FailurePacket): FailurePacket {
  return {
    ...packet,
    primary_file: clean(packet.primary_file),
    primary_symbol: clean(packet.primary_symbol),
    normalized_message: redact(packet.normalized_message),
    repro_command: clean(packet.repro_command),
    first_failing_test: clean(packet.first_failing_test),
    test_file: clean(packet.test_file),
    raw_excerpt: redact(packet.raw_excerpt),
    expected: clean(packet.expected),
    actual: clean(packet.actual),
    stack: packet.stack.map((frame) => ({ ...frame, file: redact(frame.file), symbol: clean(frame.symbol) })),
    flaky_signals: packet.flaky_signals.map((signal) => redact(signal)),
    runner: redact(packet.runner),
    source: redact(packet.source),
  };
}

function clean(text: string | null): string | null {
  return text === null ? null : redact(text);
}
