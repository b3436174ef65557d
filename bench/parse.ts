/** Measures the parser on a 200 MB Actions log against `grep -cE` of the failing-line patterns on the same file. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { writeActionsLog } from './parse-log.ts';

const LOG_BYTES = 200 * 1024 * 1024;
const ROUNDS = 3;
/** What someone who knows the runners would grep for. */
const FAILING_LINE =
  '^[^ ]+ *(FAIL|FAILED|ERROR|--- FAIL:|not ok|✖|●|##\\[error\\]|E  )|error(\\[E[0-9]+\\]| TS[0-9]+)?:|panic:|Traceback|[0-9]+ (failing|failed)|AssertionError';

export interface ParseBench {
  readonly name: string;
  readonly inquest_s: number;
  readonly grep_s: number;
  /** inquest_s / grep_s; the goal is an upper bound. */
  readonly ratio: number;
  readonly peak_rss_mb: number;
  readonly goal: number;
}

/** Runs both in turn, takes the median of each. The parser runs in a child process of its own, started as users start it. */
export async function benchParse(): Promise<ParseBench> {
  const log = join(tmpdir(), `inquest-bench-${process.pid}.log`);
  const grep: number[] = [];
  const parser: { seconds: number; peak_rss_mb: number }[] = [];
  try {
    await writeActionsLog(log, LOG_BYTES);
    for (let round = 0; round < ROUNDS; round += 1) {
      grep.push(await grepSeconds(log));
      parser.push(await parserRun(log));
    }
  } finally {
    await rm(log, { force: true });
  }
  const inquest = median(parser.map((run) => run.seconds));
  return {
    name: 'parse a 200 MB Actions log / grep -cE',
    inquest_s: inquest,
    grep_s: median(grep),
    ratio: inquest / median(grep),
    peak_rss_mb: Math.max(...parser.map((run) => run.peak_rss_mb)),
    goal: 3,
  };
}

async function grepSeconds(log: string): Promise<number> {
  const started = process.hrtime.bigint();
  await execa('grep', ['-cE', FAILING_LINE, log]);
  return Number(process.hrtime.bigint() - started) / 1e9;
}

async function parserRun(log: string): Promise<{ seconds: number; peak_rss_mb: number }> {
  const child = fileURLToPath(new URL('./parse-child.ts', import.meta.url));
  const { stdout } = await execa(process.execPath, ['--import', 'tsx', child, log]);
  return JSON.parse(stdout) as { seconds: number; peak_rss_mb: number };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
