/** `inquest config check`: is a repository's configuration right? */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { parseRepositoryConfig, REPOSITORY_CONFIG_PATH } from '../../../config/repository.ts';
import { InquestError } from '../../../errors.ts';
import { EXIT, type Finish } from '../exit-codes.ts';
import { unreadable } from '../file-problem.ts';
import { print, type Shell } from '../shell.ts';

const EXAMPLES = `
Examples:
  $ inquest config check
  $ inquest config check path/to/inquest.yml

Exit codes: 0 the file is right, 2 it is not, or cannot be read.`;

export function addConfigCommand(program: Command, shell: Shell, finish: Finish): void {
  const config = program
    .command('config')
    .description('look at a repository configuration')
    .addHelpText('after', EXAMPLES);
  config
    .command('check')
    .description('say whether a configuration file is right, and if not, what is wrong on which line')
    .argument('[file]', 'the file', REPOSITORY_CONFIG_PATH)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string) => {
      await checkConfig(file, shell);
      finish(EXIT.ok);
    });
}

/** Throws `CONFIG_INVALID` with every problem, or `INPUT_UNREADABLE`. */
async function checkConfig(file: string, shell: Shell): Promise<void> {
  const text = await readFile(resolve(shell.cwd, file), 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const config = parseRepositoryConfig(text, file);
  if (config.mode !== 'report') {
    throw new InquestError('CONFIG_INVALID', `${file}: mode ${config.mode} is not available in this version.`, {
      hint: 'Set mode: report, or leave it out.',
    });
  }
  await print(shell.stdout, `${file} is right: mode ${config.mode}, ${countOf(config.tests.length)}.\n`);
}

function countOf(suites: number): string {
  if (suites === 0) return 'test commands are detected';
  return suites === 1 ? '1 test command' : `${suites} test commands`;
}
