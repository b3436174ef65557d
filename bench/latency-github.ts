/** Child process of the latency bench: the GitHub simulator, with pull requests that fail when the parent asks for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type GithubSimulator, startGithub } from '../test/support/github/simulator.ts';
import { failingLog, pushFiles, shop } from '../test/support/project.ts';

/** What the parent has to know to be this GitHub's App. */
export interface Ready {
  readonly apiUrl: string;
  readonly app: GithubSimulator['app'];
}

/** Times are milliseconds since the epoch, by the clock of this machine. */
export interface Answered {
  readonly head_sha: string;
  /** When the webhook of the failing check was sent. */
  readonly failed_at: number;
  /** When the comment was stored here. */
  readonly commented_at: number;
}

const requestSchema = z.object({ webhook: z.string(), branch: z.string() });
const failureSchema = z.object({ check_run: z.object({ conclusion: z.literal('failure'), head_sha: z.string() }) });

const PATIENCE_MS = 60_000;
const LOOK_MS = 5;
const CODE_IS_WRONG = { cost: 9, asserted: 7 };

const github = await startGithub();
const repo = await github.createRepository({ owner: 'acme', name: 'shop' });
await github.installApp(repo);
await pushFiles(repo.pushUrl, 'main', shop({ cost: 7, asserted: 7 }));

process.on('message', (message) => void fail(requestSchema.parse(message)).then((answer) => process.send?.(answer)));
process.once('disconnect', () => void github.close().then(() => process.exit(0)));
process.send?.({ apiUrl: github.apiUrl, app: github.app } satisfies Ready);

async function fail({ webhook, branch }: z.output<typeof requestSchema>): Promise<Answered> {
  github.setWebhook(null);
  const head_sha = await pushFiles(repo.pushUrl, branch, shop(CODE_IS_WRONG), `Change ${branch}`);
  const { number } = await github.openPullRequest({ repo, head: branch, title: `Change ${branch}` });
  github.setWebhook(webhook);
  const job = { name: 'test', conclusion: 'failure', log: failingLog(CODE_IS_WRONG) } as const;
  await (await github.playWorkflow({ repo, branch, event: 'pull_request', jobs: [job] })).done;
  return { head_sha, commented_at: await commentedAt(number), failed_at: failedAt(head_sha) };
}

async function commentedAt(pull: number): Promise<number> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const comment = github.state.comments.find(({ issue, viaApp }) => viaApp !== null && issue.number === pull);
    if (comment) return comment.createdAt;
    await sleep(LOOK_MS);
  }
  throw new Error(`No comment on #${pull} within ${PATIENCE_MS} ms.`);
}

function failedAt(sha: string): number {
  const sent = github.state.deliveries.find(({ payload }) => {
    const failure = failureSchema.safeParse(payload);
    return failure.success && failure.data.check_run.head_sha === sha;
  });
  const at = sent?.attempts[0]?.at;
  if (at === undefined) throw new Error(`No webhook about a failing check of ${sha} was sent.`);
  return at;
}
