/** Which packet of an input stands for it when only one is asked for. */
import type { FailurePacket } from '../../src/failures/packet.ts';

/** The first failing test; without one the surest packet, the first of equals. */
export function leadingPacket(packets: readonly FailurePacket[]): FailurePacket | undefined {
  const test = packets.find((packet) => packet.first_failing_test !== null);
  if (test !== undefined) return test;
  const surest = Math.max(...packets.map((packet) => packet.confidence));
  return packets.find((packet) => packet.confidence === surest);
}
