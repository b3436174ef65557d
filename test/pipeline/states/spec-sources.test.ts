import { describe, expect, it } from '@jest/globals';
import { issueSources, specChanges } from '../../../src/pipeline/states/spec-sources.ts';

const issue = (number: number, author_may_write: boolean, body = 'It must be so.') => ({
  number,
  title: 'A rule',
  body,
  state: 'open' as const,
  author_may_write,
});

describe('An issue says what the code must do', () => {
  it('when its author may write', () => {
    expect(issueSources([issue(3, true)])).toEqual({
      sources: [{ name: 'issue #3', text: '# A rule\n\nIt must be so.' }],
      notes: [],
    });
  });

  it('and is left out otherwise, with a note', () => {
    expect(issueSources([issue(4, false), issue(3, true)])).toEqual({
      sources: [expect.objectContaining({ name: 'issue #3' })],
      notes: ['Issue #4 was not written by somebody with write access; its clauses are not used.'],
    });
  });
});

describe('What a pull request does to the spec is noted', () => {
  const globs = ['SPEC.md', 'docs/spec/**'];

  it.each([
    ['nothing', ['src/a.js'], []],
    ['a file that is changed', ['SPEC.md'], ['This pull request changes the spec itself: SPEC.md.']],
    ['a file that is gone', ['docs/spec/a.md'], ['This pull request takes spec files away: docs/spec/a.md.']],
    [
      'a file that moved to another name',
      ['docs/spec/a.md', 'SPEC.md'],
      [
        'This pull request changes the spec itself: SPEC.md.',
        'This pull request takes spec files away: docs/spec/a.md.',
      ],
    ],
  ])('%s', (_what, changed, notes) => expect(specChanges(changed, globs, ['SPEC.md'])).toEqual(notes));

  it('though no spec file is left', () => {
    expect(specChanges(['SPEC.md'], globs, [])).toEqual(['This pull request takes spec files away: SPEC.md.']);
  });
});
