import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { localWorkspace } from '../../../src/adapters/workspace/local-workspace.ts';
import { sampleRepository } from './sample-repository.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'inquest-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a local workspace', () => {
  it('is a copy with installed dependencies, without .git, and leaves the folder as it was', async () => {
    const repository = sampleRepository(join(root, 'project'));
    repository.commit({ '.gitignore': 'node_modules\n', 'a.js': '1' });
    mkdirSync(join(repository.dir, 'node_modules'));
    writeFileSync(join(repository.dir, 'node_modules', 'dep.js'), 'x');
    writeFileSync(join(repository.dir, 'new.js'), '2');
    const workspace = await localWorkspace(repository.dir);
    expect(await workspace.files()).toEqual(['.gitignore', 'a.js', 'new.js']);
    expect(await workspace.read('new.js')).toBe('2');
    expect(await workspace.read('node_modules/dep.js')).toBeNull();
    expect(existsSync(join(workspace.root, 'node_modules', 'dep.js'))).toBe(true);
    expect(existsSync(join(workspace.root, '.git'))).toBe(false);
    writeFileSync(join(workspace.root, 'a.js'), 'changed');
    expect(readFileSync(join(repository.dir, 'a.js'), 'utf8')).toBe('1');
    await workspace.dispose();
    expect(existsSync(workspace.root)).toBe(false);
  });

  it('restores its files from the folder after a setup', async () => {
    const dir = join(root, 'plain');
    mkdirSync(join(dir, 'src'), { recursive: true });
    for (const path of ['a', 'src/b']) writeFileSync(join(dir, path), 'text');
    const workspace = await localWorkspace(dir);
    await workspace.setUpOnce(async () => {
      writeFileSync(join(workspace.root, 'a'), 'changed');
      writeFileSync(join(workspace.root, 'built'), 'x');
      rmSync(join(workspace.root, 'src'), { recursive: true });
      symlinkSync('/etc', join(workspace.root, 'src'));
      await workspace.restore();
    }, new AbortController().signal);
    expect([await workspace.read('a'), await workspace.read('src/b')]).toEqual(['text', 'text']);
    expect(existsSync(join(workspace.root, 'built'))).toBe(true);
    await workspace.dispose();
  });

  it('works without git, and refuses links that lead out', async () => {
    const dir = join(root, 'plain');
    mkdirSync(join(dir, 'node_modules'), { recursive: true });
    writeFileSync(join(dir, 'node_modules', 'x'), '');
    writeFileSync(join(dir, 'a'), 'text');
    symlinkSync('/etc/passwd', join(dir, 'out'));
    const workspace = await localWorkspace(dir);
    expect(await workspace.files()).toEqual(['a', 'out']);
    expect(await workspace.read('a')).toBe('text');
    expect(await workspace.read('out')).toBeNull();
    await workspace.dispose();
  });

  it('says what is wrong with a path that is no folder', async () => {
    await expect(localWorkspace(join(root, 'none'))).rejects.toMatchObject({ code: 'INPUT_UNREADABLE' });
  });
});
