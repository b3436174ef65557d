/** The ledger of a run: an append-only chain in which every event carries the hash of the one before. Pure. */
import { InquestError } from '../errors.ts';
import { canonicalJson, sha256Hex } from './canonical.ts';
import type { LedgerEvent, NewEvent } from './event.ts';

/** What the next event has to know of the one before it. */
type ChainEnd = Pick<LedgerEvent, 'seq' | 'hash'>;

const GENESIS_HASH = '0'.repeat(64);

/**
 * Gives new events their places behind `last` (null: the chain is empty).
 *
 * @param at milliseconds since the epoch, the same for all of them
 */
export function appendEvents(
  runId: string,
  last: ChainEnd | null,
  events: readonly NewEvent[],
  at: number,
): LedgerEvent[] {
  let seq = last === null ? 0 : last.seq + 1;
  let prevHash = last === null ? GENESIS_HASH : last.hash;
  return events.map(({ type, visit_id, payload }) => {
    const unsealed = { run_id: runId, seq, type, visit_id, at, payload, prev_hash: prevHash };
    const event = { ...unsealed, hash: hashOf(unsealed) };
    seq += 1;
    prevHash = event.hash;
    return event;
  });
}

/** Checks a whole ledger. Throws `LEDGER_BROKEN` with the first `seq` at which the chain does not hold. */
export function verifyLedger(events: readonly LedgerEvent[]): void {
  const runId = events[0]?.run_id;
  let prevHash = GENESIS_HASH;
  for (const [index, event] of events.entries()) {
    const { hash, ...unsealed } = event;
    if (event.seq !== index) throw broken(event, index, `has seq ${event.seq}`);
    if (event.run_id !== runId) throw broken(event, index, `belongs to run ${event.run_id}`);
    if (event.prev_hash !== prevHash) throw broken(event, index, 'does not follow the event before it');
    if (hashOf(unsealed) !== hash) throw broken(event, index, 'was changed after it was written');
    prevHash = hash;
  }
}

function hashOf(unsealed: Omit<LedgerEvent, 'hash'>): string {
  return sha256Hex(canonicalJson(unsealed));
}

function broken(event: LedgerEvent, seq: number, what: string): InquestError {
  return new InquestError('LEDGER_BROKEN', `Run ${event.run_id}: the event at seq ${seq} ${what}.`, {
    hint: 'Do not trust this record. Restore the database from a backup, or start the run again.',
  });
}
