/** The store over either database: every method is one statement or one transaction. */
import type { Insertable, Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { InquestError } from '../../errors.ts';
import type { Run } from '../../pipeline/run.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ChecksWait, Delivery, RunChange, RunFilter, Store } from '../../ports/store.ts';
import type { Json, LedgerEvent } from '../../record/event.ts';
import { appendEvents } from '../../record/ledger.ts';
import { CompiledQueries } from './compiled-queries.ts';
import { migrateToLatest } from './migrations.ts';
import { eventFromRow, eventToRow, jsonSchema, runFromRow, runToRow, visitsToRows } from './run-rows.ts';
import type { Tables } from './schema.ts';
import type { SqlDatabase } from './sql-database.ts';

type RunRow = Selectable<Tables['runs']>;
type VisitRow = Selectable<Tables['visits']>;

/** Rows in one insert and names in one `in`: both databases limit the number of parameters. */
const ROWS_AT_ONCE = 500;

export class SqlStore implements Store {
  readonly #database: SqlDatabase;
  readonly #db: Kysely<Tables>;
  readonly #clock: Clock;
  readonly #queries = new CompiledQueries();

  constructor(database: SqlDatabase, clock: Clock) {
    this.#database = database;
    this.#db = database.kysely;
    this.#clock = clock;
  }

  migrate(): Promise<void> {
    return this.#guard('bring the schema up to date', () => migrateToLatest(this.#db));
  }

  close(): Promise<void> {
    return this.#guard('close', () => this.#db.destroy());
  }

  acceptDelivery({ delivery_id, event, command }: Delivery): Promise<'new' | 'known'> {
    return this.#guard(`accept delivery ${delivery_id}`, async () => {
      const row = { delivery_id, event, command_json: JSON.stringify(command), accepted_at: this.#clock.now() };
      const insert = this.#queries.with('accept', Object.values(row), () =>
        this.#db
          .insertInto('deliveries')
          .values(row)
          .onConflict((conflict) => conflict.doNothing()),
      );
      const inserted = await this.#database.transact((trx) => trx.executeQuery(insert));
      return inserted.numAffectedRows === 1n ? 'new' : 'known';
    });
  }

  findDelivery(deliveryId: string): Promise<Delivery | null> {
    return this.#guard(`read delivery ${deliveryId}`, async () => {
      const row = await this.#db
        .selectFrom('deliveries')
        .select(['delivery_id', 'event', 'command_json'])
        .where('delivery_id', '=', deliveryId)
        .executeTakeFirst();
      return row ? deliveryFromRow(row) : null;
    });
  }

  finishDelivery(deliveryId: string): Promise<void> {
    return this.#guard(`finish delivery ${deliveryId}`, async () => {
      await this.#db
        .updateTable('deliveries')
        .set({ finished_at: this.#clock.now() })
        .where('delivery_id', '=', deliveryId)
        .where('finished_at', 'is', null)
        .execute();
    });
  }

  isUnfinished(deliveryId: string): Promise<boolean> {
    return this.#guard(`read delivery ${deliveryId}`, async () => {
      const row = await this.#db
        .selectFrom('deliveries')
        .select('delivery_id')
        .where('delivery_id', '=', deliveryId)
        .where('finished_at', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  unfinishedDeliveries(): Promise<readonly Delivery[]> {
    return this.#guard('read the unfinished deliveries', async () => {
      const rows = await this.#db
        .selectFrom('deliveries')
        .select(['delivery_id', 'event', 'command_json'])
        .where('finished_at', 'is', null)
        .orderBy('accepted_at')
        .orderBy('delivery_id')
        .execute();
      return rows.map(deliveryFromRow);
    });
  }

  awaitChecks(wait: ChecksWait): Promise<number> {
    return this.#guard(`wait for the checks of ${wait.head_sha}`, async () => {
      const row = await this.#db
        .insertInto('waits')
        .values({ ...wait })
        .onConflict((conflict) =>
          conflict.columns(['repo_id', 'head_sha']).doUpdateSet((eb) => ({
            since: eb
              .case()
              .when('waits.since', '<', eb.ref('excluded.since'))
              .then(eb.ref('waits.since'))
              .else(eb.ref('excluded.since'))
              .end(),
          })),
        )
        .returning('since')
        .executeTakeFirstOrThrow();
      return row.since;
    });
  }

  findWait(repoId: number, headSha: string): Promise<ChecksWait | null> {
    return this.#guard(`read the wait for ${headSha}`, async () => {
      const row = await this.#db
        .selectFrom('waits')
        .selectAll()
        .where('repo_id', '=', repoId)
        .where('head_sha', '=', headSha)
        .executeTakeFirst();
      return row ?? null;
    });
  }

  endWait(repoId: number, headSha: string): Promise<void> {
    return this.#guard(`end the wait for ${headSha}`, async () => {
      await this.#db.deleteFrom('waits').where('repo_id', '=', repoId).where('head_sha', '=', headSha).execute();
    });
  }

  openWaits(): Promise<readonly ChecksWait[]> {
    return this.#guard('read the open waits', () =>
      this.#db.selectFrom('waits').selectAll().orderBy('since').orderBy('repo_id').orderBy('head_sha').execute(),
    );
  }

  createRun(change: RunChange, covers: readonly string[]): Promise<'created' | 'exists'> {
    const { run } = change;
    return this.#guard(`create run ${run.run_id}`, () =>
      this.#database.transact(async (trx) => {
        const inserted = await trx
          .insertInto('runs')
          .values(runToRow(run, run.version + 1))
          .onConflict((conflict) => conflict.column('run_id').doNothing())
          .executeTakeFirst();
        if (inserted.numInsertedOrUpdatedRows === 0n) return 'exists';
        await this.#writeParts(trx, change);
        for (const keys of chunks(covers)) {
          const rows = keys.map((check_key) => ({
            repo_id: run.repo.repo_id,
            head_sha: run.head_sha,
            check_key,
            run_id: run.run_id,
          }));
          await trx
            .insertInto('covered_checks')
            .values(rows)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
        return 'created';
      }),
    );
  }

  coveredChecks(repoId: number, headSha: string): Promise<readonly string[]> {
    return this.#guard(`read the covered checks of ${headSha}`, async () => {
      const rows = await this.#db
        .selectFrom('covered_checks')
        .select('check_key')
        .where('repo_id', '=', repoId)
        .where('head_sha', '=', headSha)
        .orderBy('check_key')
        .execute();
      return rows.map((row) => row.check_key);
    });
  }

  findRun(runId: string): Promise<Run | null> {
    return this.#guard(`read run ${runId}`, async () => {
      const { rows } = await this.#db.executeQuery(
        this.#queries.with('one run', [runId], () =>
          this.#db.selectFrom('runs').selectAll().where('run_id', '=', runId),
        ),
      );
      const [run] = await this.#withVisits(rows);
      return run ?? null;
    });
  }

  findRuns(filter: RunFilter): Promise<readonly Run[]> {
    return this.#guard('read runs', async () => {
      let query = this.#db.selectFrom('runs').selectAll().orderBy('created_at', 'desc').orderBy('run_id', 'desc');
      const { limit, has_scheduled_visit, ...equal } = filter;
      for (const column of ['repo_id', 'head_sha', 'pull_request', 'status'] as const) {
        const value = equal[column];
        if (value !== undefined) query = query.where(column, '=', value);
      }
      if (has_scheduled_visit) {
        const open = this.#db.selectFrom('visits').select('run_id').where('status', '=', 'scheduled');
        query = query.where('run_id', 'in', open);
      }
      if (limit !== undefined) query = query.limit(limit);
      return this.#withVisits(await query.execute());
    });
  }

  commit(change: RunChange): Promise<'committed' | 'stale'> {
    const { run_id, version } = change.run;
    return this.#guard(`commit run ${run_id}`, () =>
      this.#database.transact(async (trx) => {
        const columns = changingColumns(change.run);
        const updated = await trx.executeQuery(
          this.#queries.with('update run', [...Object.values(columns), run_id, version], () =>
            trx.updateTable('runs').set(columns).where('run_id', '=', run_id).where('version', '=', version),
          ),
        );
        if (updated.numAffectedRows === 0n) return staleOrMissing(trx, run_id);
        await this.#writeParts(trx, change);
        return 'committed';
      }),
    );
  }

  events(runId: string): Promise<readonly LedgerEvent[]> {
    return this.#guard(`read the ledger of run ${runId}`, async () => {
      const rows = await this.#db.selectFrom('events').selectAll().where('run_id', '=', runId).orderBy('seq').execute();
      return rows.map(eventFromRow);
    });
  }

  artifact(runId: string, name: string): Promise<string | null> {
    return this.#guard(`read ${name} of run ${runId}`, async () => {
      const row = await this.#db
        .selectFrom('artifacts')
        .select('content_json')
        .where('run_id', '=', runId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row ? z.string().parse(JSON.parse(row.content_json)) : null;
    });
  }

  artifactNames(runId: string): Promise<readonly string[]> {
    return this.#guard(`list the artifacts of run ${runId}`, async () => {
      const rows = await this.#db.selectFrom('artifacts').select('name').where('run_id', '=', runId).execute();
      return rows.map((row) => row.name).sort();
    });
  }

  findEffect(key: string): Promise<Json | null> {
    return this.#guard(`read effect ${key}`, async () => {
      const row = await this.#db.selectFrom('effects').select('result_json').where('key', '=', key).executeTakeFirst();
      return row ? jsonSchema.parse(JSON.parse(row.result_json)) : null;
    });
  }

  recordEffect(key: string, result: Json): Promise<void> {
    return this.#guard(`record effect ${key}`, async () => {
      const row = { result_json: JSON.stringify(result), recorded_at: this.#clock.now() };
      await this.#db
        .insertInto('effects')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute();
    });
  }

  /** Visits, events and artifacts of a change whose run row is already locked by the transaction. */
  async #writeParts(trx: Kysely<Tables>, { run, events, artifacts }: RunChange): Promise<void> {
    for (const visits of chunks(visitsToRows(run))) {
      await trx.executeQuery(
        this.#queries.with(`${visits.length} visits`, visits.flatMap(Object.values), () => upsertVisits(trx, visits)),
      );
    }
    if (events.length > 0) await this.#appendToLedger(trx, run.run_id, events);
    for (const { name, content } of artifacts) {
      const row = { content_json: JSON.stringify(content), written_at: this.#clock.now() };
      await trx
        .insertInto('artifacts')
        .values({ run_id: run.run_id, name, ...row })
        .onConflict((conflict) => conflict.columns(['run_id', 'name']).doUpdateSet(row))
        .execute();
    }
  }

  async #appendToLedger(trx: Kysely<Tables>, runId: string, events: RunChange['events']): Promise<void> {
    const { rows } = await trx.executeQuery(
      this.#queries.with('last event', [runId, 1], () =>
        trx.selectFrom('events').select(['seq', 'hash']).where('run_id', '=', runId).orderBy('seq', 'desc').limit(1),
      ),
    );
    const appended = appendEvents(runId, rows[0] ?? null, events, this.#clock.now());
    for (const rows of chunks(appended.map(eventToRow))) {
      await trx.executeQuery(
        this.#queries.with(`${rows.length} events`, rows.flatMap(Object.values), () =>
          trx.insertInto('events').values(rows),
        ),
      );
    }
  }

  async #withVisits(rows: readonly RunRow[]): Promise<Run[]> {
    const visits = new Map<string, VisitRow[]>(rows.map((row) => [row.run_id, []]));
    for (const runIds of chunks([...visits.keys()])) {
      const { rows: found } = await this.#db.executeQuery(
        this.#queries.with(`visits of ${runIds.length} runs`, runIds, () =>
          this.#db.selectFrom('visits').selectAll().where('run_id', 'in', runIds).orderBy('run_id').orderBy('position'),
        ),
      );
      for (const visit of found) visits.get(visit.run_id)?.push(visit);
    }
    return rows.map((row) => runFromRow(row, visits.get(row.run_id) ?? []));
  }

  /** Every error leaves as an `InquestError` that says what was tried, and where. */
  async #guard<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof InquestError) throw cause;
      throw new InquestError('STORE_FAILED', `The store (${this.#database.label}) could not ${what}.`, {
        cause,
        retryable: this.#database.isPassing(cause),
        hint: 'See the cause. A busy or unreachable database is tried again.',
      });
    }
  }
}

