/** The command line: its commands, their options and help, and what a mistake looks like. */
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { InquestError, toInquestError } from '../../errors.ts';
import { addConfigCommand } from './config/command.ts';
import { addDiagnoseCommand } from './diagnose/command.ts';
import { EXIT, type ExitCode, type Finish } from './exit-codes.ts';
import { print, type Shell } from './shell.ts';
import { wantsColor } from './terminal.ts';
import { visible } from './visible.ts';

const EXAMPLES = `
Examples:
  $ inquest diagnose build.log                        what failed in a log
  $ gh run view 123 --log-failed | inquest diagnose   what failed in a run on GitHub
  $ inquest diagnose reports/ --json                  the same as JSON, from a folder of reports
  $ inquest config check                              is .github/inquest.yml right?

Exit codes: 0 nothing failed, 1 failures found, 2 wrong usage or unreadable input, 3 a defect of inquest.`;

/** Runs one command line (without the program's own name). Never throws; errors are written to stderr. */
export async function runCli(args: readonly string[], shell: Shell): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram(shell, (finished) => {
    code = finished;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return tell(error, shell);
  }
}

function createProgram(shell: Shell, finish: Finish): Command {
  const program = new Command('inquest')
    .description('Finds the cause of failing CI, with evidence.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      outputError: (text, write) => write(visible(`inquest: ${text.replace(/^error: /, '')}`)),
      getOutHasColors: () => wantsColor(undefined, shell.stdout, shell.env),
      getErrHasColors: () => wantsColor(undefined, shell.stderr, shell.env),
    });
  addDiagnoseCommand(program, shell, finish);
  addConfigCommand(program, shell, finish);
  return program;
}

async function tell(error: unknown, shell: Shell): Promise<ExitCode> {
  // Commander has written its message (or the help) already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.unusable;
  const { code, message, hint } = toInquestError(error);
  const defect = code === 'INTERNAL';
  const lines = [`inquest: ${defect ? 'internal error: ' : ''}${message}`];
  if (hint !== null) lines.push(`  ${hint}`);
  if (defect) lines.push('  This is a defect of inquest; please report it.');
  await print(shell.stderr, `${visible(lines.join('\n'))}\n`);
  if (defect && shell.env.INQUEST_DEBUG && error instanceof Error) await print(shell.stderr, `${error.stack}\n`);
  return defect ? EXIT.defect : EXIT.unusable;
}

function version(): string {
  // Found from src/ and from dist/ alike: both lie at the same depth.
  const manifest: unknown = createRequire(import.meta.url)('../../../package.json');
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new InquestError('INTERNAL', 'package.json names no version.');
}
