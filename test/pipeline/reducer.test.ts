import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { edgeId, FLOW, flowRevision } from '../../src/pipeline/flow.ts';
import { MAX_REVIEW_CYCLES } from '../../src/pipeline/guards.ts';
import { type Outcome, reduce, start } from '../../src/pipeline/reducer.ts';
import { type Run, STATES, type State } from '../../src/pipeline/run.ts';
import { ENTRIES, type Entry, MODES, type Mode, type Slots, seedSlots } from '../../src/pipeline/slots.ts';
import type { NewEvent } from '../../src/record/event.ts';

function newRun(entry: Entry, mode: Mode): Run {
  return {
    run_id: 'run_0000000000000001',
    repo: { installation_id: 1, repo_id: 2, owner: 'octo', name: 'shop' },
    head_sha: 'a'.repeat(40),
    head_branch: 'topic',
    pull_request: 1,
    issue: null,
    generation: 1,
    slots: seedSlots({ entry, mode, head_sha: 'a'.repeat(40) }),
    status: 'running',
    flow_revision: flowRevision(FLOW),
    visits: [],
    created_at: 0,
    version: 0,
  };
}

/** Everything that a visit of a state may find out: the branches of the walk. */
const FINDINGS: Record<State, readonly Partial<Slots>[]> = {
  validate: [{ requirement: 'checkable' }, { requirement: 'not_checkable' }],
  strategy: [{}],
  impl: [{}],
  e2e: [{}],
  review: [{ review_result: 'passed' }, { review_result: 'changes_requested' }],
  run: [{ run_result: 'passed' }, { run_result: 'failed' }],
  debug: [{ route: 'code' }, { route: 'test' }, { route: 'escalate' }],
  publish: [{}],
};

interface Path {
  readonly run: Run;
  readonly events: readonly NewEvent[];
}

/** Walks every path: each order of the visits that are due, each thing they may find. Calls `visit` at each end. */
function walk(path: Path, end: (path: Path) => void, depth = 0): void {
  expect(depth).toBeLessThan(40);
  const due = path.run.visits.filter((v) => v.status === 'scheduled');
  if (path.run.status !== 'running' || due.length === 0) {
    end(path);
    return;
  }
  for (const visit of due) {
    for (const sets of FINDINGS[visit.place as State]) {
      const step = reduce(FLOW, path.run, { kind: 'done', visit_id: visit.visit_id, sets });
      walk({ run: step.run, events: [...path.events, ...step.events] }, end, depth + 1);
    }
  }
}

function allPaths(): Path[] {
  const ends: Path[] = [];
  for (const entry of ENTRIES) {
    for (const mode of MODES) {
      const first = start(FLOW, newRun(entry, mode));
      walk({ run: first.run, events: first.events }, (path) => ends.push(path));
    }
  }
  return ends;
}

const paths = allPaths();
const edgesOf = (path: Path) => path.events.filter((e) => e.type === 'edge_taken').map((e) => e.payload.edge_id);

describe('every path of the flow', () => {
  it('ends in a terminal state', () => {
    expect(paths.length).toBeGreaterThan(100);
    for (const path of paths) expect(path.run.status).not.toBe('running');
  });

  it('visits debug at most once', () => {
    for (const path of paths) expect(path.run.visits.filter((v) => v.place === 'debug').length).toBeLessThanOrEqual(1);
  });

  it('goes from review to impl at most twice', () => {
    for (const path of paths) {
      expect(edgesOf(path).filter((id) => id === 'review:1').length).toBeLessThanOrEqual(MAX_REVIEW_CYCLES);
    }
  });

  it('together take every declared edge', () => {
    const taken = new Set(paths.flatMap(edgesOf));
    const declared = STATES.flatMap((state) => FLOW.states[state].edges.map((_, index) => edgeId(state, index)));
    expect([...taken].sort()).toEqual([...declared].sort());
  });

  it('in entry ci and mode report is validate, run, debug, publish', () => {
    const first = start(FLOW, newRun('ci', 'report'));
    const trails = new Set<string>();
    walk({ run: first.run, events: [] }, (path) => trails.add(path.run.visits.map((v) => v.place).join(' ')));
    expect([...trails].sort()).toEqual(['validate run debug publish', 'validate run publish']);
  });
});

describe('the reducer', () => {
  const outcome = fc.oneof(
    fc
      .constantFrom('validate#1', 'run#1', 'debug#1', 'publish#1', 'strategy#1', 'impl#1', 'e2e#1', 'run#2')
      .chain((visit_id) =>
        fc.constantFrom<Outcome>(
          { kind: 'done', visit_id, sets: { run_result: 'failed', route: 'code', requirement: 'checkable' } },
          { kind: 'failed', visit_id, code: 'SETUP_FAILED', message: 'npm ci ended with 1' },
        ),
      ),
    fc.constant<Outcome>({ kind: 'cancelled', reason: 'a newer push' }),
  );

  it('takes any outcomes in any order without ever leaving the flow, and twice the same changes nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ENTRIES),
        fc.constantFrom(...MODES),
        fc.array(outcome, { maxLength: 20 }),
        (entry, mode, all) => {
          let run = start(FLOW, newRun(entry, mode)).run;
          for (const one of all) {
            const step = reduce(FLOW, run, one);
            const again = reduce(FLOW, step.run, one);
            expect(again.run).toEqual(step.run);
            expect(again.next).toEqual([]);
            const ids = step.run.visits.map((v) => v.visit_id);
            expect(new Set(ids).size).toBe(ids.length);
            run = step.run;
          }
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });

  it('does not change what it was given', () => {
    const run = Object.freeze(start(FLOW, newRun('ci', 'report')).run);
    const before = JSON.stringify(run);
    reduce(FLOW, run, { kind: 'done', visit_id: 'validate#1', sets: { requirement: 'checkable' } });
    expect(JSON.stringify(run)).toBe(before);
  });

  it('ends a run once: an outcome that arrives after a cancellation is dropped', () => {
    const begun = start(FLOW, newRun('ci', 'report')).run;
    const cancelled = reduce(FLOW, begun, { kind: 'cancelled', reason: 'a newer push' });
    expect(cancelled.run.status).toBe('cancelled');
    expect(cancelled.next.map((v) => v.visit_id)).toEqual(['cancelled#1']);
    const late = reduce(FLOW, cancelled.run, { kind: 'done', visit_id: 'validate#1', sets: {} });
    expect(late.run.status).toBe('cancelled');
    expect(late.next).toEqual([]);
  });

  it('records who wrote which slot', () => {
    const begun = start(FLOW, newRun('ci', 'report')).run;
    const { events } = reduce(FLOW, begun, {
      kind: 'done',
      visit_id: 'validate#1',
      sets: { requirement: 'checkable' },
    });
    expect(events.find((e) => e.type === 'slot_written')?.payload).toEqual({
      slot: 'requirement',
      old: 'unknown',
      new: 'checkable',
      writer: 'validate',
    });
  });
});
