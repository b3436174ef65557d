/** Printed paths become paths of the repository. */
import { describe, expect, it } from '@jest/globals';
import { workspacePath } from '../../src/failures/path.ts';

describe('a printed path', () => {
  it.each([
    ['/home/runner/work/shop/shop/src/a.ts', 'src/a.ts'],
    ['D:\\a\\shop\\shop\\src\\a.ts', 'src/a.ts'],
    ['/__w/shop/shop/src/a.ts', 'src/a.ts'],
    ['/Users/runner/work/shop/shop/src/a.ts', 'src/a.ts'],
    ['/builds/group/shop/src/a.ts', 'src/a.ts'],
    ['/github/workspace/src/a.ts', 'src/a.ts'],
    ['/app/src/a.ts', 'src/a.ts'],
    ['/home/travis/build/owner/shop/src/a.ts', 'src/a.ts'],
    ['file:///home/runner/work/shop/shop/src/a.ts', 'src/a.ts'],
    ['file:///D:/a/shop/shop/src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['src\\lib\\..\\a.ts', 'src/a.ts'],
    ['../../src/a.ts', 'src/a.ts'],
    ['/opt/other/src/a.ts', '/opt/other/src/a.ts'],
    ['a.ts', 'a.ts'],
  ])('%s is %s', (printed, wanted) => {
    expect(workspacePath(printed)).toBe(wanted);
  });

  it('loses the longest of the given roots', () => {
    expect(workspacePath('/srv/run/1/web/src/a.ts', { roots: ['/srv/run/1', '/srv/run/1/web/'] })).toBe('src/a.ts');
    expect(workspacePath('/srv/run/10/a.ts', { roots: ['/srv/run/1'] })).toBe('/srv/run/10/a.ts');
  });

  it('is resolved by its longest suffix that only one file has', () => {
    const files = new Set(['web/src/a.ts', 'api/src/a.ts', 'api/src/b.ts']);
    expect(workspacePath('src/b.ts', { files })).toBe('api/src/b.ts');
    expect(workspacePath('/x/api/src/a.ts', { files })).toBe('api/src/a.ts');
    expect(workspacePath('src/a.ts', { files })).toBe('src/a.ts');
    expect(workspacePath('gone.ts', { files })).toBe('gone.ts');
  });
});
