import { describe, expect, it } from '@jest/globals';
import { read } from './read.ts';

function annotations(...rows: readonly object[]): ReturnType<typeof read> {
  return read(JSON.stringify(rows), 'annotations.json');
}

const LEVEL = { annotation_level: 'failure' };

describe('annotations of a check run', () => {
  it('give place and message of a failure', () => {
    const result = annotations(
      {
        path: 'src/a.ts',
        start_line: 4,
        start_column: 7,
        title: 'TS2304',
        message: "error TS2304: Cannot find name 'x'.",
        ...LEVEL,
      },
      { path: 'src/b.ts', start_line: 1, annotation_level: 'warning', message: 'unused' },
    );
    expect(result.findings).toMatchObject([
      {
        kind: 'diagnostic',
        runner: 'annotations',
        failure_class: 'compile_error',
        location: { file: 'src/a.ts', line: 4, column: 7 },
      },
    ]);
  });

  it('on .github line 1 are no place: the job speaks', () => {
    const result = annotations(
      { path: '.github', start_line: 1, message: 'Process completed with exit code 1.', ...LEVEL },
      { path: '.github', start_line: 1, message: 'The operation was canceled.', ...LEVEL },
    );
    expect(result.findings).toMatchObject([
      { kind: 'job', location: null, failure_class: 'unknown' },
      { kind: 'job', location: null, sub_class: 'cancelled' },
    ]);
    expect(result.findings.every((one) => one.confidence < 0.5)).toBe(true);
  });

  it('that are cut are damage', () => {
    const whole = JSON.stringify([{ path: 'a', start_line: 1, message: 'm', ...LEVEL }]);
    expect(read(whole.slice(0, -2), 'annotations.json').damage).toHaveLength(1);
  });
});
