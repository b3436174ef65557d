/** The pure step of the machine: (run, outcome) → (run, events, next visits). No I/O, no clock, no randomness. */
import type { Json, NewEvent } from '../record/event.ts';
import { type ClearableSlot, type Edge, edgeId, type Flow } from './flow.ts';
import { GUARDS } from './guards.ts';
import type { Place, Run, State, Terminal, Visit } from './run.ts';
import { STATES } from './run.ts';
import { type SlotName, type Slots, seedSlots } from './slots.ts';

/** How a visit ended. */
export type Outcome =
  /** The state did its work; `sets` are the slots it found out. */
  | { readonly kind: 'done'; readonly visit_id: string; readonly sets: Partial<Slots> }
  /** Retries are exhausted or the state refused: never a classification. `code` is an InquestError code. */
  | { readonly kind: 'failed'; readonly visit_id: string; readonly code: string; readonly message: string }
  /** Somebody or something (a newer push) called the run off. */
  | { readonly kind: 'cancelled'; readonly reason: string };

export interface Step {
  readonly run: Run;
  readonly events: readonly NewEvent[];
  /** Visits to schedule now. */
  readonly next: readonly Visit[];
}

/** The first step: the run enters the flow's start state. */
export function start(flow: Flow, run: Run): Step {
  const seeded: NewEvent = { type: 'slots_seeded', visit_id: null, payload: { slots: run.slots as unknown as Json } };
  const created: NewEvent = {
    type: 'run_created',
    visit_id: null,
    payload: { head_sha: run.head_sha, entry: run.slots.entry, mode: run.slots.mode, flow_revision: run.flow_revision },
  };
  const entered = enter(flow, run, flow.start);
  return { ...entered, events: [created, seeded, ...entered.events] };
}

/**
 * Applies the outcome of a visit. An outcome for a visit that is already done, or for a run that has ended, changes
 * nothing: a job that is delivered twice is harmless.
 */
export function reduce(flow: Flow, run: Run, outcome: Outcome): Step {
  if (outcome.kind === 'cancelled') {
    if (run.status !== 'running') return unchanged(run);
    return end(flow, run, 'cancelled', null, outcome.reason);
  }
  const visit = run.visits.find((v) => v.visit_id === outcome.visit_id);
  if (!visit || visit.status === 'done') return unchanged(run);
  const closed = closeVisit(run, visit);
  if (run.status !== 'running') return announced(closed, visit);
  if (outcome.kind === 'failed') {
    return end(flow, closed, 'failed', visit.visit_id, `${outcome.code}: ${outcome.message}`);
  }
  return follow(flow, closed, visit, outcome.sets);
}

function unchanged(run: Run): Step {
  return { run, events: [], next: [] };
}

/** The visit of a terminal state is over: the run has already ended, so nothing follows. */
function announced(run: Run, visit: Visit): Step {
  return { run, events: [visitEnded(visit)], next: [] };
}

function follow(flow: Flow, run: Run, visit: Visit, sets: Partial<Slots>): Step {
  const state = visit.place as State;
  const own = writeSlots(run.slots, { ...sets, ...doneMark(state) }, state, visit.visit_id);
  const taken = edgesTaken(flow, state, own.slots);
  let current: Run = { ...run, slots: own.slots };
  const events: NewEvent[] = [...own.events, visitEnded(visit)];
  const next: Visit[] = [];
  for (const { edge, index } of taken) {
    const effect = edgeSlots(current.slots, edge);
    const written = writeSlots(current.slots, effect, edgeId(state, index), visit.visit_id);
    events.push(edgeTaken(state, index, edge, visit.visit_id), ...written.events);
    const entered = enter(flow, { ...current, slots: written.slots }, edge.to, visit.visit_id, edge.reason);
    current = entered.run;
    events.push(...entered.events);
    next.push(...entered.next);
  }
  return { run: current, events, next };
}

/** `impl` and `e2e` leave a mark for the join. */
function doneMark(state: State): Partial<Slots> {
  if (state === 'impl') return { impl_done: true };
  if (state === 'e2e') return { e2e_done: true };
  return {};
}

function edgesTaken(flow: Flow, state: State, slots: Slots): { edge: Edge; index: number }[] {
  const { take, edges } = flow.states[state];
  const holding = edges.map((edge, index) => ({ edge, index })).filter(({ edge }) => GUARDS[edge.when].holds(slots));
  if (take === 'all') return holding;
  return holding.slice(0, 1);
}

function enter(flow: Flow, run: Run, place: Place, from: string | null = null, reason = ''): Step {
  if (!isState(place)) return end(flow, run, place, from, reason);
  const visit = newVisit(run, place);
  return {
    run: { ...run, visits: [...run.visits, visit] },
    events: [{ type: 'visit_scheduled', visit_id: visit.visit_id, payload: { place } }],
    next: [visit],
  };
}

function end(flow: Flow, run: Run, terminal: Terminal, from: string | null, reason: string): Step {
  // What was still scheduled will not run any more.
  const closed = run.visits.map((v): Visit => (v.status === 'done' ? v : { ...v, status: 'done' }));
  const ended: Run = { ...run, status: terminal, visits: closed };
  const events: NewEvent[] = [{ type: 'run_ended', visit_id: from, payload: { status: terminal, reason } }];
  if (!flow.terminals[terminal].announces) return { run: ended, events, next: [] };
  const visit = newVisit(ended, terminal);
  events.push({ type: 'visit_scheduled', visit_id: visit.visit_id, payload: { place: terminal } });
  return { run: { ...ended, visits: [...closed, visit] }, events, next: [visit] };
}

function isState(place: Place): place is State {
  return (STATES as readonly string[]).includes(place);
}

function newVisit(run: Run, place: Place): Visit {
  const ordinal = run.visits.filter((v) => v.place === place).length + 1;
  return { visit_id: `${place}#${ordinal}`, place, status: 'scheduled' };
}

function closeVisit(run: Run, visit: Visit): Run {
  const visits = run.visits.map((v): Visit => (v.visit_id === visit.visit_id ? { ...v, status: 'done' } : v));
  return { ...run, visits };
}

function visitEnded(visit: Visit): NewEvent {
  return { type: 'visit_ended', visit_id: visit.visit_id, payload: { place: visit.place } };
}

function edgeTaken(state: State, index: number, edge: Edge, visitId: string): NewEvent {
  return {
    type: 'edge_taken',
    visit_id: visitId,
    payload: {
      edge_id: edgeId(state, index),
      to: edge.to,
      when: edge.when,
      slots_read: [...GUARDS[edge.when].reads],
      reason: edge.reason,
    },
  };
}

function edgeSlots(slots: Slots, edge: Edge): Partial<Slots> {
  const seed = seedSlots(slots);
  const cleared = Object.fromEntries(edge.clears.map((name: ClearableSlot) => [name, seed[name]]));
  const set = Object.entries(edge.sets).map(([name, value]) => {
    const isCount = typeof value === 'object' && value !== null && 'add' in value;
    return [name, isCount ? (slots[name as SlotName] as number) + (value as { add: number }).add : value];
  });
  return { ...cleared, ...Object.fromEntries(set) };
}

function writeSlots(slots: Slots, sets: Partial<Slots>, writer: string, visitId: string) {
  const events: NewEvent[] = [];
  for (const name of Object.keys(sets).sort() as SlotName[]) {
    const value = sets[name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(slots[name])) continue;
    events.push({
      type: 'slot_written',
      visit_id: visitId,
      payload: { slot: name, old: slots[name] as Json, new: value as Json, writer },
    });
  }
  return { slots: { ...slots, ...sets }, events };
}
