/** Takes secrets out of a packet before anything keeps or shows it. */
import type { FailurePacket } from '../failures/packet.ts';
import { redact } from '../record/redact.ts';

/** The packet with every text from a log redacted. Its id stays: it is a hash and shows nothing. */
export function redactPacket(packet: FailurePacket): FailurePacket {
  const clean = (text: string | null) => (text === null ? null : redact(text));
  return {
    ...packet,
    normalized_message: redact(packet.normalized_message),
    raw_excerpt: redact(packet.raw_excerpt),
    first_failing_test: clean(packet.first_failing_test),
    expected: clean(packet.expected),
    actual: clean(packet.actual),
    repro_command: clean(packet.repro_command),
  };
}
