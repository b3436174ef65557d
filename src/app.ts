/** The Probot app: a verified webhook becomes an accepted delivery and a queued job. All work is done by the job. */
import type { Logger } from 'pino';
import type { Probot } from 'probot';
import { z } from 'zod';
import { deliveryJob } from './jobs/delivery-job.ts';
import { COMMAND_EVENTS, type Command, commandOf, eventName } from './pipeline/command.ts';
import type { Self } from './pipeline/webhook-payload.ts';
import type { Queue } from './ports/queue.ts';
import type { Store } from './ports/store.ts';

export interface AppDeps {
  readonly store: Pick<Store, 'acceptDelivery' | 'isUnfinished' | 'findWait'>;
  readonly queue: Pick<Queue, 'enqueue'>;
  /** Slug and id of the App: what tells Inquest's own checks, comments and commits from those of others. */
  readonly appSlug?: string;
  readonly appId?: number;
  /** How long a failure waits for the next one of the same commit, in milliseconds. */
  readonly debounceMs: number;
  /** Default: Probot's. */
  readonly logger?: Logger;
}

interface Webhook {
  /** `X-GitHub-Delivery`: the same for a redelivery. */
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
}

type KnownEvent = Extract<Parameters<Probot['on']>[0], readonly unknown[]>[number];

/** The function that `probot.load` takes. No call to GitHub is made here: a webhook is answered when it is stored. */
export function createApp(deps: AppDeps): (probot: Probot) => void {
  const self: Self = { app_id: deps.appId ?? null, slug: deps.appSlug ?? null };
  return (probot) => {
    const logger = deps.logger ?? probot.log;
    const events = COMMAND_EVENTS as readonly KnownEvent[];
    probot.on([...events], ({ id, name, payload }) => receive({ id, name, payload }, deps, self, logger));
  };
}

async function receive(webhook: Webhook, deps: AppDeps, self: Self, logger: Logger): Promise<void> {
  const command = readCommand(webhook, self, logger);
  if (command === null || !(await isAwaited(command, deps))) return;
  const event = eventName(webhook.name, webhook.payload);
  const log = logger.child({ delivery_id: webhook.id, event, command: command.kind });
  const accepted = await deps.store.acceptDelivery({ delivery_id: webhook.id, event, command });
  // Stored but never queued (Redis was away): GitHub's redelivery makes good for it. The job's id keeps it from doubling.
  if (accepted === 'known' && !(await deps.store.isUnfinished(webhook.id))) {
    log.info('Redelivered webhook: nothing to do');
    return;
  }
  await deps.queue.enqueue(deliveryJob(webhook.id), { delayMs: isAskedByPerson(command) ? 0 : deps.debounceMs });
  log.info('Webhook accepted');
}

/** A payload that GitHub did not document is logged and acknowledged: sending it again would not mend it. */
function readCommand(webhook: Webhook, self: Self, logger: Logger): Command | null {
  try {
    return commandOf(webhook.name, webhook.payload, self);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const problems = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    logger.warn({ delivery_id: webhook.id, event: webhook.name, problems }, 'Webhook payload not understood: ignored');
    return null;
  }
}

/** Checks that end well matter only while a run waits for them; nearly always none does. */
async function isAwaited(command: Command, deps: AppDeps): Promise<boolean> {
  if (command.kind !== 'checks_progressed') return true;
  return (await deps.store.findWait(command.repo.repo_id, command.head_sha)) !== null;
}

function isAskedByPerson(command: Command): boolean {
  return command.kind === 'debug_issue' || command.kind === 'help';
}
