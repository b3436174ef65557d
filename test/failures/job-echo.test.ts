import { describe, expect, it } from '@jest/globals';
import { mergePackets, packetsOf } from '../../src/failures/normalise.ts';
import { parseBytes } from '../../src/failures/parse/parse.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const log = (...lines: string[]) => packetsOf('log', parseBytes('log', bytes(lines.join('\n'))));
const annotation = packetsOf(
  'annotations',
  parseBytes(
    'annotations: test',
    bytes(
      JSON.stringify([
        {
          path: '.github',
          start_line: 1,
          end_line: 1,
          annotation_level: 'failure',
          title: '',
          message: 'Process completed with exit code 1.',
        },
      ]),
    ),
  ),
);

describe('what only says that the job failed', () => {
  it('is no failure beside the test that explains it', () => {
    const test = log('TAP version 13', 'not ok 1 - adds', '1..1', '##[error]Process completed with exit code 1.');
    const merged = mergePackets([...annotation, ...test]);
    expect(merged.map((packet) => packet.first_failing_test)).toEqual(['adds']);
  });

  it('is the failure when nothing explains it', () => {
    expect(mergePackets(annotation)).toHaveLength(1);
  });

  it('stays when the job was killed, whatever else failed', () => {
    const test = log('TAP version 13', 'not ok 1 - adds', '1..1');
    const killed = packetsOf(
      'other',
      parseBytes('other', bytes('make: *** [test] Killed\n##[error]Process completed with exit code 137.')),
    );
    expect(mergePackets([...test, ...killed]).length).toBeGreaterThan(1);
  });
});
