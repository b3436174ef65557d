import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defaultRepositoryConfig, parseRepositoryConfig } from '../../src/config/repository.ts';
import { InquestError } from '../../src/errors.ts';

const parse = (text: string) => parseRepositoryConfig(text, '.github/inquest.yml');

function problemsOf(text: string): string {
  try {
    parse(text);
  } catch (thrown) {
    if (thrown instanceof InquestError && thrown.code === 'CONFIG_INVALID') return thrown.message;
    throw thrown;
  }
  throw new Error('expected CONFIG_INVALID');
}

describe('a repository configuration', () => {
  it('is the defaults when the file is empty or only comments', () => {
    for (const text of ['', '\n', '# nothing\n', '---\n', '{}']) expect(parse(text)).toEqual(defaultRepositoryConfig());
  });

  it('reads commands as lists and as words', () => {
    const config = parse(`
tests:
  - name: unit
    command: npm test -- --grep "a b" 'c $d'
    single: [sh, -c, 'x | y', "{test}"]
    env: { A: "1" }
    timeout_seconds: 5
`);
    expect(config.tests[0]).toEqual({
      name: 'unit',
      command: ['npm', 'test', '--', '--grep', 'a b', 'c $d'],
      single: ['sh', '-c', 'x | y', '{test}'],
      env: { A: '1' },
      timeout_seconds: 5,
    });
  });

  it.each([
    'a | b',
    'a; b',
    'a && b',
    'a > b',
    'a < b',
    'a `b`',
    'a $(b)',
    'a $B',
    'a "$(b)"',
    'A=1 b',
    'a "b',
    '',
    ' ',
  ])('refuses what only a shell could read: %j', (command) => {
    expect(problemsOf(`setup: { command: ${JSON.stringify(command)} }`)).toContain('line 1: setup.command:');
  });
});

describe('a wrong configuration', () => {
  it.each([
    ['mode: reprot', 'line 1: mode: expected one of report, suggest, fix, got "reprot"; did you mean report?'],
    ['\nlimit: {}', 'line 2: limit: unknown key; did you mean limits?'],
    ['limits:\n  timeout: 3', 'line 2: limits.timeout: unknown key; did you mean timeout_seconds?'],
    [
      'tests:\n  - name: a\n    comand: x\n    command: x',
      'line 3: tests[0].comand: unknown key; did you mean command?',
    ],
    ['tests:\n  - name: a', 'line 2: tests[0].command: expected a command'],
    ['rerun: { attempts: 0 }', 'line 1: rerun.attempts: expected at least 1, got 0'],
    ['rerun: { attempts: 1.5 }', 'rerun.attempts: expected a whole number, got 1.5'],
    ['sandbox: { kind: host }', 'sandbox.kind: expected one of bubblewrap, container, got "host"'],
    ['spec: [../x]', 'line 1: spec[0]: expected a path inside the repository'],
    ['spec: x', 'spec: expected a list, got "x"'],
    ['- a', 'the file: expected a map of keys, got a list'],
    ['tests: [{ name: a, command: x, env: { "a b": x } }]', 'expected a variable name'],
    ['mode: report\nmode: fix', 'line 2: Map keys must be unique'],
    ['mode: [', 'line 1:'],
  ])('%j', (text, expected) => {
    const message = problemsOf(text);
    expect(message.startsWith('.github/inquest.yml:')).toBe(true);
    expect(message).toContain(expected);
  });

  it('is reported whole, not one problem at a time', () => {
    expect(problemsOf('mode: x\nwait: 3\nfoo: 1').split('\n')).toHaveLength(4);
  });
});

describe('hostile files', () => {
  it('are refused: too large, too deep, too many aliases', () => {
    expect(problemsOf('#'.repeat(65 * 1024))).toContain('64 KiB');
    expect(problemsOf('['.repeat(30_000))).toContain('line 1');
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: [${'*c,'.repeat(9)}]`;
    expect(problemsOf(bomb)).toContain('alias');
  });

  it('never give anything but a configuration or CONFIG_INVALID', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom('tests:', '\n', '  - ', 'name: a', 'command: ', '&a ', '*a', '{', '}', '"', '!!js ', '<<: '),
          { maxLength: 20 },
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (input) => {
        try {
          parse(input);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'CONFIG_INVALID' });
        }
      }),
      { seed: 2, numRuns: 300 },
    );
  });
});
