/** Two runs of one failure have the same normalised message. */
import { describe, expect, it } from '@jest/globals';
import { normalisedMessage } from '../../src/failures/mask.ts';

describe('a message', () => {
  it.each([
    ['id 123e4567-e89b-12d3-a456-426614174000 gone', 'id <uuid> gone'],
    ['at 2026-04-22T16:24:46.8301311Z it broke', 'at <time> it broke'],
    ['segfault at 0x7ffd1234abcd', 'segfault at <address>'],
    ["open '/tmp/jest-4f2/x.json' failed", "open '<tmp>' failed"],
    ['/private/var/folders/zz/T/a.txt', '<tmp>'],
    ['connect ECONNREFUSED 127.0.0.1:34567', 'connect ECONNREFUSED 127.0.0.1:<port>'],
    ['process 4711 exited', 'process <id> exited'],
    ['timed out after 5000 ms', 'timed out after <duration>'],
    ['expected 3\n   to be  4', 'expected 3 to be 4'],
  ])('%s', (message, wanted) => {
    expect(normalisedMessage(message)).toBe(wanted);
  });

  it('keeps values that are no noise', () => {
    expect(normalisedMessage('expected 12 to equal 5432')).toBe('expected 12 to equal 5432');
  });
});
