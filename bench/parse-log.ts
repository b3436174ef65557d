/** Writes a large Actions log as they really are: installs, compilers, passing tests, groups, colours, and a few failures far apart. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

const HARMLESS: readonly ((n: number) => string)[] = [
  (n) => `added ${n % 900} packages, and audited ${n % 1700} packages in ${n % 60}s`,
  (n) => `npm warn deprecated package-${n % 300}@${n % 9}.4.1: This version is no longer supported. Please upgrade.`,
  (n) => `PASS packages/module-${n % 400}/src/feature-${n % 37}.test.ts (${n % 30}.${n % 10} s)`,
  (n) => `    \x1b[32m✓\x1b[39m handles the case number ${n} of the table \x1b[2m(${n % 40} ms)\x1b[22m`,
  (n) => `tests/unit/test_module_${n % 211}.py::TestThing::test_case_${n} PASSED                [ ${n % 100}%]`,
  (n) => `   Compiling crate-${n % 350} v1.${n % 30}.${n % 7}`,
  (n) => `[${n % 2000}/2000] Building CXX object lib/CMakeFiles/core.dir/part_${n % 800}.cpp.o`,
  (n) => `=== RUN   TestHandler/case_${n}`,
  (n) => `    --- PASS: TestHandler/case_${n} (0.0${n % 9}s)`,
  (n) => `\x1b[36;1mdocker\x1b[0m: #${n % 40} extracting sha256:${(n * 2654435761).toString(16).padStart(16, '0')} ${n % 90}MB / 90MB`,
  (n) => `${n % 24}:${n % 60} INFO  server.http request id=${n} path=/api/items/${n % 5000} status=200 took=${n % 300}ms`,
  (n) => `[INFO] Downloaded from central: https://repo.example.org/maven2/org/example/lib-${n % 700}/1.0/lib-${n % 700}-1.0.pom`,
  (n) => `DEBUG worker-${n % 16} processed batch ${n}: 0 errors, 0 warnings, ${n % 4000} rows`,
  () => '',
];

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
  let written = 0;
  let number = 0;
  for (let block = 0; written < bytes; block += 1) {
    const lines: string[] = [];
    for (let row = 0; row < 5000; row += 1, number += 1) lines.push(HARMLESS[(number * 7919) % 9973 % HARMLESS.length]?.(number) ?? '');
    if (block % 60 === 30) lines.push(...(FAILURES[(block / 30) % FAILURES.length | 0] ?? []));
    const text = lines.map((line, row) => `${stamp(number + row)} ${line}\n`).join('');
    written += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** A timestamp of the Actions runner, with seven digits of the second. */
function stamp(number: number): string {
  const seconds = (number / 100) | 0;
  const two = (value: number) => String(value % 60).padStart(2, '0');
  const hour = String(((seconds / 3600) | 0) % 24).padStart(2, '0');
  return `2026-04-22T${hour}:${two((seconds / 60) | 0)}:${two(seconds)}.${String((number * 7919) % 10_000_000).padStart(7, '0')}Z`;
}
