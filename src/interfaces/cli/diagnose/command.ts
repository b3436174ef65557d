/** `inquest diagnose`: reads CI output, judges it where it can, and prints the report in the form that suits the reader. */
import { type Command, Option } from 'commander';
import { InquestError } from '../../../errors.ts';
import type { FailurePacket } from '../../../failures/packet.ts';
import type { PathOptions } from '../../../failures/path.ts';
import type { DebugReport } from '../../../pipeline/debug-report.ts';
import { EXIT, type ExitCode, type Finish } from '../exit-codes.ts';
import { print, type Shell } from '../shell.ts';
import { columnsOf, forcesColor, painter, wantsColor } from '../terminal.ts';
import { visibleDeep } from '../visible.ts';
import { toJson } from './as-json.ts';
import { collectInputs, STDIN } from './collect.ts';
import { type Diagnosis, diagnoseInputs, exitCodeOf } from './diagnosis.ts';
import { toMarkdown } from './markdown.ts';
import { toPeople } from './people.ts';
import { createProgress } from './progress.ts';
import type { Repository } from './repository.ts';
import { nothingFailed, problemLines } from './said.ts';
import { unjudgedReport } from './unjudged.ts';

interface Options {
  readonly repo?: string;
  readonly spec?: readonly string[];
  readonly json?: true;
  readonly markdown?: true;
  readonly color?: boolean;
}

const HELP = `
PATH is a log, a JUnit XML or other report, a zip or a folder of them, or - for stdin.
Without PATH, stdin is read. Secrets are taken out of everything that is printed.

On a terminal the diagnosis is printed for reading; into a pipe or file as Markdown.
--color (or FORCE_COLOR) asks for the terminal's form anywhere, --markdown for Markdown.

Examples:
  $ inquest diagnose build.log
  $ inquest diagnose test-results/ logs.zip
  $ make test 2>&1 | inquest diagnose
  $ inquest diagnose build.log --markdown >> "$GITHUB_STEP_SUMMARY"
  $ inquest diagnose junit.xml --json | jq '.packets[].first_failing_test'
  $ inquest diagnose build.log --repo . --spec docs/spec.md      run again, judge, cite

Exit codes:
  0  nothing failed
  1  failures found
  2  wrong usage; or nothing failed as far as could be read, but an input could not be read
  3  a defect of inquest`;

export function addDiagnoseCommand(program: Command, shell: Shell, finish: Finish): void {
  program
    .command('diagnose')
    .description('say what failed in CI output, and with --repo and --spec also why')
    .argument('[path...]', 'logs, reports, zips, folders, or - for stdin')
    .option('--repo <dir>', 'the code: failing tests are run again in a throw-away copy, sandboxed')
    .option('--spec <file...>', 'spec files, relative to the repository; the causes are judged against them')
    .addOption(new Option('--json', 'print JSON (inquest.diagnosis/v1)').conflicts('markdown'))
    .option('--markdown', 'print Markdown, on a terminal too')
    .option('--color', 'print for reading, in colour, wherever it goes')
    .option('--no-color', 'print no colour')
    .addHelpText('after', HELP)
    .action(async (paths: string[], options: Options) => finish(await diagnose(paths, options, shell)));
}

async function diagnose(paths: readonly string[], options: Options, shell: Shell): Promise<ExitCode> {
  const { repo } = options;
  if (options.spec !== undefined && repo === undefined) {
    throw new InquestError('USAGE', '--spec needs --repo: without the code nothing can be run again and judged.');
  }
  if (paths.length === 0 && (options.spec?.length ?? 0) > 1) {
    // `--spec a.md build.log` takes both as specs; reading an empty stdin instead would only puzzle.
    throw new InquestError('USAGE', `--spec took all of ${options.spec?.join(', ')}; no PATH is left.`, {
      hint: 'Name PATH before --spec, or - for stdin.',
    });
  }
  const given = pathsOrStdin(paths, shell);
  if (repo === undefined) {
    const diagnosis = await readAll(given, {}, shell);
    return answer(diagnosis, reportOf(diagnosis, unjudgedReport), options, shell);
  }
  // Loaded only here: the syntax trees of the debugger take longer to load than a log to read.
  const { openRepository } = await import('./repository.ts');
  const repository = await openRepository(repo, options.spec ?? [], shell);
  try {
    const diagnosis = await readAll(given, repository.paths, shell);
    return await answer(diagnosis, await reportOf(diagnosis, judging(repository, shell)), options, shell);
  } finally {
    await repository.close();
  }
}

async function readAll(paths: readonly string[], known: PathOptions, shell: Shell): Promise<Diagnosis> {
  const diagnosis = await diagnoseInputs(collectInputs(paths, shell), known, createProgress(shell));
  for (const line of problemLines(diagnosis)) await print(shell.stderr, `${line}\n`);
  return diagnosis;
}

function judging(repository: Repository, shell: Shell) {
  return async (packets: readonly FailurePacket[]): Promise<DebugReport> => {
    const progress = createProgress(shell);
    progress.say('running the failing tests again');
    try {
      return await repository.judge(packets);
    } finally {
      progress.end();
    }
  };
}

async function answer(
  diagnosis: Diagnosis,
  report: DebugReport | null,
  options: Options,
  shell: Shell,
): Promise<ExitCode> {
  await print(shell.stdout, render(diagnosis, report, options, shell));
  return exitCodeOf(diagnosis);
}

/** Null when there is nothing to report. */
function reportOf<Report>(diagnosis: Diagnosis, make: (packets: readonly FailurePacket[]) => Report): Report | null {
  return diagnosis.packets.length === 0 ? null : make(diagnosis.packets);
}

function pathsOrStdin(paths: readonly string[], { stdin }: Shell): readonly string[] {
  if (paths.length > 0) return paths;
  if (stdin.isTTY !== true) return [STDIN];
  throw new InquestError('USAGE', 'diagnose needs a PATH, or output on stdin.', {
    hint: 'For example: inquest diagnose build.log. See inquest diagnose --help.',
  });
}

function render(diagnosis: Diagnosis, report: DebugReport | null, options: Options, shell: Shell): string {
  if (options.json) return `${toJson(diagnosis, report)}\n`;
  const paint = painter(wantsColor(options.color, shell.stdout, shell.env));
  if (report === null) {
    const told = nothingFailed(diagnosis);
    if (told === null) return '';
    return exitCodeOf(diagnosis) === EXIT.ok && isForPeople(options, shell)
      ? `${paint('green', '✓')} ${told}\n`
      : `${told}\n`;
  }
  // Log text must not act on the terminal, nor on whoever reads the pipe.
  const [shownReport, packets] = [visibleDeep(report), visibleDeep(diagnosis.packets)];
  if (!isForPeople(options, shell)) return toMarkdown(shownReport, packets);
  return toPeople(shownReport, packets, { paint, columns: columnsOf(shell.stdout) });
}

function isForPeople(options: Options, { stdout, env }: Shell): boolean {
  if (options.markdown) return false;
  return stdout.isTTY === true || options.color === true || (options.color === undefined && forcesColor(env) === true);
}
