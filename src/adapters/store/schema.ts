/** The tables, as Kysely sees them. */

import type { ColumnType } from 'kysely';

/** Text columns named `*_json` hold JSON. Times are milliseconds since the epoch. */
export interface Tables {
  deliveries: DeliveryTable;
  waits: WaitTable;
  runs: RunTable;
  visits: VisitTable;
  covered_checks: CoveredCheckTable;
  events: EventTable;
  artifacts: ArtifactTable;
  effects: EffectTable;
}

interface DeliveryTable {
  delivery_id: string;
  event: string;
  command_json: string;
  accepted_at: number;
  finished_at: ColumnType<number | null, number | null | undefined, number | null>;
}

interface WaitTable {
  repo_id: number;
  head_sha: string;
  installation_id: number;
  owner: string;
  name: string;
  since: number;
}

interface RunTable {
  run_id: string;
  installation_id: number;
  repo_id: number;
  owner: string;
  name: string;
  head_sha: string;
  head_branch: string | null;
  pull_request: number | null;
  issue: number | null;
  generation: number;
  slots_json: string;
  status: string;
  flow_revision: string;
  created_at: number;
  version: number;
}

interface VisitTable {
  run_id: string;
  visit_id: string;
  /** Place in the run's list of visits, from 0. */
  position: number;
  place: string;
  status: string;
}

interface CoveredCheckTable {
  repo_id: number;
  head_sha: string;
  check_key: string;
  run_id: string;
}

interface EventTable {
  run_id: string;
  seq: number;
  type: string;
  visit_id: string | null;
  at: number;
  payload_json: string;
  prev_hash: string;
  hash: string;
}

interface ArtifactTable {
  run_id: string;
  name: string;
  /** A JSON string: PostgreSQL's text takes neither NUL nor lone surrogates as they are. */
  content_json: string;
  written_at: number;
}

interface EffectTable {
  key: string;
  result_json: string;
  recorded_at: number;
}
