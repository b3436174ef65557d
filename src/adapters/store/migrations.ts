/** The schema's history. The same steps for both databases; a step that was released is never edited. */
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { InquestError } from '../../errors.ts';
import type { Tables } from './schema.ts';

/** Applied in the order of their names. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_runs': { up: createRunTables },
};

/** Brings the schema up to date. Processes that do it at the same time wait for each other. */
export async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === 'Error');
  throw new InquestError('STORE_FAILED', `The database schema cannot be brought up to date${at(failed)}.`, {
    cause: error,
    hint: 'See the cause. The database user must be allowed to create tables, and the database be no newer than this version.',
  });
}

function at(failed: { migrationName: string } | undefined): string {
  return failed ? ` (step ${failed.migrationName})` : '';
}

async function createRunTables(db: Kysely<never>): Promise<void> {
  for (const [table, columns] of Object.entries(RUN_TABLES)) {
    await sql`create table ${sql.table(table)} (${sql.raw(columns.join(', '))})`.execute(db);
  }
  for (const [index, target] of Object.entries(RUN_INDEXES)) {
    await sql`create index ${sql.ref(index)} on ${sql.raw(target)}`.execute(db);
  }
}

const RUN_TABLES = {
  deliveries: [
    'delivery_id text not null primary key',
    'event text not null',
    'command_json text not null',
    'accepted_at bigint not null',
    'finished_at bigint',
  ],
  waits: [
    'repo_id bigint not null',
    'head_sha text not null',
    'installation_id bigint not null',
    'owner text not null',
    'name text not null',
    'since bigint not null',
    'primary key (repo_id, head_sha)',
  ],
  runs: [
    'run_id text not null primary key',
    'installation_id bigint not null',
    'repo_id bigint not null',
    'owner text not null',
    'name text not null',
    'head_sha text not null',
    'head_branch text',
    'pull_request bigint',
    'issue bigint',
    'generation integer not null',
    'slots_json text not null',
    'status text not null',
    'flow_revision text not null',
    'created_at bigint not null',
    'version integer not null',
  ],
  visits: [
    'run_id text not null references runs (run_id)',
    'visit_id text not null',
    'position integer not null',
    'place text not null',
    'status text not null',
    'primary key (run_id, visit_id)',
  ],
  covered_checks: [
    'repo_id bigint not null',
    'head_sha text not null',
    'check_key text not null',
    'run_id text not null references runs (run_id)',
    'primary key (repo_id, head_sha, check_key)',
  ],
  events: [
    'run_id text not null references runs (run_id)',
    'seq integer not null',
    'type text not null',
    'visit_id text',
    'at bigint not null',
    'payload_json text not null',
    'prev_hash text not null',
    'hash text not null',
    'primary key (run_id, seq)',
  ],
  artifacts: [
    'run_id text not null references runs (run_id)',
    'name text not null',
    'content_json text not null',
    'written_at bigint not null',
    'primary key (run_id, name)',
  ],
  effects: ['key text not null primary key', 'result_json text not null', 'recorded_at bigint not null'],
} as const;

const RUN_INDEXES = {
  deliveries_unfinished: 'deliveries (accepted_at, delivery_id) where finished_at is null',
  runs_newest: 'runs (created_at, run_id)',
  runs_of_sha: 'runs (repo_id, head_sha)',
  runs_running: "runs (created_at, run_id) where status = 'running'",
} as const;
