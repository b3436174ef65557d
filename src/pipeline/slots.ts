/** The named variables of a run. Every write is an event of the ledger; guards of the flow read nothing else. */
import { z } from 'zod';

export const ENTRIES = ['ci', 'issue', 'command'] as const;
export const MODES = ['report', 'suggest', 'fix'] as const;
export const ROUTES = ['none', 'code', 'test', 'escalate'] as const;

export const slotsSchema = z.strictObject({
  /** What started the run. */
  entry: z.enum(ENTRIES),
  mode: z.enum(MODES),
  head_sha: z.string(),
  /** Does the requirement have at least one clause that a machine can check? */
  requirement: z.enum(['unknown', 'checkable', 'not_checkable']),
  impl_done: z.boolean(),
  e2e_done: z.boolean(),
  review_result: z.enum(['none', 'passed', 'changes_requested']),
  review_cycles: z.int().min(0),
  run_result: z.enum(['none', 'passed', 'failed']),
  failing_tests: z.array(z.string()),
  /** Where the debug state sent the run. */
  route: z.enum(ROUTES),
  debug_cycles: z.int().min(0),
});

export type Slots = z.infer<typeof slotsSchema>;
export type SlotName = keyof Slots;
export type Entry = Slots['entry'];
export type Mode = Slots['mode'];
export type Route = Slots['route'];

/** The slots of a run that has not done anything yet. */
export function seedSlots(seed: Pick<Slots, 'entry' | 'mode' | 'head_sha'>): Slots {
  return {
    ...seed,
    requirement: 'unknown',
    impl_done: false,
    e2e_done: false,
    review_result: 'none',
    review_cycles: 0,
    run_result: 'none',
    failing_tests: [],
    route: 'none',
    debug_cycles: 0,
  };
}
