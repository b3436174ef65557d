/** What every store does. Run against each database; `open` gives another handle on the same one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore } from '../../../src/adapters/store/open-store.ts';
import { InquestError } from '../../../src/errors.ts';
import type { Run, Visit } from '../../../src/pipeline/run.ts';
import type { Store } from '../../../src/ports/store.ts';
import { verifyLedger } from '../../../src/record/ledger.ts';
import { aChange, anEvent, aRun, REPO } from './builders.ts';

interface Location {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

interface Database {
  /** An empty database. */
  start(): Promise<Location>;
  stop(): Promise<void>;
}

const PROCESS = fileURLToPath(new URL('store-process.ts', import.meta.url));

export function storeContract(database: Database): void {
  let location: Location;
  let store: Store;
  let other: Store;
  let ordinal = 0;

  beforeAll(async () => {
    location = await database.start();
    [store, other] = await Promise.all([open(), open()]);
    // On an empty database, and all at once: migrations that got into each other's way would fail here.
    const elsewhere = processAt(location, 'migrate');
    const [[exitCode]] = await Promise.all([once(elsewhere, 'close'), store.migrate(), other.migrate()]);
    expect(exitCode).toBe(0);
  });
  afterAll(async () => {
    await Promise.all([store?.close(), other?.close()]);
    await database.stop();
  });

  function open(): Promise<Store> {
    return openStore({ ...location, clock: { now: Date.now } });
  }

  function processAt({ databaseUrl, dataDir }: Location, task: 'migrate' | 'commit', runId = ''): ChildProcess {
    const argv = ['--import', 'tsx', PROCESS, task, databaseUrl ?? '', dataDir, runId];
    return spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  /** A run that no other case knows. */
  function newRun(over: Partial<Run> = {}): Run {
    ordinal += 1;
    const digits = ordinal.toString(16);
    return aRun({ run_id: `run_${digits.padStart(16, '0')}`, head_sha: digits.padStart(40, 'c'), ...over });
  }

  async function createdRun(over: Partial<Run> = {}): Promise<Run> {
    const run = newRun(over);
    expect(await store.createRun(aChange(run, { events: [anEvent({ type: 'run_created' })] }), [])).toBe('created');
    return { ...run, version: run.version + 1 };
  }

  describe('migrate', () => {
    it('changes nothing the second time', async () => {
      await store.migrate();
      await other.migrate();
    });
  });

  describe('a process that is killed while it commits', () => {
    it('leaves whole commits only', async () => {
      const { run_id } = await createdRun();
      const victim = processAt(location, 'commit', run_id);
      await lines(victim, 12);
      victim.kill('SIGKILL');
      await once(victim, 'close');
      const run = await other.findRun(run_id);
      const events = await other.events(run_id);
      verifyLedger(events);
      expect(run?.version).toBeGreaterThanOrEqual(13);
      expect(events).toHaveLength(1 + 4 * ((run?.version ?? 0) - 1));
      expect(await other.artifact(run_id, 'version')).toBe(String(run?.version));
    });
  });

  describe('deliveries', () => {
    const delivery = { delivery_id: 'd-1', event: 'check_run.completed', command: { kind: 'settle', ids: [1, null] } };

    it('are new once, whoever asks', async () => {
      const answers = await Promise.all([1, 2, 3, 4].map((n) => (n % 2 ? store : other).acceptDelivery(delivery)));
      expect(answers.filter((answer) => answer === 'new')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'known')).toHaveLength(3);
    });

    it('come back as they were', async () => {
      expect(await other.findDelivery('d-1')).toEqual(delivery);
      expect(await other.findDelivery('d-none')).toBeNull();
    });

    it('stay known, and are no longer unfinished, once finished', async () => {
      await store.acceptDelivery({ ...delivery, delivery_id: 'd-2' });
      expect((await store.unfinishedDeliveries()).map((each) => each.delivery_id)).toEqual(['d-1', 'd-2']);
      expect(await other.isUnfinished('d-1')).toBe(true);
      await store.finishDelivery('d-1');
      await store.finishDelivery('d-1');
      expect([await other.isUnfinished('d-1'), await other.isUnfinished('d-none')]).toEqual([false, false]);
      expect((await store.unfinishedDeliveries()).map((each) => each.delivery_id)).toEqual(['d-2']);
      expect(await store.acceptDelivery(delivery)).toBe('known');
    });
  });

  describe('waits for checks', () => {
    const wait = { ...REPO, head_sha: 'b'.repeat(40), since: 2_000 };

    it('keep the earliest time', async () => {
      expect(await store.awaitChecks(wait)).toBe(2_000);
      expect(await other.awaitChecks({ ...wait, since: 3_000 })).toBe(2_000);
      expect(await store.awaitChecks({ ...wait, since: 1_000 })).toBe(1_000);
      expect(await store.findWait(wait.repo_id, wait.head_sha)).toEqual({ ...wait, since: 1_000 });
    });

    it('are gone once ended', async () => {
      await store.awaitChecks(wait);
      expect(await store.openWaits()).toHaveLength(1);
      await store.endWait(wait.repo_id, wait.head_sha);
      await store.endWait(wait.repo_id, wait.head_sha);
      expect(await store.findWait(wait.repo_id, wait.head_sha)).toBeNull();
      expect(await store.openWaits()).toEqual([]);
    });
  });

  describe('createRun', () => {
    it('stores the run at the next version, with its first events, artifacts and covered checks', async () => {
      const run = newRun();
      const change = aChange(run, { artifacts: [{ name: 'run.md', content: '# Run\n' }] });
      expect(await store.createRun(change, ['check_run:1', 'status:ci:2'])).toBe('created');
      expect(await other.findRun(run.run_id)).toEqual({ ...run, version: 1 });
      expect(await other.artifact(run.run_id, 'run.md')).toBe('# Run\n');
      expect(await other.coveredChecks(REPO.repo_id, run.head_sha)).toEqual(['check_run:1', 'status:ci:2']);
      expect(await other.events(run.run_id)).toMatchObject([
        { seq: 0, type: 'visit_started', payload: { attempt: 1 } },
      ]);
    });

    it('changes nothing when the run exists', async () => {
      const run = await createdRun();
      const again = aChange({ ...run, head_branch: 'other' });
      expect(await store.createRun(again, ['check_run:3'])).toBe('exists');
      expect(await store.findRun(run.run_id)).toEqual(run);
      expect(await store.events(run.run_id)).toHaveLength(1);
      expect(await store.coveredChecks(REPO.repo_id, run.head_sha)).toEqual([]);
    });

    it('creates once when several ask at the same time', async () => {
      const run = newRun();
      const answers = await Promise.all([store, other, store, other].map((each) => each.createRun(aChange(run), [])));
      expect(answers.filter((answer) => answer === 'created')).toHaveLength(1);
      expect(await store.events(run.run_id)).toHaveLength(1);
    });
  });

  describe('commit', () => {
    it('writes run, visits, events and artifacts together', async () => {
      const run = await createdRun();
      const next: Run = {
        ...run,
        slots: { ...run.slots, failing_tests: ['cart › total', 'ünï\u0000code'] },
        visits: [
          { visit_id: 'validate#1', place: 'validate', status: 'done' },
          { visit_id: 'run#2', place: 'run', status: 'scheduled' },
        ],
      };
      const events = [anEvent({ type: 'visit_ended' }), anEvent({ type: 'visit_scheduled', visit_id: 'run#2' })];
      const artifacts = [{ name: 'validate.md', content: 'NUL \u0000 and a lone surrogate \ud800 stay' }];
      expect(await store.commit({ run: next, events, artifacts })).toBe('committed');
      expect(await other.findRun(run.run_id)).toEqual({ ...next, version: run.version + 1 });
      expect(await other.artifact(run.run_id, 'validate.md')).toBe(artifacts[0]?.content);
      expect((await other.events(run.run_id)).map((event) => event.type)).toEqual([
        'run_created',
        'visit_ended',
        'visit_scheduled',
      ]);
    });

    it('refuses a stale version and writes nothing', async () => {
      const run = await createdRun();
      expect(await store.commit(aChange(run))).toBe('committed');
      const late = aChange({ ...run, status: 'cancelled' }, { artifacts: [{ name: 'debug.md', content: 'late' }] });
      expect(await other.commit(late)).toBe('stale');
      expect(await store.findRun(run.run_id)).toMatchObject({ status: 'running', version: run.version + 1 });
      expect(await store.events(run.run_id)).toHaveLength(2);
      expect(await store.artifactNames(run.run_id)).toEqual([]);
    });

    it('lets one of several that commit the same version through', async () => {
      const run = await createdRun();
      const answers = await Promise.all([store, other, store, other].map((each) => each.commit(aChange(run))));
      expect(answers.toSorted()).toEqual(['committed', 'stale', 'stale', 'stale']);
      expect(await store.events(run.run_id)).toHaveLength(2);
    });

    it('is an error for a run that does not exist', async () => {
      await expect(store.commit(aChange(newRun()))).rejects.toMatchObject({ code: 'STORE_FAILED', retryable: false });
    });

    it('keeps a chain that verifies over many commits from two handles', async () => {
      const { run_id } = await createdRun();
      let committed = 0;
      const commitTwenty = async (handle: Store) => {
        for (let wanted = 20; wanted > 0; ) {
          const run = await handle.findRun(run_id);
          if (!run) throw new Error('the run is gone');
          const events = [anEvent({ payload: { wanted, ratio: 0.1 + 0.2, text: '\u2028é' } }), anEvent()];
          if ((await handle.commit(aChange(run, { events }))) === 'stale') continue;
          committed += 1;
          wanted -= 1;
        }
      };
      await Promise.all([commitTwenty(store), commitTwenty(other)]);
      const events = await store.events(run_id);
      verifyLedger(events);
      expect(committed).toBe(40);
      expect(events).toHaveLength(1 + 2 * committed);
      expect(await store.findRun(run_id)).toMatchObject({ version: 1 + committed });
    });

    it('takes more events and visits than one statement can hold', async () => {
      const run = await createdRun();
      const more = Array.from(
        { length: 700 },
        (_, n): Visit => ({ visit_id: `run#${n}`, place: 'run', status: 'done' }),
      );
      const visits = [...run.visits, ...more];
      const events = Array.from({ length: 1_500 }, (_, n) => anEvent({ payload: { n } }));
      await store.commit({ run: { ...run, visits }, events, artifacts: [] });
      const ledger = await store.events(run.run_id);
      verifyLedger(ledger);
      expect(ledger).toHaveLength(1_501);
      expect((await store.findRun(run.run_id))?.visits).toEqual(visits);
    });
  });

  describe('findRuns', () => {
    it('lists newest first and filters', async () => {
      const repo = { ...REPO, repo_id: 99 };
      const old = await createdRun({ repo, created_at: 10 });
      const ended = await createdRun({ repo, created_at: 30, status: 'published', pull_request: null });
      const [first, second] = [await createdRun({ repo, created_at: 20 }), await createdRun({ repo, created_at: 20 })];
      expect(await store.findRuns({ repo_id: 99 })).toEqual([ended, second, first, old]);
      expect(await store.findRuns({ repo_id: 99, limit: 1 })).toEqual([ended]);
      expect(await store.findRuns({ repo_id: 99, status: 'running', pull_request: 12 })).toEqual([second, first, old]);
      expect(await store.findRuns({ repo_id: 99, head_sha: first.head_sha })).toEqual([first]);
      expect(await store.findRuns({ repo_id: 98 })).toEqual([]);
    });

    it('is null or empty for what does not exist', async () => {
      expect(await store.findRun('run_none')).toBeNull();
      expect(await store.events('run_none')).toEqual([]);
      expect(await store.artifact('run_none', 'debug.md')).toBeNull();
    });
  });

  describe('artifacts', () => {
    it('are replaced by a later write of the name, and listed in order', async () => {
      const run = await createdRun();
      const artifacts = ['run.md', 'evidence/ev_1', 'debug.md'].map((name) => ({ name, content: 'first' }));
      await store.commit(aChange(run, { artifacts }));
      const again = [{ name: 'debug.md', content: 'second' }];
      await store.commit(aChange({ ...run, version: run.version + 1 }, { artifacts: again }));
      expect(await store.artifact(run.run_id, 'debug.md')).toBe('second');
      expect(await store.artifactNames(run.run_id)).toEqual(['debug.md', 'evidence/ev_1', 'run.md']);
    });
  });

  describe('effects', () => {
    it('are found by their key', async () => {
      expect(await store.findEffect('comment:1')).toBeNull();
      await store.recordEffect('comment:1', { id: 5, url: 'https://example.com' });
      expect(await other.findEffect('comment:1')).toEqual({ id: 5, url: 'https://example.com' });
      await other.recordEffect('comment:1', 6);
      expect(await store.findEffect('comment:1')).toBe(6);
    });
  });

  describe('errors', () => {
    it('are STORE_FAILED with their cause', async () => {
      const closed = await open();
      await closed.migrate();
      await closed.close();
      const error = await closed.findRun('run_x').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InquestError);
      expect(error).toMatchObject({ code: 'STORE_FAILED', cause: expect.any(Error) });
    });
  });
}

async function lines(child: ChildProcess, count: number): Promise<void> {
  if (!child.stdout) throw new Error('The process has no stdout.');
  let seen = 0;
  for await (const _ of createInterface({ input: child.stdout })) {
    seen += 1;
    if (seen === count) return;
  }
  throw new Error(`The process ended after ${seen} lines.`);
}
