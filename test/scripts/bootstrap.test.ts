import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/source-files.ts';

const PACKAGES = {
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b-other-platform': { version: '1.0.0', integrity: 'sha512-b', optional: true },
};
const LOCK = { packages: { '': {}, ...PACKAGES } };
/** Stands for npm: writes what it was asked, and does or does not succeed. */
const NPM = (code: number) => `
  require('node:fs').writeFileSync(__dirname + '/asked.json', JSON.stringify(process.argv.slice(2)));
  console.log('npm says why'); process.exit(${code});`;

let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'inquest-clone-'));
  cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true });
  mkdirSync(join(clone, 'node_modules'));
  write('package-lock.json', LOCK);
});

afterEach(() => rmSync(clone, { recursive: true, force: true }));

describe('the bootstrap', () => {
  it('does nothing and says nothing when the packages are those of the lock file', () => {
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': PACKAGES['node_modules/a'] } });
    expect(bootstrap(['--only', 'npm'], 1)).toEqual({ code: 0, out: '', err: '' });
  });

  it.each([
    ['are missing', null],
    ['are others', { packages: { 'node_modules/a': { version: '0.9.0', integrity: 'sha512-old' } } }],
    ['are too many', { packages: { ...PACKAGES, 'node_modules/c': { version: '1.0.0', integrity: 'sha512-c' } } }],
  ])('installs them when they %s, without running their scripts', (_, installed) => {
    if (installed !== null) write('node_modules/.package-lock.json', installed);
    const { code, out, err } = bootstrap(['--only', 'npm'], 0);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(/^Installing npm packages … done \(\d+ s\)\n$/);
    expect(JSON.parse(readFileSync(join(clone, 'asked.json'), 'utf8'))).toEqual(
      expect.arrayContaining(['ci', '--ignore-scripts', '--include=dev']),
    );
    expect(bootstrap(['--only', 'npm'], 1).err).toBe('');
  });

  it('shows what npm said when it fails', () => {
    const { code, err } = bootstrap(['--only', 'npm'], 1);
    expect(code).toBe(1);
    expect(err).toContain('npm says why');
    expect(err).toContain('Try: npm ci');
  });

  it('goes on with a HOME that cannot be written', () => {
    expect(bootstrap(['--only', 'npm'], 0, { HOME: '/proc/nowhere' }).code).toBe(0);
  });

  it('refuses a purpose that it does not know', () => {
    expect(bootstrap(['--for', 'fun'], 0)).toMatchObject({ code: 2, err: expect.stringContaining('demo, test') });
  });
});

function bootstrap(args: readonly string[], npmExit: number, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(join(clone, 'npm-cli.js'), NPM(npmExit));
  const ended = spawnSync(process.execPath, [join(clone, 'scripts/bootstrap.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, npm_execpath: join(clone, 'npm-cli.js'), ...env },
  });
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}

function write(path: string, content: unknown): void {
  writeFileSync(join(clone, path), JSON.stringify(content));
}
