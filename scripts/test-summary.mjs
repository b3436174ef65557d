// Prints one line from jest's JSON summary: "N passed, N failed". Ends with 1 when anything failed or no test ran.
import { readFileSync } from 'node:fs';

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

const summary = read(process.argv[2]);
const passed = summary?.numPassedTests ?? 0;
// A suite that does not even load has no tests to count, and counts as one failure.
const broken = summary === null ? 1 : summary.numRuntimeErrorTestSuites;
const failed = (summary?.numFailedTests ?? 0) + broken;
const skipped = summary?.numPendingTests ?? 0;

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
