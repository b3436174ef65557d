/** `npm run bench`: measures what the project promises about speed. Figures are goals, not assertions. */
import { parseArgs } from 'node:util';
import { benchFlow } from './flow.ts';
import { benchLatency } from './latency.ts';
import type { Figure } from './measure.ts';
import { benchParse } from './parse.ts';
import { benchWebhook } from './webhook.ts';

const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  webhook: benchWebhook,
  flow: benchFlow,
  parse: benchParse,
  latency: benchLatency,
};

const HELP = `Usage: npm run bench [-- OPTIONS]

Measures on this machine, as ratios within one run where there is a baseline:
  webhook   time to acknowledge a webhook, against a bare Probot app with an empty handler, 200 concurrent
  flow      jobs a second through the flow with empty states, against bare BullMQ (needs redis-server)
  parse     a 200 MB Actions log, against grep -cE of the failing-line patterns; and its peak memory
  latency   failing check to posted comment, with the work of the tests taken out

Options:
  --only NAME   one of the above; may be given several times
  --json        the figures as JSON
  --help        this text

Exit codes: 0 measured, whether or not the goals are reached; 1 a benchmark could not run; 2 usage.
`;

interface Options {
  readonly names: readonly string[];
  readonly json: boolean;
}

function readOptions(argv: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const unknown = values.only.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown !== undefined) throw new Error(`--only takes ${Object.keys(BENCHES).join(', ')}; not ${unknown}`);
  return { names: values.only.length === 0 ? Object.keys(BENCHES) : values.only, json: values.json };
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.reached ? '✓' : '✗',
    figure.name,
    `${figure.value >= 100 ? Math.round(figure.value) : figure.value.toPrecision(3)} ${figure.unit}`,
    figure.goal,
  ]);
  const all = [['', 'what', 'measured', 'goal'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const details = figures.map(({ name, detail }) => `${name}\n  ${detail}`);
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n\n${details.join('\n')}\n`;
}

async function main(argv: readonly string[]): Promise<number> {
  let options: Options | 'help';
  try {
    options = readOptions(argv);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return 2;
  }
  if (options === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  const figures: Figure[] = [];
  for (const name of options.names) {
    process.stderr.write(`measuring ${name} …\n`);
    figures.push(...((await BENCHES[name]?.()) ?? []));
  }
  process.stdout.write(options.json ? `${JSON.stringify(figures, null, 2)}\n` : table(figures));
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
