/** The named predicates of the flow: pure, over slots only. An edge names one; the ledger records which slots it read. */
import type { SlotName, Slots } from './slots.ts';

export interface Guard {
  readonly reads: readonly SlotName[];
  readonly holds: (slots: Slots) => boolean;
}

/** At most this many `review → impl` edges in one run. */
export const MAX_REVIEW_CYCLES = 2;

export const GUARDS = {
  always: { reads: [], holds: () => true },
  entry_is_ci: { reads: ['entry'], holds: (s) => s.entry === 'ci' },
  investigates_only: { reads: ['entry', 'mode'], holds: (s) => s.entry !== 'issue' && s.mode === 'report' },
  requirement_is_checkable: { reads: ['requirement'], holds: (s) => s.requirement === 'checkable' },
  route_is_code: { reads: ['route'], holds: (s) => s.route === 'code' },
  route_is_test: { reads: ['route'], holds: (s) => s.route === 'test' },
  not_routed: { reads: ['route'], holds: (s) => s.route === 'none' },
  both_are_done: { reads: ['impl_done', 'e2e_done'], holds: (s) => s.impl_done && s.e2e_done },
  review_passed: { reads: ['review_result'], holds: (s) => s.review_result === 'passed' },
  changes_may_be_requested: {
    reads: ['review_result', 'review_cycles'],
    holds: (s) => s.review_result === 'changes_requested' && s.review_cycles < MAX_REVIEW_CYCLES,
  },
  run_passed: { reads: ['run_result'], holds: (s) => s.run_result === 'passed' },
  first_failure: {
    reads: ['run_result', 'debug_cycles'],
    holds: (s) => s.run_result === 'failed' && s.debug_cycles === 0,
  },
} as const satisfies Record<string, Guard>;

export type GuardName = keyof typeof GUARDS;
