/** The order in which failures are told: what stops the build first, then by place. Never by the order of artifacts. */
import type { FailureClass } from '../failures/finding.ts';
import type { FailurePacket } from '../failures/packet.ts';

const RANK: Record<FailureClass, number> = {
  compile_error: 0,
  schema_error: 1,
  tool_contract_error: 2,
  test_assertion: 3,
  runtime_error: 3,
  unknown: 4,
};

/** Compares two packets for sorting. */
export function byFailureOrder(a: FailurePacket, b: FailurePacket): number {
  return (
    RANK[a.failure_class] - RANK[b.failure_class] ||
    compare(a.primary_file ?? '\uffff', b.primary_file ?? '\uffff') ||
    (a.primary_line ?? 0) - (b.primary_line ?? 0) ||
    compare(a.first_failing_test ?? '', b.first_failing_test ?? '') ||
    compare(a.packet_id, b.packet_id)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
