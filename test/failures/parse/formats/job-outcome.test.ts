import { describe, expect, it } from '@jest/globals';
import { read } from './read.ts';

function log(...lines: readonly string[]): ReturnType<typeof read> {
  return read(lines.map((line) => `2026-01-01T00:00:00.0000000Z ${line}\n`).join(''));
}

const EXIT_1 = '##[error]Process completed with exit code 1.';

interface Sample {
  readonly what: string;
  readonly lines: readonly string[];
  readonly failure_class: string;
  readonly sub_class: string | null;
}

const SAMPLES: readonly Sample[] = [
  { what: 'nothing but an exit code', lines: ['done', EXIT_1], failure_class: 'unknown', sub_class: null },
  {
    what: 'a time-out',
    lines: ["##[error]The action 'Test' has timed out after 30 minutes."],
    failure_class: 'unknown',
    sub_class: 'timeout',
  },
  {
    what: 'a cancelled job',
    lines: ['##[error]The operation was canceled.'],
    failure_class: 'unknown',
    sub_class: 'cancelled',
  },
  {
    what: 'a lost runner',
    lines: ['##[error]The runner has received a shutdown signal. This can happen when the runner service is stopped.'],
    failure_class: 'unknown',
    sub_class: 'lost_runner',
  },
  {
    what: 'a full disk',
    lines: ['cp: error writing x: No space left on device', EXIT_1],
    failure_class: 'unknown',
    sub_class: 'disk_full',
  },
  {
    what: 'memory',
    lines: [
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
      '##[error]Process completed with exit code 134.',
    ],
    failure_class: 'runtime_error',
    sub_class: 'out_of_memory',
  },
  { what: 'a killed process', lines: ['make: *** [test] Killed'], failure_class: 'runtime_error', sub_class: 'killed' },
  {
    what: 'exit code 137',
    lines: ['##[error]Process completed with exit code 137.'],
    failure_class: 'runtime_error',
    sub_class: 'killed',
  },
  {
    what: 'the network',
    lines: ['curl: (6) Could not resolve host: registry.example', EXIT_1],
    failure_class: 'unknown',
    sub_class: 'network',
  },
  {
    what: 'a missing command',
    lines: [
      '/home/runner/work/_temp/a.sh: line 1: pnpm: command not found',
      '##[error]Process completed with exit code 127.',
    ],
    failure_class: 'tool_contract_error',
    sub_class: 'missing_tool',
  },
  {
    what: 'a missing image',
    lines: [
      'Error response from daemon: manifest for x:9 not found: manifest unknown',
      '##[error]Docker pull failed with exit code 1',
    ],
    failure_class: 'tool_contract_error',
    sub_class: null,
  },
  {
    what: 'a missing artifact',
    lines: ['##[error]Unable to download artifact(s): Artifact not found for name: dist'],
    failure_class: 'tool_contract_error',
    sub_class: null,
  },
  {
    what: 'a missing script',
    lines: ['npm error Missing script: "tset"', EXIT_1],
    failure_class: 'tool_contract_error',
    sub_class: 'setup_failed',
  },
  {
    what: 'a policy gate',
    lines: ['##[error]Please add a changelog entry.', 'Post job cleanup.'],
    failure_class: 'unknown',
    sub_class: 'policy_gate',
  },
];

describe('what the job says', () => {
  it.each(SAMPLES)('$what', ({ lines, failure_class, sub_class }) => {
    const { findings } = log(...lines);
    expect(findings).toMatchObject([{ kind: 'job', runner: 'job-outcome', failure_class, sub_class }]);
    expect(findings[0]?.confidence).toBeLessThan(0.5);
  });

  it('is not what the script of a step contains', () => {
    const { findings } = log(
      '##[group]Run df || echo "No space left on device"',
      'df || echo "No space left on device"',
      '##[endgroup]',
      EXIT_1,
    );
    expect(findings).toMatchObject([{ sub_class: null }]);
  });

  it('is nothing when no step failed', () => {
    expect(log('retrying: ECONNRESET', 'sh: 1: foo: not found', 'ok').findings).toEqual([]);
  });
});
