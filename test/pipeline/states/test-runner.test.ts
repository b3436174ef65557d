import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createBubblewrapSandbox } from '../../../src/adapters/sandbox/bubblewrap.ts';
import { type LocalWorkspace, localWorkspace } from '../../../src/adapters/workspace/local-workspace.ts';
import { parseRepositoryConfig } from '../../../src/config/repository.ts';
import { createTestRunner } from '../../../src/pipeline/states/test-runner.ts';
import { suitesOf } from '../../../src/pipeline/suites.ts';

const TEST = "require('node:test').test('t', () => require('node:assert').equal(1, 2));\n";
const SPEC = '# Sums\n\nOne is two.\n';

let root: string;
let workspace: LocalWorkspace;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'inquest-test-'));
  mkdirSync(join(root, 'test'));
  writeFileSync(join(root, 'test', 'a.test.js'), TEST);
  writeFileSync(join(root, 'SPEC.md'), SPEC);
  workspace = await localWorkspace(root);
});
afterEach(async () => {
  await workspace.dispose();
  rmSync(root, { recursive: true, force: true });
});

async function runnerWith(setup: string) {
  const text = `setup:\n  command: [sh, -c, ${JSON.stringify(setup)}]\ntests:\n  - name: unit\n    command: node --test\n`;
  const config = parseRepositoryConfig(text, 'inquest.yml');
  return createTestRunner({
    sandbox: createBubblewrapSandbox(),
    workspace,
    config,
    suites: suitesOf(config, await workspace.files(), () => null),
    setup_network: false,
    record: () => undefined,
    signal: new AbortController().signal,
  });
}

describe('a setup command cannot decide what is tested and cited', () => {
  const forge = 'echo > test/a.test.js; echo "Anything goes." > SPEC.md; echo built > built.txt';

  it('when it comes to its end', async () => {
    const runner = await runnerWith(forge);
    await runner.setup();
    expect([await workspace.read('test/a.test.js'), await workspace.read('SPEC.md')]).toEqual([TEST, SPEC]);
    expect((await runner.runAll()).map((run) => run.exit_code)).toEqual([1]);
  });

  it('when it fails', async () => {
    const runner = await runnerWith(`${forge}; exit 3`);
    await expect(runner.setup()).rejects.toMatchObject({ code: 'SETUP_FAILED' });
    expect(await workspace.read('SPEC.md')).toBe(SPEC);
  });
});
