/** The whole machine as one table. The reducer, the docs and the debugger read it; nothing else decides where a run goes. */
import { canonicalJson, sha256Hex } from '../record/canonical.ts';
import type { GuardName } from './guards.ts';
import type { Place, State, Terminal } from './run.ts';
import type { Slots } from './slots.ts';

export interface Edge {
  readonly to: Place;
  readonly when: GuardName;
  readonly reason: string;
  /** Slots written when the edge is taken; `{add}` counts up. */
  readonly sets: { readonly [Name in keyof Slots]?: Slots[Name] | { readonly add: number } };
  /** Slots put back to their seed value. */
  readonly clears: readonly ClearableSlot[];
}

/** Slots with a seed value to go back to. */
export type ClearableSlot = 'impl_done' | 'e2e_done' | 'review_result' | 'run_result' | 'failing_tests';

export interface FlowState {
  /** `first`: the first edge whose guard holds. `all`: every one (a fork). `join`: the first, or wait for the sibling. */
  readonly take: 'first' | 'all' | 'join';
  readonly edges: readonly Edge[];
}

export interface Flow {
  readonly start: State;
  readonly states: { readonly [Name in State]: FlowState };
  /** Terminal states. Those that announce have one last visit, which tells people how the run ended. */
  readonly terminals: { readonly [Name in Terminal]: { readonly announces: boolean } };
}

function edge(to: Place, when: GuardName, reason: string, effect: Partial<Pick<Edge, 'sets' | 'clears'>> = {}): Edge {
  return { to, when, reason, sets: effect.sets ?? {}, clears: effect.clears ?? [] };
}

export const FLOW: Flow = {
  start: 'validate',
  states: {
    validate: {
      take: 'first',
      edges: [
        edge('run', 'entry_is_ci', 'the failing checks are to be reproduced'),
        edge('run', 'investigates_only', 'somebody asked for an investigation'),
        edge('strategy', 'requirement_is_checkable', 'the requirement can be checked'),
        edge('escalated', 'always', 'the requirement has no clause that a machine can check'),
      ],
    },
    strategy: {
      take: 'all',
      edges: [
        edge('impl', 'always', 'the plan is ready to be implemented', { clears: ['impl_done'] }),
        edge('e2e', 'not_routed', 'the tests are written from the same plan', { clears: ['e2e_done'] }),
      ],
    },
    impl: {
      take: 'join',
      edges: [
        edge('run', 'route_is_code', 'the routed fix is to be run'),
        edge('review', 'both_are_done', 'implementation and tests are ready for review'),
      ],
    },
    e2e: {
      take: 'join',
      edges: [
        edge('run', 'route_is_test', 'the routed fix is to be run'),
        edge('review', 'both_are_done', 'implementation and tests are ready for review'),
      ],
    },
    review: {
      take: 'first',
      edges: [
        edge('run', 'review_passed', 'the review found nothing to change'),
        edge('impl', 'changes_may_be_requested', 'the review asks for changes', {
          sets: { review_cycles: { add: 1 } },
          clears: ['impl_done', 'review_result'],
        }),
        edge('escalated', 'always', 'the review still asks for changes after its last cycle'),
      ],
    },
    run: {
      take: 'first',
      edges: [
        edge('publish', 'run_passed', 'all tests pass'),
        edge('debug', 'first_failure', 'tests fail for the first time', { sets: { debug_cycles: { add: 1 } } }),
        edge('escalated', 'always', 'tests fail again after the routed fix'),
      ],
    },
    debug: {
      take: 'first',
      edges: [
        edge('publish', 'investigates_only', 'the report is all that was asked for'),
        edge('strategy', 'route_is_code', 'the code contradicts the spec', { clears: ['impl_done', 'run_result'] }),
        edge('e2e', 'route_is_test', 'the tests contradict the spec', { clears: ['e2e_done', 'run_result'] }),
        edge('escalated', 'always', 'the cause is not settled by the spec'),
      ],
    },
    publish: {
      take: 'first',
      edges: [edge('published', 'always', 'everything is posted')],
    },
  },
  terminals: {
    published: { announces: false },
    escalated: { announces: true },
    cancelled: { announces: true },
    failed: { announces: true },
  },
};

/** `<state>:<zero-based declaration index>`; stable for one flow revision. */
export function edgeId(state: State, index: number): string {
  return `${state}:${index}`;
}

/** SHA-256 of the table's canonical JSON (RFC 8785). A run keeps the revision it was started under. */
export function flowRevision(flow: Flow): string {
  return `sha256:${sha256Hex(canonicalJson(flow))}`;
}
