/** Measures the parser on a 200 MB Actions log against `grep -cE` of the failing-line patterns on the same file. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { type Figure, median } from './measure.ts';
import { writeActionsLog } from './parse-log.ts';

const LOG_BYTES = 200 * 1024 * 1024;
const ROUNDS = 3;
const GOAL = 3;
const GOAL_MB = 200;
/** What someone who knows the runners would grep for. */
const FAILING_LINE =
  '^[^ ]+ *(FAIL|FAILED|ERROR|--- FAIL:|not ok|✖|●|##\\[error\\]|E  )|error(\\[E[0-9]+\\]| TS[0-9]+)?:|panic:|Traceback|[0-9]+ (failing|failed)|AssertionError';

/** Runs both in turn, takes the median of each. The parser runs in a child process of its own, started as users start it. */
export async function benchParse(): Promise<readonly Figure[]> {
  const log = join(tmpdir(), `inquest-bench-${process.pid}.log`);
  const grep: number[] = [];
  const parser: ParserRun[] = [];
  try {
    await writeActionsLog(log, LOG_BYTES);
    for (let round = 0; round < ROUNDS; round += 1) {
      grep.push(await grepSeconds(log));
      parser.push(await parserRun(log));
    }
  } finally {
    await rm(log, { force: true });
  }
  const [ours, theirs] = [median(parser.map((run) => run.seconds)), median(grep)];
  const ratio = ours / theirs;
  const peak = Math.max(...parser.map((run) => run.peak_rss_mb));
  const detail = `${ours.toFixed(2)} s against ${theirs.toFixed(2)} s of grep, ${ROUNDS} rounds`;
  return [
    { name: 'parse a 200 MB log', value: ratio, unit: '× grep -cE', goal: '≤ 3', reached: ratio <= GOAL, detail },
    {
      name: 'parse a 200 MB log, peak memory',
      value: peak,
      unit: 'MB',
      goal: `< ${GOAL_MB}`,
      reached: peak < GOAL_MB,
      detail: 'resident set of the whole process; the greatest of the rounds',
    },
  ];
}

interface ParserRun {
  readonly seconds: number;
  readonly peak_rss_mb: number;
}

async function grepSeconds(log: string): Promise<number> {
  const started = process.hrtime.bigint();
  await execa('grep', ['-cE', FAILING_LINE, log]);
  return Number(process.hrtime.bigint() - started) / 1e9;
}

async function parserRun(log: string): Promise<ParserRun> {
  const child = fileURLToPath(new URL('./parse-child.ts', import.meta.url));
  const { stdout } = await execa(process.execPath, ['--import', 'tsx', child, log]);
  return JSON.parse(stdout) as ParserRun;
}
