import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFolder } from './run-cli.ts';
import { FAILING } from './sample-output.ts';

const BIN = join(import.meta.dirname, '../../../src/interfaces/cli/bin.ts');
const PROGRAM = ['--import', import.meta.resolve('tsx'), BIN];

let folder: CliFolder;

beforeEach(async () => {
  folder = await CliFolder.create({
    'ci.log': FAILING.repeat(50),
    'right.yml': 'mode: report\n',
    'later.yml': 'mode: fix\n',
    'wrong.yml': 'mod: x\n',
  });
});

afterEach(() => folder.remove());

describe('the program itself', () => {
  it('ends with the code of what it found', async () => {
    const ended = promisify(execFile)(process.execPath, [...PROGRAM, 'diagnose', 'ci.log'], { cwd: folder.path });
    await expect(ended).rejects.toMatchObject({ code: 1, stderr: '' });
  });

  it('takes it quietly when its reader goes away', async () => {
    const child = spawn(process.execPath, [...PROGRAM, 'diagnose', 'ci.log', '--json'], { cwd: folder.path });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const [code] = await once(child, 'close');
    expect({ code, err }).toEqual({ code: 1, err: '' });
  });
});

describe('config check', () => {
  it('says that a file is right', async () => {
    const { code, out } = await folder.run(['config', 'check', 'right.yml']);
    expect({ code, out }).toEqual({ code: 0, out: 'right.yml is right: mode report, test commands are detected.\n' });
  });

  it('refuses a mode that this version does not have', async () => {
    const { code, err } = await folder.run(['config', 'check', 'later.yml']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('mode fix is not available') });
  });

  it('names file, line and the key that was meant', async () => {
    const { code, err } = await folder.run(['config', 'check', 'wrong.yml']);
    expect(code).toBe(2);
    expect(err).toMatch(/wrong\.yml.*line 1.*mod/s);
    expect(err).toContain('mode');
  });

  it('says that there is no file', async () => {
    const { code, err } = await folder.run(['config', 'check']);
    expect({ code, err }).toEqual({ code: 2, err: 'inquest: .github/inquest.yml does not exist.\n' });
  });
});
