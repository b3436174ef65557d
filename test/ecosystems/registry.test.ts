import { describe, expect, it } from '@jest/globals';
import { ECOSYSTEM_IDS } from '../../src/config/repository-schema.ts';
import { detectEcosystem, ECOSYSTEMS, ecosystemFor, ecosystemOfCommand } from '../../src/ecosystems/registry.ts';

function detect(files: Readonly<Record<string, string>>) {
  const found = detectEcosystem(Object.keys(files).sort(), (path) => files[path] ?? null);
  return found === null ? null : { id: found.ecosystem.id, ...found.detection };
}

const scripts = (test: string, more: object = {}) => JSON.stringify({ scripts: { test }, ...more });

describe('the ecosystem of a worktree', () => {
  it.each([
    ['node --test', 'node-test', ['node', '--test']],
    ['tsx --test test/*.ts', 'node-test', ['node_modules/.bin/tsx', '--test', 'test/*.ts']],
    ['jest --ci', 'jest', ['node_modules/.bin/jest', '--ci']],
    [
      'NODE_OPTIONS=--experimental-vm-modules jest',
      'jest',
      ['env', 'NODE_OPTIONS=--experimental-vm-modules', 'node_modules/.bin/jest'],
    ],
    ['cross-env CI=1 mocha', 'mocha', ['env', 'CI=1', 'node_modules/.bin/mocha']],
    ['tsc && vitest run', 'vitest', ['npm', 'test']],
    [
      'node --experimental-vm-modules node_modules/jest/bin/jest.js',
      'jest',
      ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
    ],
  ])('script "%s" is %s', (script, id, command) => {
    const found = detect({ 'package.json': scripts(script) });
    expect(found).toMatchObject({ id, command, setup: null });
    expect(found?.because).toContain(id);
  });

  it('follows scripts that call scripts, and survives those that call themselves', () => {
    const nested = JSON.stringify({ scripts: { test: 'npm run unit -- --ci', unit: 'jest -i' } });
    expect(detect({ 'package.json': nested })).toMatchObject({
      id: 'jest',
      command: ['node_modules/.bin/jest', '-i', '--ci'],
    });
    expect(detect({ 'package.json': scripts('npm test') })).toBeNull();
  });

  it('suggests the setup of the lock file, and none without dependencies', () => {
    const withDependency = scripts('jest', { devDependencies: { jest: '30' } });
    expect(detect({ 'package.json': withDependency, 'package-lock.json': '' })?.setup).toEqual(['npm', 'ci']);
    expect(detect({ 'package.json': withDependency, 'pnpm-lock.yaml': '' })?.setup?.[0]).toBe('pnpm');
    expect(detect({ 'package.json': withDependency })?.setup).toEqual(['npm', 'install']);
  });

  it('is found for Python, Go and Rust', () => {
    expect(detect({ 'pyproject.toml': '[tool.pytest.ini_options]', 'tests/test_a.py': '' })).toMatchObject({
      id: 'pytest',
    });
    expect(detect({ 'tests/test_a.py': '' })).toMatchObject({
      id: 'unittest',
      command: ['python3', '-m', 'unittest', 'discover', '-s', 'tests'],
    });
    expect(detect({ 'tests/__init__.py': '', 'tests/test_a.py': '' })?.command).toEqual([
      'python3',
      '-m',
      'unittest',
      'discover',
    ]);
    expect(detect({ 'go.mod': '', 'a_test.go': '' })).toMatchObject({ id: 'go-test', setup: null });
    expect(detect({ 'Cargo.toml': '[package]', 'src/lib.rs': '' })).toMatchObject({ id: 'cargo-test', setup: null });
  });

  it('is nothing for a worktree without tests, whatever its manifests hold', () => {
    expect(detect({ 'README.md': '' })).toBeNull();
    expect(detect({ 'package.json': scripts('echo "Error: no test specified" && exit 1') })).toBeNull();
    for (const text of ['', 'null', '[]', '{"scripts":3}', '{"scripts":{"test":4}}'])
      expect(detect({ 'package.json': text })).toBeNull();
  });
});

describe('the ecosystem of a configured command', () => {
  const read = (test: string) => (path: string) => (path === 'package.json' ? scripts(test) : null);

  it('is found behind scripts and wrappers', () => {
    expect(ecosystemOfCommand(['npm', 'test'], read('node --test'))).toMatchObject({
      ecosystem: { id: 'node-test' },
      command: ['node', '--test'],
    });
    expect(ecosystemOfCommand(['npm', 'test'], read('tsc && jest'))?.ecosystem.id).toBe('jest');
    for (const [command, id] of [
      ['poetry run pytest -q', 'pytest'],
      ['coverage run -m pytest', 'pytest'],
      ['python3.12 -W error -m unittest', 'unittest'],
      ['env A=1 npx --no-install vitest run', 'vitest'],
      ['c8 node --test', 'node-test'],
      ['go test ./...', 'go-test'],
      ['cargo nextest run', 'cargo-test'],
    ] as const) {
      expect(ecosystemOfCommand(command.split(' '), read(''))?.ecosystem.id).toBe(id);
    }
    expect(ecosystemOfCommand(['make', 'check'], read(''))).toBeNull();
  });
});

describe('runner ids', () => {
  it('lead to their ecosystem, and those of shared formats to none', () => {
    for (const ecosystem of ECOSYSTEMS) expect(ecosystemFor(ecosystem.id)).toBe(ecosystem);
    expect(ecosystemFor('go-test-json')?.id).toBe('go-test');
    for (const runner of ['tap', 'junit-xml', 'constructor']) expect(ecosystemFor(runner)).toBeNull();
  });

  it('are those that the configuration knows', () => {
    expect(ECOSYSTEMS.map(({ id }) => id).sort()).toEqual([...ECOSYSTEM_IDS].sort());
  });
});
