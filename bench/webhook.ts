/** Time until a failing check's webhook is acknowledged: Inquest (which stores it) against a bare Probot app with an empty handler. */
import { fork } from 'node:child_process';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { type Figure, median, quantile } from './measure.ts';

const SERVER = fileURLToPath(new URL('./webhook-server.ts', import.meta.url));
const SECRET = 'a secret for the benchmark';
const CONCURRENT = 200;
const REQUESTS = 4000;
const WARM_UP = 1000;
const ROUNDS = 5;
const GOAL = 1.2;

export async function benchWebhook(): Promise<readonly Figure[]> {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString();
  const [bare, inquest] = [await startServer('bare', key), await startServer('inquest', key)];
  const ratios = { p50: [] as number[], p99: [] as number[] };
  const times: string[] = [];
  try {
    for (const server of [bare, inquest]) await load(server.port, WARM_UP, 'warm');
    for (let round = 0; round < ROUNDS; round += 1) {
      // Whoever goes second may profit or suffer: take turns.
      const order = round % 2 === 0 ? [bare, inquest] : [inquest, bare];
      const results = new Map<typeof bare, number[]>();
      for (const server of order) results.set(server, await load(server.port, REQUESTS, `${round}`));
      const [ours, theirs] = [results.get(inquest) ?? [], results.get(bare) ?? []];
      ratios.p50.push(quantile(ours, 0.5) / quantile(theirs, 0.5));
      ratios.p99.push(quantile(ours, 0.99) / quantile(theirs, 0.99));
      times.push(`${quantile(ours, 0.5).toFixed(1)}/${quantile(theirs, 0.5).toFixed(1)} ms`);
    }
  } finally {
    for (const server of [bare, inquest]) await server.stop();
  }
  const detail = `${CONCURRENT} concurrent, ${ROUNDS} rounds of ${REQUESTS}; p50 ours/bare: ${times.join(', ')}`;
  return (['p50', 'p99'] as const).map((name) => {
    const value = median(ratios[name]);
    return {
      name: `webhook acknowledged, ${name}`,
      value,
      unit: '× bare Probot',
      goal: `≤ ${GOAL}`,
      reached: value <= GOAL,
      detail,
    };
  });
}

async function startServer(kind: 'bare' | 'inquest', key: string) {
  const child = fork(SERVER, [kind, key, SECRET], { execArgv: ['--import', 'tsx'] });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { port: message.port, stop };
}

/** Sends the requests, `CONCURRENT` at a time, and returns each one's milliseconds. */
async function load(port: number, count: number, name: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
  const body = failingCheck();
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const times: number[] = [];
  let next = 0;
  const sender = async () => {
    while (next < count) {
      const delivery = `${name}-${port}-${next}`;
      next += 1;
      const begin = performance.now();
      await send(agent, port, body, signature, delivery);
      times.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, sender));
  agent.destroy();
  return times;
}

function send(agent: Agent, port: number, body: Buffer, signature: string, delivery: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-github-event': 'check_run',
      'x-github-delivery': delivery,
      'x-hub-signature-256': signature,
    };
    const call = request(
      { agent, port, host: '127.0.0.1', method: 'POST', path: '/api/github/webhooks', headers },
      (response) => {
        response.resume();
        response.once('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
        );
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

/** What the package holds; its types describe the module, not the JSON. */
interface WebhookExamples {
  readonly name: string;
  readonly examples: readonly { readonly action?: string }[];
}

/** GitHub's own example of a completed check run, made to fail. */
function failingCheck(): Buffer {
  const found = (examples as unknown as readonly WebhookExamples[])
    .find((event) => event.name === 'check_run')
    ?.examples.find((one) => one.action === 'completed');
  if (found === undefined) throw new Error('@octokit/webhooks-examples has no completed check run.');
  const payload = structuredClone(found) as unknown as { check_run: { conclusion: string }; installation?: object };
  payload.check_run.conclusion = 'failure';
  payload.installation ??= { id: 1, node_id: 'x' };
  return Buffer.from(JSON.stringify(payload));
}
