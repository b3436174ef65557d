import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { parseDebugReport } from '../../../src/pipeline/debug-report.ts';
import { CliFolder } from './run-cli.ts';
import { FAILING, JUNIT, PASSING } from './sample-output.ts';
import { zipOf } from './zip-of.ts';

const open: CliFolder[] = [];

async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<CliFolder> {
  const folder = await CliFolder.create(files);
  open.push(folder);
  return folder;
}

afterEach(async () => {
  for (const folder of open.splice(0)) await folder.remove();
});

describe('diagnose exits with 1 when something failed', () => {
  it('and prints a debug report that can be read back, then the packets', async () => {
    const { code, out, err } = await (await folderOf({ 'ci.log': FAILING })).run(['diagnose', 'ci.log']);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const [report = '', packets = ''] = out.split('\n---\n');
    expect(parseDebugReport(report).failures.map((failure) => failure.test)).toEqual(['basket › adds what is put in']);
    expect(packets).toContain('- expected: `12`');
  });

  it('from stdin, named or not', async () => {
    const folder = await folderOf({});
    const unnamed = await folder.run(['diagnose'], { stdin: FAILING });
    const named = await folder.run(['diagnose', '-'], { stdin: FAILING });
    expect(unnamed.code).toBe(1);
    expect(named.out).toBe(unnamed.out);
  });

  it('from the bytes of a zip on stdin', async () => {
    const { code, out } = await (await folderOf({})).run(['diagnose', '-'], {
      stdin: await zipOf({ 'logs/job.txt': FAILING }),
    });
    expect(code).toBe(1);
    expect(out).toContain('stdin/logs/job.txt');
  });

  it('from UTF-16, as PowerShell writes it', async () => {
    const bytes = Buffer.from(`\ufeff${FAILING}`, 'utf16le');
    const { code, out } = await (await folderOf({ 'ci.log': bytes })).run(['diagnose', 'ci.log']);
    expect(code).toBe(1);
    expect(out).toContain('basket › adds what is put in');
  });

  it('though another input cannot be read', async () => {
    const { code, out, err } = await (await folderOf({ 'ci.log': FAILING })).run(['diagnose', 'gone.log', 'ci.log']);
    expect(code).toBe(1);
    expect(out).toContain('failures investigated: 1');
    expect(err).toBe('inquest: gone.log does not exist\n');
  });
});

describe('diagnose exits with 0 when nothing failed', () => {
  it('and says so, with what it read', async () => {
    const { code, out } = await (await folderOf({ 'ci.log': PASSING })).run(['diagnose', 'ci.log']);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'No failure found in ci.log: 3 lines, 1 runner summary says passed.\n',
    });
  });

  it('also where no runner said anything', async () => {
    const { code, out } = await (await folderOf({ 'ci.log': 'hello\n'.repeat(1234) })).run(['diagnose', 'ci.log']);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'No failure found in ci.log: 1,234 lines, no runner summary was seen.\n',
    });
  });
});

describe('diagnose exits with 2 and one line on stderr when it cannot read', () => {
  const random = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256);
  const cases: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['an empty file', '', 'is empty'],
    ['white space', ' \n\t\n', 'holds nothing but white space'],
    ['a binary file', random, 'is a binary file, not the output of a CI run'],
    ['a compressed file', Uint8Array.of(0x1f, 0x8b, 8, 0), 'is compressed with gzip; unpack it first (gunzip)'],
  ];
  it.each(cases)('%s', async (_, content, told) => {
    const { code, out, err } = await (await folderOf({ 'ci.log': content })).run(['diagnose', 'ci.log']);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: `inquest: ci.log ${told}\n` });
  });

  it('a damaged zip', async () => {
    const whole = await zipOf({ 'a.log': FAILING });
    const folder = await folderOf({ 'a.zip': whole.subarray(0, whole.length - 30) });
    const { code, err } = await folder.run(['diagnose', 'a.zip']);
    expect(code).toBe(2);
    expect(err).toMatch(/^inquest: a\.zip is a damaged zip \(.*\)\n$/);
  });

  it('something missing beside something that passed: a green answer must be whole', async () => {
    const { code, out } = await (await folderOf({ 'ci.log': PASSING })).run(['diagnose', 'ci.log', 'gone.xml']);
    expect(code).toBe(2);
    expect(out).toContain('No failure found in ci.log');
  });

  it('an empty report in a folder', async () => {
    const folder = await folderOf({ 'out/a.log': PASSING, 'out/junit.xml': '', 'out/stderr.log': '' });
    const { code, err } = await folder.run(['diagnose', 'out']);
    expect(code).toBe(2);
    expect(err).toBe('inquest: out/junit.xml is empty\ninquest: not read: out/stderr.log (is empty)\n');
  });
});

