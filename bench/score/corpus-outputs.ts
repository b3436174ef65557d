/** Scores a folder of CI outputs whose truth is in `INDEX.tsv`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packetsOf } from '../../src/failures/normalise.ts';
import { parseBytes } from '../../src/failures/parse/parse.ts';
import { leadingPacket } from './lead.ts';

/** What the samples are judged on. `null`: the sample does not say. */
export const ASPECTS = ['count', 'first_test', 'file', 'line', 'class', 'expected', 'actual'] as const;
export type Aspect = (typeof ASPECTS)[number];

export interface OutputScore {
  readonly file: string;
  readonly runner: string;
  readonly right: Readonly<Record<Aspect, boolean | null>>;
  /** For each wrong aspect: what was wanted and what came. */
  readonly wrong: readonly string[];
}

type Row = Readonly<Record<string, string>>;

/** One score for each row of `INDEX.tsv`, in its order. */
export async function scoreOutputs(folder: string): Promise<OutputScore[]> {
  const rows = readIndex(await readFile(join(folder, 'INDEX.tsv'), 'utf8'));
  const scores: OutputScore[] = [];
  for (const row of rows) scores.push(await scoreRow(folder, row));
  return scores;
}

function readIndex(text: string): Row[] {
  const [head = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t').map(unescaped);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '-']));
  });
}

/** `\n` and `\\` are the only escapes of the index. */
function unescaped(cell: string): string {
  return cell.replace(/\\([n\\])/g, (_, sign: string) => (sign === 'n' ? '\n' : '\\'));
}

async function scoreRow(folder: string, row: Row): Promise<OutputScore> {
  const name = row.file ?? '';
  const result = parseBytes(name, await readFile(join(folder, name)));
  const packets = packetsOf(name, result);
  const tests = result.findings.filter((finding) => finding.kind === 'test');
  const lead = leadingPacket(packets);
  const wrong: string[] = [];
  const judge = (aspect: Aspect, wanted: string | undefined, got: string | null, fits: boolean) => {
    if (wanted === undefined || wanted === '-') return null;
    if (!fits) wrong.push(`${aspect}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
    return fits;
  };
  if (row.tags?.includes('passing')) {
    const right = packets.length === 0;
    if (!right) wrong.push(`count: wanted no packet, got ${packets.length}`);
    return { file: name, runner: row.runner ?? '', right: { ...nothingSaid(), count: right }, wrong };
  }
  const places = [[row.primary_file, row.primary_line], splitPlace(row.alt_location)];
  const hit = places.find(([file]) => file !== undefined && file !== '-' && isSuffix(lead?.primary_file ?? null, file));
  const line = lead?.primary_line === null || lead === undefined ? null : String(lead.primary_line);
  const right = {
    count: judge('count', row.failing_tests, String(tests.length), String(tests.length) === row.failing_tests),
    first_test: judge(
      'first_test',
      row.first_failing_test,
      tests[0]?.test ?? null,
      sameText(row.first_failing_test, tests[0]?.test ?? null),
    ),
    file: judge('file', row.primary_file, lead?.primary_file ?? null, hit !== undefined),
    line: judge(
      'line',
      row.primary_line,
      line,
      hit !== undefined && places.some(([file, at]) => file === hit[0] && (at === line || at === '-')),
    ),
    class: judge(
      'class',
      row.failure_class,
      lead?.failure_class ?? null,
      [row.failure_class, row.alt_class].includes(lead?.failure_class),
    ),
    expected: judge('expected', row.expected, lead?.expected ?? null, sameText(row.expected, lead?.expected ?? null)),
    actual: judge('actual', row.actual, lead?.actual ?? null, sameText(row.actual, lead?.actual ?? null)),
  };
  return { file: name, runner: row.runner ?? '', right, wrong };
}

function nothingSaid(): Record<Aspect, boolean | null> {
  return { count: null, first_test: null, file: null, line: null, class: null, expected: null, actual: null };
}

function splitPlace(place: string | undefined): readonly [string | undefined, string | undefined] {
  const found = /^(.*):(\d+)$/.exec(place ?? '-');
  return found === null ? [place, '-'] : [found[1], found[2]];
}

/** Whole components, either way round: the log may show more or less of the path than the truth. */
function isSuffix(got: string | null, wanted: string): boolean {
  if (got === null) return false;
  return `/${got}`.endsWith(`/${wanted.replace(/^\/+/, '')}`);
}

/** Equal up to white space and one pair of quotes. */
function sameText(wanted: string | undefined, got: string | null): boolean {
  return got !== null && wanted !== undefined && plain(wanted) === plain(got);
}

function plain(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  return /^(['"`])(.*)\1$/.exec(folded)?.[2] ?? folded;
}
