import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFolder } from './run-cli.ts';
import { FAILING } from './sample-output.ts';

const ESC = '\u001b';
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
const HOSTILE = FAILING.replace(
  '    Expected: 12',
  `    Expected: "${ESC}]0;owned\u0007${ESC}[2J\u009b2J\u202e12 ${TOKEN}"`,
);

let folder: CliFolder;

beforeEach(async () => {
  folder = await CliFolder.create({ 'ci.log': FAILING, 'hostile.log': HOSTILE });
});

afterEach(() => folder.remove());

describe('the form suits the reader', () => {
  const forms: readonly (readonly [string, readonly string[], boolean, Record<string, string>, string])[] = [
    ['a pipe', [], false, {}, 'markdown'],
    ['a terminal', [], true, {}, 'coloured'],
    ['a terminal with NO_COLOR', [], true, { NO_COLOR: '1' }, 'plain'],
    ['a terminal with an empty NO_COLOR', [], true, { NO_COLOR: '' }, 'coloured'],
    ['a dumb terminal', [], true, { TERM: 'dumb' }, 'plain'],
    ['a terminal with --no-color', ['--no-color'], true, { FORCE_COLOR: '1' }, 'plain'],
    ['a pipe with --color', ['--color'], false, { NO_COLOR: '1' }, 'coloured'],
    ['a pipe with FORCE_COLOR', [], false, { FORCE_COLOR: '1' }, 'coloured'],
    ['a terminal with FORCE_COLOR=0', [], true, { FORCE_COLOR: '0' }, 'plain'],
    ['a pipe with FORCE_COLOR and --markdown', ['--markdown'], false, { FORCE_COLOR: '1' }, 'markdown'],
    ['a terminal with --json', ['--json'], true, {}, 'json'],
  ];
  it.each(forms)('%s', async (_, flags, terminal, env, form) => {
    const { out } = await folder.run(['diagnose', 'ci.log', ...flags], { terminal, env });
    expect(formOf(out)).toBe(form);
  });
});

describe('what a log says cannot act on the terminal, nor show a secret', () => {
  it.each([[['--markdown']], [['--color']], [['--no-color', '--json']]])('with %j', async (flags) => {
    const { out } = await folder.run(['diagnose', 'hostile.log', ...flags]);
    const colourless = out.replaceAll(/\u001b\[\d+m/g, '');
    expect(colourless).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(out).not.toContain(TOKEN);
  });

  it('and file names cannot either', async () => {
    const { err } = await folder.run(['diagnose', `${ESC}[2Jgone.log`]);
    expect(err).toBe('inquest: ␛[2Jgone.log does not exist\n');
  });
});

describe('the JSON form', () => {
  it('carries schema, packets, report, inputs and damage', async () => {
    const { out } = await folder.run(['diagnose', 'ci.log', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      schema: 'inquest.diagnosis/v1',
      packets: [{ runner: 'jest', expected: '12', actual: '11', source: 'ci.log' }],
      report: { action: 'escalate', failures: [{ cause: 'unknown' }] },
      inputs: [{ name: 'ci.log', status: 'read', lines: 11 }],
      damage: [],
    });
  });

  it('is printed too when nothing could be read', async () => {
    const { code, out } = await folder.run(['diagnose', 'gone.log', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ packets: [], report: null, inputs: [{ status: 'unreadable' }] });
  });

  it('is the same every time', async () => {
    const first = await folder.run(['diagnose', '.', '--json']);
    const second = await folder.run(['diagnose', '.', '--json']);
    expect(second.out).toBe(first.out);
  });
});

function formOf(out: string): string {
  if (out.startsWith('{')) return 'json';
  if (out.startsWith('# Debug report')) return 'markdown';
  return out.includes(ESC) ? 'coloured' : 'plain';
}