describe('a wrong command line exits with 2, says what is wrong, and shows no stack', () => {
  it.each([
    ['an unknown option', ['diagnose', '--jsn'], '(Did you mean --json?)'],
    ['an unknown command', ['diagnos'], '(Did you mean diagnose?)'],
    ['no path and no input', ['diagnose'], 'diagnose needs a PATH'],
    ['a spec without code', ['diagnose', 'x', '--spec', 'a.md'], '--spec needs --repo'],
    ['a path swallowed by --spec', ['diagnose', '--repo', '.', '--spec', 'a.md', 'x.log'], 'Name PATH before --spec'],
    ['two forms at once', ['diagnose', 'x', '--json', '--markdown'], "cannot be used with option '--markdown'"],
  ])('%s', async (_, args, told) => {
    const { code, out, err } = await (await folderOf({})).run(args, { stdin: null });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(told);
    expect(err).not.toMatch(/^\s+at /m);
  });

  it('while help and version exit with 0', async () => {
    const folder = await folderOf({});
    for (const args of [['--help'], ['diagnose', '--help'], ['config', 'check', '--help'], ['help', 'diagnose']]) {
      const { code, out } = await folder.run(args);
      expect({ code, examples: out.includes('Examples:') }).toEqual({ code: 0, examples: true });
    }
    expect((await folder.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('folders and zips are read in one order, and what is left out is named', () => {
  it('reads reports and logs, and nothing that tools installed', async () => {
    const folder = await folderOf({
      'out/b.xml': JUNIT,
      'out/a.log': FAILING,
      'out/node_modules/x/fail.log': FAILING,
      'out/picture.png': 'x',
      'out/package.json': '{}',
    });
    const { code, out } = await folder.run(['diagnose', 'out', '--json']);
    const { inputs, packets } = JSON.parse(out);
    expect(code).toBe(1);
    expect(packets).toHaveLength(2);
    expect(inputs.map((input: { name: string; status: string }) => `${input.status} ${input.name}`)).toEqual([
      'skipped out/node_modules',
      'read out/a.log',
      'read out/b.xml',
      'skipped out/package.json',
      'skipped out/picture.png',
    ]);
  });

  it('reads each job of an Actions archive once: its whole log, not its steps', async () => {
    const archive = await zipOf({ 'unit/1_Set up job.txt': 'ok\n', 'unit/2_Test.txt': FAILING, '0_unit.txt': FAILING });
    const folder = await folderOf({ 'logs.zip': archive });
    const { inputs, packets } = JSON.parse((await folder.run(['diagnose', 'logs.zip', '--json'])).out);
    expect(packets).toHaveLength(1);
    expect(inputs[0]).toMatchObject({ name: 'logs.zip/0_unit.txt', status: 'read' });
    expect(inputs[1]).toMatchObject({ status: 'skipped', reason: 'is part of 0_unit.txt' });
  });

  it('reads the steps when the whole log is missing or empty', async () => {
    const archive = await zipOf({ '0_unit.txt': '', 'unit/2_Test.txt': FAILING });
    const { code } = await (await folderOf({ 'logs.zip': archive })).run(['diagnose', 'logs.zip']);
    expect(code).toBe(1);
  });

  it('opens a zip inside a folder, and names a zip inside a zip', async () => {
    const inner = await zipOf({ 'a.log': FAILING });
    const folder = await folderOf({ 'out/outer.zip': await zipOf({ 'inner.zip': inner, 'a.log': FAILING }) });
    const { code, err } = await folder.run(['diagnose', 'out']);
    expect(code).toBe(1);
    expect(err).toContain('out/outer.zip/inner.zip (is a zip inside a zip');
  });

  it('does not follow links out of a folder', async () => {
    const folder = await folderOf({ 'out/a.log': PASSING, 'secret.log': FAILING });
    await symlink(join(folder.path, 'secret.log'), join(folder.path, 'out', 'b.log'));
    await symlink(folder.path, join(folder.path, 'out', 'round'));
    const { code, err } = await folder.run(['diagnose', 'out']);
    expect(code).toBe(0);
    expect(err).toContain('out/b.log (is a link or no file)');
  });

  it('reads a file once that is named twice', async () => {
    const { out } = await (await folderOf({ 'a.log': PASSING })).run(['diagnose', 'a.log', './a.log']);
    expect(out).toContain('No failure found in a.log');
  });
});
