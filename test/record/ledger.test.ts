import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InquestError } from '../../src/errors.ts';
import { EVENT_TYPES, type LedgerEvent, type NewEvent } from '../../src/record/event.ts';
import { appendEvents, verifyLedger } from '../../src/record/ledger.ts';

const RUN = 'run_0123456789abcdef';

const newEvents: fc.Arbitrary<NewEvent[]> = fc.array(
  fc.record({
    type: fc.constantFrom(...EVENT_TYPES),
    visit_id: fc.option(fc.constantFrom('run#1', 'debug#2')),
    payload: fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<null>, { maxKeys: 3, noNullPrototype: true }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** A ledger written in two goes, cut at `cut`. */
function ledgerOf(events: readonly NewEvent[], cut = 0): LedgerEvent[] {
  const first = appendEvents(RUN, null, events.slice(0, cut), 1_000);
  return [...first, ...appendEvents(RUN, first.at(-1) ?? null, events.slice(cut), 2_000)];
}

function errorOf(events: readonly LedgerEvent[]): InquestError | null {
  try {
    verifyLedger(events);
    return null;
  } catch (thrown) {
    if (thrown instanceof InquestError) return thrown;
    throw thrown;
  }
}

describe('appendEvents', () => {
  it('numbers from 0 without gaps, and chains the hashes', () => {
    const event = { type: 'visit_started', visit_id: 'run#1', payload: {} } as const;
    const [first, second] = ledgerOf([event, event], 1);
    expect(first).toMatchObject({ run_id: RUN, seq: 0, at: 1_000, prev_hash: '0'.repeat(64) });
    expect(second).toMatchObject({ run_id: RUN, seq: 1, at: 2_000, prev_hash: first?.hash });
  });

  it('hashes the canonical JSON of all other fields', () => {
    const [event] = appendEvents(RUN, null, [{ type: 'slot_written', visit_id: null, payload: { b: 1, a: [] } }], 7);
    // printf '%s' '{"at":7,"payload":{"a":[],"b":1},"prev_hash":"000…","run_id":"run_…","seq":0,"type":"slot_written","visit_id":null}' | sha256sum
    expect(event?.hash).toBe('4a6684c05f67e69359283d14ebe9f87a293a6bd1ad60d512ecad0b7764f551fb');
  });

  it('does not depend on the order in which a payload was built', () => {
    const hashOf = (payload: NewEvent['payload']) =>
      appendEvents(RUN, null, [{ type: 'slot_written', visit_id: null, payload }], 7)[0]?.hash;
    expect(hashOf({ a: 1, b: { c: 2, d: 3 } })).toBe(hashOf({ b: { d: 3, c: 2 }, a: 1 }));
  });
});

describe('verifyLedger', () => {
  it('accepts what appendEvents made, wherever it was cut, also after a trip through JSON', () => {
    fc.assert(
      fc.property(newEvents, fc.nat(8), (events, cut) => {
        expect(errorOf(JSON.parse(JSON.stringify(ledgerOf(events, cut))))).toBeNull();
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it('accepts an empty ledger', () => {
    expect(errorOf([])).toBeNull();
  });

  it('names the first event at which any one change breaks the chain', () => {
    const changes: ((event: LedgerEvent) => LedgerEvent)[] = [
      (event) => ({ ...event, at: event.at + 1 }),
      (event) => ({ ...event, payload: { ...event.payload, more: true } }),
      (event) => ({ ...event, visit_id: 'run#9' }),
      (event) => ({ ...event, run_id: 'run_other' }),
      (event) => ({ ...event, seq: event.seq + 1 }),
      (event) => ({ ...event, prev_hash: 'f'.repeat(64) }),
      (event) => ({ ...event, hash: 'f'.repeat(64) }),
    ];
    fc.assert(
      fc.property(newEvents, fc.nat(), fc.constantFrom(...changes), (events, at, change) => {
        const ledger = ledgerOf(events);
        const index = at % ledger.length;
        const broken = ledger.map((event, n) => (n === index ? change(event) : event));
        const error = errorOf(broken);
        expect(error?.code).toBe('LEDGER_BROKEN');
        // A changed run id of the first event shows when the second does not agree, at the latest.
        expect(error?.message).toContain(`seq ${index}`);
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it('finds events that were taken out, swapped or put in twice', () => {
    const ledger = ledgerOf(
      ['run#1', 'run#2', 'run#3', 'run#4'].map((visit_id) => ({ type: 'visit_started', visit_id, payload: {} })),
    );
    const [a, b, c, d] = ledger as [LedgerEvent, LedgerEvent, LedgerEvent, LedgerEvent];
    expect(errorOf([a, c, d])?.message).toContain('seq 1');
    expect(errorOf([b, c, d])?.message).toContain('seq 0');
    expect(errorOf([a, c, b, d])?.message).toContain('seq 1');
    expect(errorOf([a, b, b, c, d])?.message).toContain('seq 2');
  });
});
