/** How a packet is called and where it is, in the few words that every form of output shares. */
import type { FailurePacket } from '../../../failures/packet.ts';

const TITLE_LENGTH = 200;

/** The test, else the place, else what the runner said. */
export function titleOf(packet: FailurePacket): string {
  const title = packet.first_failing_test ?? placeOf(packet) ?? firstLine(packet.normalized_message);
  return title.length > TITLE_LENGTH ? `${title.slice(0, TITLE_LENGTH - 1)}…` : title;
}

/** `src/cart.ts:12`, or null when no place is known. */
export function placeOf({ primary_file, primary_line }: FailurePacket): string | null {
  if (primary_file === null) return null;
  return primary_line === null ? primary_file : `${primary_file}:${primary_line}`;
}

/** `pytest · test_assertion (timeout)` */
export function kindOf({ runner, failure_class, sub_class }: FailurePacket): string {
  return `${runner} · ${failure_class}${sub_class === null ? '' : ` (${sub_class})`}`;
}

/** `build.log:120-140` */
export function sourceOf({ source, range }: FailurePacket): string {
  const { start_line, end_line } = range;
  return start_line === end_line ? `${source}:${start_line}` : `${source}:${start_line}-${end_line}`;
}

export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] || 'unnamed failure';
}

/** `1 failure`, `1,234 lines`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',')} ${amount === 1 ? one : many}`;
}
