import { describe, expect, it } from '@jest/globals';
import { matchesAny } from '../../src/config/glob.ts';

describe('a glob', () => {
  it.each([
    ['test/**', 'test/a/b.ts', true],
    ['test/**', 'test', true],
    ['test/', 'test/a', true],
    ['./a.md', 'a.md', true],
    ['**/*.test.*', 'a.test.ts', true],
    ['**/*.test.*', 'x/y/a.test.ts', true],
    ['**/*.test.*', 'x/test.ts', false],
    ['*.md', 'docs/a.md', false],
    ['docs/**/*.md', 'docs/a.md', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['**', 'any/thing', true],
    ['a[b]', 'a[b]', true],
  ])('%s on %s: %s', (glob, path, expected) => {
    expect(matchesAny(path, [glob])).toBe(expected);
  });

  it('takes no exponential time', () => {
    expect(matchesAny('a'.repeat(500), [`${'*a'.repeat(200)}b`])).toBe(false);
    expect(matchesAny('a/'.repeat(250), [`${'**/a/'.repeat(100)}b`])).toBe(false);
  });
});
