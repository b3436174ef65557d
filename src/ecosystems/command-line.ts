/** Finds the test runner in a command, behind `env`, `npx`, `python -m` and their like, and sorts its arguments. */

export interface CommandLine {
  /** Everything up to the runner, the runner included. */
  readonly head: readonly string[];
  /** Name of the runner without folder and extension; `npm-script` when only a package script is known. */
  readonly program: string;
  readonly args: readonly string[];
}

/** What stands before the program proper: how many words it takes, or null when it is none. */
type Prefix = (words: readonly string[]) => number | null;

const PYTHON = /^(?:python|python3|pypy3?)(?:\.\d+)?$/;
const EXEC_WORDS = new Map([
  ['npm', ['exec']],
  ['pnpm', ['exec', 'dlx']],
  ['yarn', ['exec', 'run']],
  ['poetry', ['run']],
  ['pipenv', ['run']],
  ['uv', ['run']],
  ['hatch', ['run']],
  ['coverage', ['run']],
]);
const RUNNERS = new Set(['jest', 'vitest', 'mocha', '_mocha', 'pytest']);

const PREFIXES: readonly Prefix[] = [
  (words) => (['env', 'cross-env'].includes(words[0] ?? '') ? 1 + leading(words.slice(1), /^(?:-|\w+=)/) : null),
  (words) => (['npx', 'bunx', 'c8', 'nyc', 'time'].includes(words[0] ?? '') ? 1 + leading(words.slice(1), /^-/) : null),
  (words) => {
    if (!EXEC_WORDS.get(words[0] ?? '')?.includes(words[1] ?? '')) return null;
    const next = 2 + leading(words.slice(2), /^--?(?!m$)/);
    return words[0] === 'yarn' && !RUNNERS.has(words[next] ?? '') ? null : next;
  },
  (words) => (['yarn', 'pnpm'].includes(words[0] ?? '') && RUNNERS.has(words[1] ?? '') ? 1 : null),
  (words) => {
    const module = words.indexOf('-m');
    return PYTHON.test(baseName(words[0] ?? '')) && module > 0 ? module + 1 : null;
  },
  // After `coverage run`.
  (words) => (words[0] === '-m' ? 1 : null),
  (words) => {
    if (baseName(words[0] ?? '') !== 'node' || words.includes('--test')) return null;
    const script = words.findIndex(
      (word, index) => index > 0 && /(?:^|\/)(?:_?mocha|jest|vitest)(?:\.[cm]?js)?$/.test(word),
    );
    return script > 0 ? script : null;
  },
];

export function commandLine(command: readonly string[]): CommandLine {
  let start = 0;
  for (let step = 0; step < 8; step++) {
    const words = command.slice(start);
    const taken = PREFIXES.map((prefix) => prefix(words)).find((length) => length !== null);
    if (taken === undefined || taken === null || start + taken >= command.length) break;
    start += taken;
  }
  const script = packageScript(command.slice(start));
  if (script !== null) return { head: throughScript(command), program: 'npm-script', args: [] };
  return {
    head: command.slice(0, start + 1),
    program: baseName(command[start] ?? ''),
    args: command.slice(start + 1),
  };
}

/** The script that `npm test`, `npm run x`, `pnpm x` or `yarn x` runs; null for other commands. */
export function packageScript(command: readonly string[]): string | null {
  const [manager = '', verb = '', name] = command;
  if (!['npm', 'pnpm', 'yarn'].includes(manager)) return null;
  if (['test', 't', 'tst'].includes(verb)) return 'test';
  if (['run', 'run-script'].includes(verb)) return name ?? null;
  return manager === 'npm' || verb === '' || verb.startsWith('-') ? null : verb;
}

/** The arguments without those that name files, and without `dropped` flags. `valued` flags take the next word along. */
export function flagsOf(
  args: readonly string[],
  valued: readonly string[],
  dropped: readonly string[],
): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-')) continue;
    const name = word.split('=', 1)[0] ?? word;
    const takesNext = valued.includes(word);
    if (!dropped.includes(name)) kept.push(word, ...(takesNext ? args.slice(index + 1, index + 2) : []));
    if (takesNext) index++;
  }
  return kept;
}

/** The words that are neither flags nor their values, up to `--`. */
export function positionalsOf(args: readonly string[], valued: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  return own.filter((word, index) => !word.startsWith('-') && !valued.includes(own[index - 1] ?? ''));
}

/** npm wants `--` before what is for the script; pnpm would hand it on. */
function throughScript(command: readonly string[]): readonly string[] {
  if (command.includes('--') || command.includes('pnpm')) return command;
  return [...command, '--'];
}

function leading(words: readonly string[], pattern: RegExp): number {
  const end = words.findIndex((word) => !pattern.test(word));
  return end < 0 ? words.length : end;
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:[cm]?js|exe|cmd)$/, '');
}
