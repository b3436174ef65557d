/** Writes a large Actions log as they really are: installs, compilers, passing tests, groups, colours, and a few failures far apart. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** One tool's output: its lines, and what it says when it is through. */
interface Section {
  readonly line: (n: number) => string;
  readonly ends: (n: number) => string;
}

const DONE = () => '';

const HARMLESS: readonly Section[] = [
  {
    line: (n) =>
      `npm warn deprecated package-${n % 300}@${n % 9}.4.1: This version is no longer supported. Please upgrade.`,
    ends: (n) => `added ${n % 900} packages in 31s`,
  },
  {
    line: (n) => `PASS packages/module-${n % 400}/src/feature-${n % 37}.test.ts (${n % 30}.${n % 10} s)`,
    ends: (n) => `Tests:       ${n} passed, ${n} total`,
  },
  {
    line: (n) => `    \x1b[32m✓\x1b[39m handles the case number ${n} of the table \x1b[2m(${n % 40} ms)\x1b[22m`,
    ends: DONE,
  },
  {
    line: (n) => `tests/unit/test_module_${n % 211}.py::TestThing::test_case_${n} PASSED                [ ${n % 100}%]`,
    ends: (n) => `====== ${n} passed in 12.31s ======`,
  },
  {
    line: (n) => `   Compiling crate-${n % 350} v1.${n % 30}.${n % 7}`,
    ends: () => '    Finished `dev` profile [unoptimized + debuginfo] target(s) in 41.2s',
  },
  { line: (n) => `[${n % 2000}/2000] Building CXX object lib/CMakeFiles/core.dir/part_${n % 800}.cpp.o`, ends: DONE },
  {
    line: (n) =>
      n % 2 === 0 ? `=== RUN   TestHandler/case_${n}` : `    --- PASS: TestHandler/case_${n - 1} (0.0${n % 9}s)`,
    ends: (n) => `ok  \texample.org/handler/${n % 50}\t0.412s`,
  },
  {
    line: (n) =>
      `\x1b[36;1mdocker\x1b[0m: #${n % 40} extracting sha256:${(n * 2654435761).toString(16).padStart(16, '0')} ${n % 90}MB / 90MB`,
    ends: DONE,
  },
  {
    line: (n) =>
      `${n % 24}:${n % 60} INFO  server.http request id=${n} path=/api/items/${n % 5000} status=200 took=${n % 300}ms`,
    ends: DONE,
  },
  {
    line: (n) =>
      `[INFO] Downloaded from central: https://repo.example.org/maven2/org/example/lib-${n % 700}/1.0/lib-${n % 700}-1.0.pom`,
    ends: () => '[INFO] BUILD SUCCESS',
  },
  {
    line: (n) => `DEBUG worker-${n % 16} processed batch ${n}: 0 retries, ${n % 4000} rows written to the warehouse`,
    ends: DONE,
  },
  { line: (n) => `##[group]Step ${n}`, ends: () => '##[endgroup]' },
];

/** Lines of a section; groups are short. */
const SECTION_LINES = 400;

const FAILURES: readonly (readonly string[])[] = [
  [
    'FAIL packages/cart/src/total.test.ts',
    '  ● cart total › adds the tax',
    '',
    '    expect(received).toBe(expected) // Object.is equality',
    '',
    '    Expected: 119',
    '    Received: 100',
    '',
    '      at Object.<anonymous> (packages/cart/src/total.test.ts:14:27)',
    '',
    'PASS packages/cart/src/other.test.ts',
  ],
  ["src/index.ts(12,7): error TS2322: Type 'string' is not assignable to type 'number'."],
  ['--- FAIL: TestParse (0.00s)', '    parse_test.go:31: got 3, want 4', 'FAIL', 'FAIL\texample.org/parse\t0.011s'],
  ['##[error]Process completed with exit code 1.'],
];

/** Writes about `bytes` bytes to `path`. The same text each time. */
export async function writeActionsLog(path: string, bytes: number): Promise<void> {
  const file = createWriteStream(path);
  const failureEvery = Math.ceil(bytes / (FAILURES.length * 2));
  let written = 0;
  let failed = 0;
  for (let section = 0; written < bytes; section += 1) {
    const lines = harmless(section);
    if (written > failureEvery * (failed + 0.5)) lines.push(...(FAILURES[failed++ % FAILURES.length] ?? []));
    const text = lines.map((line, row) => `${stamp(section * SECTION_LINES + row)} ${line}\n`).join('');
    written += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

function harmless(section: number): string[] {
  const { line, ends } = HARMLESS[section % HARMLESS.length] as Section;
  const first = section * SECTION_LINES;
  const count = line(0).startsWith('##[group]') ? 1 : SECTION_LINES;
  return [...Array.from({ length: count }, (_, row) => line(first + row)), ends(section)];
}

/** A timestamp of the Actions runner, with seven digits of the second. */
function stamp(number: number): string {
  const seconds = (number / 100) | 0;
  const two = (value: number) => String(value % 60).padStart(2, '0');
  const hour = String(((seconds / 3600) | 0) % 24).padStart(2, '0');
  return `2026-04-22T${hour}:${two((seconds / 60) | 0)}:${two(seconds)}.${String((number * 7919) % 10_000_000).padStart(7, '0')}Z`;
}