/** What a run is about never changes; neither do the columns for it, nor their indexes. */
function changingColumns(run: Run) {
  const { head_branch, pull_request, issue, slots_json, status, flow_revision, version } = runToRow(
    run,
    run.version + 1,
  );
  return { head_branch, pull_request, issue, slots_json, status, flow_revision, version };
}

function upsertVisits(trx: Kysely<Tables>, visits: readonly Insertable<Tables['visits']>[]) {
  return trx
    .insertInto('visits')
    .values(visits)
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'visit_id']).doUpdateSet((eb) => ({
        position: eb.ref('excluded.position'),
        place: eb.ref('excluded.place'),
        status: eb.ref('excluded.status'),
      })),
    );
}

async function staleOrMissing(trx: Kysely<Tables>, runId: string): Promise<'stale'> {
  const found = await trx.selectFrom('runs').select('version').where('run_id', '=', runId).executeTakeFirst();
  if (found) return 'stale';
  throw new InquestError('STORE_FAILED', `Run ${runId} cannot be committed: it was never created.`);
}

function deliveryFromRow(row: { delivery_id: string; event: string; command_json: string }): Delivery {
  const { command_json, ...rest } = row;
  return { ...rest, command: jsonSchema.parse(JSON.parse(command_json)) };
}

function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += ROWS_AT_ONCE) yield items.slice(start, start + ROWS_AT_ONCE);
}
