/** Follows Inquest's runs until all have ended, and gathers what they said. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDebugReport } from '../src/pipeline/debug-report.ts';
import type { Run } from '../src/pipeline/run.ts';
import type { Store } from '../src/ports/store.ts';
import type { LedgerEvent } from '../src/record/event.ts';
import { verifyLedger } from '../src/record/ledger.ts';
import type { SamplePull } from './sample.ts';

export interface OpenedPull {
  readonly pull: SamplePull;
  readonly number: number;
  readonly url: string;
  readonly headSha: string;
}

/** What became of one pull request. */
export interface CaseResult {
  readonly case: string;
  readonly title: string;
  readonly pull_request: string;
  readonly run_id: string;
  readonly status: string;
  readonly test: string;
  readonly cause: string;
  readonly action: string;
  readonly evidence: string;
  readonly comment_url: string;
  readonly expected: SamplePull['expected'];
  readonly ok: boolean;
  /** Time spent in its visits, and the part of it in commands of the sandbox (the tests' own time), in milliseconds. */
  readonly visits_ms: number;
  readonly commands_ms: number;
  readonly events: number;
}

const POLL_MS = 50;

/** Resolves when a run of the SHA has ended and nothing of it is scheduled any more; null when the time is over. */
export async function runOf(store: Store, headSha: string, timeoutMs: number): Promise<Run | null> {
  const until = performance.now() + timeoutMs;
  while (performance.now() < until) {
    const [run] = await store.findRuns({ head_sha: headSha });
    if (run && run.status !== 'running' && run.visits.every((visit) => visit.status === 'done')) return run;
    await sleep(POLL_MS);
  }
  return null;
}

/** Reads the ended run back from the store: its ledger must hold, its report must parse. */
export async function resultOf(store: Store, opened: OpenedPull, run: Run): Promise<CaseResult> {
  const events = await store.events(run.run_id);
  verifyLedger(events);
  const debug = await store.artifact(run.run_id, 'debug.md');
  const report = debug === null ? null : parseDebugReport(debug);
  const first = report?.failures[0];
  const cause = [...new Set(report?.failures.map((failure) => failure.cause))].sort().join('+') || 'none';
  const { expected } = opened.pull;
  const comment = events.find((event) => event.type === 'github_write' && event.payload.what === 'comment');
  return {
    case: opened.pull.slug,
    title: opened.pull.title,
    pull_request: opened.url,
    run_id: run.run_id,
    status: run.status,
    test: first?.test ?? '',
    cause,
    action: report?.action ?? 'none',
    evidence: first?.evidence ?? '',
    comment_url: typeof comment?.payload.url === 'string' ? comment.payload.url : '',
    expected,
    ok: run.status === 'published' && cause === expected.cause && report?.action === expected.action,
    visits_ms: visitTime(events),
    commands_ms: commandTime(events),
    events: events.length,
  };
}

function commandTime(events: readonly LedgerEvent[]): number {
  const times = events
    .filter((event) => event.type === 'command_ran')
    .map((event) => Number(event.payload.duration_ms));
  return times.reduce((sum, time) => sum + time, 0);
}

/** Time inside visits, without waiting for a free place in the queue. */
function visitTime(events: readonly LedgerEvent[]): number {
  let sum = 0;
  for (const started of events.filter((event) => event.type === 'visit_started')) {
    const ended = events.find((event) => event.type === 'visit_ended' && event.visit_id === started.visit_id);
    if (ended) sum += ended.at - Number(started.payload.started_at);
  }
  return sum;
}
