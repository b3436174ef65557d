/** `npm run score -- corpus DIR…`: how well the parsers read labelled CI output. */
import { access, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { InquestError, toInquestError } from '../../src/errors.ts';
import { ASPECTS, type Aspect, type OutputScore, scoreOutputs } from './corpus-outputs.ts';
import { type SignalScore, scoreSignals } from './corpus-signals.ts';

interface CorpusScore {
  readonly outputs: readonly OutputScore[];
  readonly signals: readonly SignalScore[];
}

const FOLDER_HELP = `A folder is one of
  - CI outputs with an INDEX.tsv (file, runner, failing_tests, first_failing_test, primary_file, …)
  - folders that each hold a raw.log and a ground_truth.json
  - a folder of such folders`;

const program = new Command('score').description('Scores what Inquest reads from labelled CI output.');
program
  .command('corpus')
  .description('Scores the parsers on labelled samples.')
  .argument('<dir...>', 'folders of samples')
  .option('--json', 'print the scores as JSON')
  .addHelpText('after', `\n${FOLDER_HELP}`)
  .action(async (folders: string[], options: { json?: true }) => {
    const score = await scoreFolders(folders);
    console.log(options.json ? JSON.stringify({ ...score, totals: totals(score) }, null, 2) : render(score));
  });

try {
  await program.parseAsync();
} catch (thrown) {
  const error = toInquestError(thrown);
  console.error(`${error.code}: ${error.message}${error.hint === null ? '' : `\n${error.hint}`}`);
  process.exitCode = 2;
}

async function scoreFolders(folders: readonly string[]): Promise<CorpusScore> {
  const outputs: OutputScore[] = [];
  const signals: SignalScore[] = [];
  for (const folder of await sampleFolders(folders)) {
    if (await exists(join(folder, 'INDEX.tsv'))) outputs.push(...(await scoreOutputs(folder)));
    else signals.push(await scoreSignals(resolve(folder, '..'), folder.slice(folder.lastIndexOf('/') + 1)));
  }
  if (outputs.length + signals.length === 0) {
    throw new InquestError('INPUT_UNREADABLE', `No labelled samples in ${folders.join(', ')}.`, { hint: FOLDER_HELP });
  }
  return { outputs, signals };
}

/** The folders themselves, their children and grandchildren that hold samples, in name order. */
async function sampleFolders(roots: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  let level = roots.map((root) => resolve(root));
  for (let depth = 0; depth < 3; depth += 1) {
    const deeper: string[] = [];
    for (const folder of level) {
      if ((await exists(join(folder, 'INDEX.tsv'))) || (await exists(join(folder, 'ground_truth.json'))))
        found.push(folder);
      else deeper.push(...(await childFolders(folder)));
    }
    level = deeper;
  }
  return found;
}

async function childFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new InquestError('INPUT_UNREADABLE', `${folder} cannot be read as a folder.`, { cause });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.sort().map((name) => join(folder, name));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function totals(score: CorpusScore) {
  const aspects = Object.fromEntries(ASPECTS.map((aspect) => [aspect, tally(score.outputs, aspect)]));
  const count = Math.max(1, score.signals.length);
  return {
    outputs: {
      samples: score.outputs.length,
      all_right: score.outputs.filter((one) => one.wrong.length === 0).length,
      ...aspects,
    },
    signals: {
      cases: score.signals.length,
      recall: score.signals.reduce((sum, one) => sum + one.recall, 0) / count,
      in_span: score.signals.filter((one) => one.in_span).length,
    },
  };
}

function tally(outputs: readonly OutputScore[], aspect: Aspect): { right: number; of: number } {
  const said = outputs.map((one) => one.right[aspect]).filter((right) => right !== null);
  return { right: said.filter(Boolean).length, of: said.length };
}

function render(score: CorpusScore): string {
  const sum = totals(score);
  const lines = score.outputs.map((one) => {
    const marks = ASPECTS.map((aspect) => markOf(one.right[aspect])).join('');
    return [`${marks}  ${one.file}`, ...one.wrong.map((wrong) => `            ${wrong}`)].join('\n');
  });
  if (score.outputs.length > 0) {
    lines.push(
      `\n${ASPECTS.map((aspect) => `${aspect} ${tally(score.outputs, aspect).right}/${tally(score.outputs, aspect).of}`).join('  ')}`,
    );
    lines.push(`all right ${sum.outputs.all_right}/${sum.outputs.samples}\n`);
  }
  for (const one of score.signals) {
    lines.push(`${one.recall.toFixed(2)} ${one.in_span ? 'in span' : '       '} ${one.packets} packets  ${one.case}`);
    lines.push(...one.missing.map((missing) => `            missing ${missing}`));
  }
  if (score.signals.length > 0)
    lines.push(`\nrecall ${sum.signals.recall.toFixed(3)}  in span ${sum.signals.in_span}/${sum.signals.cases}`);
  return lines.join('\n');
}

function markOf(right: boolean | null): string {
  if (right === null) return '·';
  return right ? '✓' : '✗';
}
