/** `npm run demo`: Inquest's main job from failing CI to posted comment, on this machine, with nothing faked but GitHub. */
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { InquestError } from '../src/errors.ts';
import { type CaseResult, type OpenedPull, resultOf, runOf } from './follow.ts';
import { progressStream, say } from './progress.ts';
import { samplePulls } from './sample.ts';
import { type Stage, setStage } from './stage.ts';
import { summaryTable } from './table.ts';

const HELP = `Usage: npm run demo [-- OPTIONS]

Starts a local GitHub and Inquest in one process, pushes a sample repository, opens pull requests whose CI fails, and
shows what Inquest says about them. No account, key, Redis or database is needed.

Options:
  --once           run to the end, print a summary, check it, and exit
  --json           print the summary as JSON (with --once)
  --port PORT      port of the local GitHub's pages (default: a free one)
  --sandbox host   run the sample's tests without isolation, where bubblewrap cannot be had
  --help           this text

Examples:
  npm run demo                     stays up; open the printed pages in a browser
  npm run demo -- --once           exits 0 when every case came out as expected, else 1
  npm run demo -- --once --json    the same for programs

Exit codes: 0 as expected, 1 not as expected, 2 usage or something is missing on this machine.
`;

/** CI and Inquest together need a few seconds a pull request; this is for slow machines. */
const TIMEOUT_MS = 180_000;

interface Options {
  readonly once: boolean;
  readonly json: boolean;
  readonly port: number;
  readonly sandbox: 'bubblewrap' | 'host';
}

function readOptions(argv: readonly string[]): Options | 'help' {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        once: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        port: { type: 'string', default: '0' },
        sandbox: { type: 'string', default: 'bubblewrap' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Error(`--port takes a number from 0 to 65535, not ${values.port}`);
    if (values.sandbox !== 'bubblewrap' && values.sandbox !== 'host')
      throw new Error(`--sandbox takes bubblewrap or host, not ${values.sandbox}`);
    return { once: values.once, json: values.json, port, sandbox: values.sandbox };
  } catch (error) {
    throw new InquestError('USAGE', error instanceof Error ? error.message : String(error), {
      hint: 'See npm run demo -- --help.',
    });
  }
}

async function demo(options: Options): Promise<number> {
  const logger = pino({ level: 'info' }, progressStream());
  const stage = await setStage({ logger, sandbox: options.sandbox, port: options.port });
  try {
    say(`GitHub (simulated) at ${stage.github.url}`);
    say(`Inquest at ${stage.inquest.server?.url}`);
    const results = await playAll(stage);
    const isRight = results.every((result) => result.ok);
    if (options.json)
      process.stdout.write(`${JSON.stringify({ schema: 'inquest.demo/v1', ok: isRight, cases: results }, null, 2)}\n`);
    else process.stdout.write(summaryTable(results));
    if (!options.once) await stayUp(stage, results);
    return isRight ? 0 : 1;
  } finally {
    await stage.close();
  }
}

async function playAll(stage: Stage): Promise<CaseResult[]> {
  const opened: OpenedPull[] = [];
  for (const pull of await samplePulls()) {
    const { number, url, headSha } = await stage.openPull(pull);
    say(`pull request ${number} opened: ${pull.title}`);
    opened.push({ pull, number, url, headSha });
  }
  const results: CaseResult[] = [];
  for (const one of opened) {
    const run = await runOf(stage.inquest.store, one.headSha, TIMEOUT_MS);
    if (run === null)
      throw new InquestError('INTERNAL', `No run of ${one.pull.slug} ended within ${TIMEOUT_MS / 1000} s.`);
    results.push(await resultOf(stage.inquest.store, one, run));
  }
  return results;
}

/** Until Ctrl-C. */
async function stayUp(stage: Stage, results: readonly CaseResult[]): Promise<void> {
  say('');
  for (const result of results) say(`look at ${result.comment_url}`);
  say(`all pull requests: ${stage.github.url}/${stage.repository.owner}/${stage.repository.name}/pulls`);
  say('Ctrl-C ends the demo.');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else process.exitCode = await demo(options);
} catch (error) {
  if (!(error instanceof InquestError)) throw error;
  process.stderr.write(`demo: ${error.message}\n${error.hint === null ? '' : `${error.hint}\n`}`);
  process.exitCode = 2;
}
