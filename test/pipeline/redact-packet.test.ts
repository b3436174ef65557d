import { describe, expect, it } from '@jest/globals';
import type { FailurePacket } from '../../src/failures/packet.ts';
import { redactPacket } from '../../src/pipeline/redact-packet.ts';

const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const PACKET: FailurePacket = {
  packet_id: 'fp_0123456789abcdef',
  failure_class: 'test_assertion',
  sub_class: 'timeout',
  primary_file: `src/${SECRET}.ts`,
  primary_line: 3,
  primary_symbol: SECRET,
  normalized_message: `got ${SECRET}`,
  repro_command: `npm test -- ${SECRET}`,
  first_failing_test: `logs in with ${SECRET}`,
  test_file: `test/${SECRET}.test.ts`,
  confidence: 0.9,
  raw_excerpt: `line\n${SECRET}`,
  expected: SECRET,
  actual: SECRET,
  runner: SECRET,
  stack: [{ file: `/tmp/${SECRET}/a.ts`, line: 1, column: 2, symbol: SECRET }],
  flaky_signals: [SECRET],
  source: `log: ${SECRET}`,
  range: { start_line: 1, end_line: 2, start_byte: 0, end_byte: 10 },
};

/** Names of the fields, a frame's with a dot, whose text holds the secret. */
function leaks(value: object): string[] {
  return Object.entries(value).flatMap(([name, field]) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? leaks(field).map((inner) => `${name}.${inner}`)
      : JSON.stringify(field ?? null).includes(SECRET)
        ? [name]
        : [],
  );
}

describe('A packet is kept without secrets', () => {
  it('in none of its texts', () => {
    expect(leaks(PACKET)).toHaveLength(13);
    expect(leaks(redactPacket(PACKET))).toEqual([]);
  });

  it('and otherwise as it was', () => {
    const { packet_id, primary_line, range, stack } = redactPacket(PACKET);
    expect({ packet_id, primary_line, range, line: stack[0]?.line }).toEqual({
      packet_id: PACKET.packet_id,
      primary_line: 3,
      range: PACKET.range,
      line: 1,
    });
  });
});
