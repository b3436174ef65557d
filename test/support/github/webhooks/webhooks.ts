/** Webhook deliveries: signed, in order, kept, and sent again on request with the same id. */
import { createHmac, randomUUID } from 'node:crypto';
import { accountJson, installationJson, type Json } from '../json/account.ts';
import { repositoryJson } from '../json/repository.ts';
import { type Links, nodeId } from '../links.ts';
import type { Account, Installation, Repository } from '../model.ts';
import type { World } from '../world.ts';

export interface Attempt {
  readonly at: number;
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null;
  readonly error: string | null;
}

export interface Delivery {
  readonly id: number;
  /** `X-GitHub-Delivery`: stays the same when the delivery is sent again. */
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: Json;
  /** The exact text that is signed and sent. */
  readonly body: string;
  readonly attempts: Attempt[];
}

export interface WebhookSettings {
  url: string | null;
  readonly secret: string;
}

export type PayloadCheck = (event: string, action: string | null, payload: Json) => void;

/** Milliseconds that GitHub waits for an answer. */
const PATIENCE = 10_000;

export class Webhooks {
  readonly deliveries: Delivery[] = [];
  readonly settings: WebhookSettings;
  readonly #world: World;
  readonly #links: Links;
  readonly #check: PayloadCheck | null;
  readonly #closing = new AbortController();
  #queue: Promise<void> = Promise.resolve();

  constructor(world: World, links: Links, settings: WebhookSettings, check: PayloadCheck | null) {
    this.#world = world;
    this.#links = links;
    this.settings = settings;
    this.#check = check;
  }

  /** Tells the app about something in a repository, when it is installed there and listens to the event. */
  send(repository: Repository, event: string, action: string | null, sender: Account, fields: Json): void {
    const installation = this.#world.installationOf(repository);
    if (!installation?.events.includes(event)) return;
    this.#deliver(event, action, {
      ...(action === null ? {} : { action }),
      ...fields,
      repository: repositoryJson(this.#links, this.#world, repository),
      sender: accountJson(this.#links, sender),
      installation: { id: installation.id, node_id: nodeId('Installation', installation.id) },
    });
  }

  /** Events about the installation itself go to every app. */
  sendInstallation(installation: Installation, action: string, sender: Account): void {
    this.#deliver('installation', action, {
      action,
      installation: installationJson(this.#links, installation),
      repositories: installation.repositories.map((repository) => ({
        id: repository.id,
        node_id: nodeId('Repository', repository.id),
        name: repository.name,
        full_name: `${repository.owner.login}/${repository.name}`,
        private: repository.private,
      })),
      requester: null,
      sender: accountJson(this.#links, sender),
    });
  }

  /** Sends a kept delivery once more. Resolves when the answer is there. */
  async redeliver(id: number): Promise<void> {
    const delivery = this.deliveries.find((one) => one.id === id);
    if (!delivery) throw new Error(`There is no delivery ${id}.`);
    await this.#enqueue(delivery);
  }

  /** Resolves when everything is delivered or has failed. */
  async idle(): Promise<void> {
    let seen: Promise<void> | null = null;
    while (seen !== this.#queue) {
      seen = this.#queue;
      await seen;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.idle();
  }

  #deliver(event: string, action: string | null, payload: Json): void {
    if (this.#closing.signal.aborted) return;
    this.#check?.(event, action, payload);
    const id = this.#world.nextId();
    const body = JSON.stringify(payload);
    const delivery = { id, guid: randomUUID(), event, action, payload, body, attempts: [] };
    this.deliveries.push(delivery);
    void this.#enqueue(delivery);
  }

  #enqueue(delivery: Delivery): Promise<void> {
    const { url, secret } = this.settings;
    if (url === null) return Promise.resolve();
    this.#queue = this.#queue.then(async () => {
      const attempt = await this.#post(delivery, url, secret);
      delivery.attempts.push(attempt);
    });
    return this.#queue;
  }

  async #post(delivery: Delivery, url: string, secret: string): Promise<Attempt> {
    const at = this.#world.now();
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: delivery.body,
        headers: this.#headers(delivery, secret),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(PATIENCE), this.#closing.signal]),
      });
      await response.arrayBuffer();
      return { at, status: response.status, error: null };
    } catch (thrown) {
      return { at, status: null, error: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }

  #headers(delivery: Delivery, secret: string): Record<string, string> {
    const digest = (algorithm: string): string =>
      `${algorithm}=${createHmac(algorithm, secret).update(delivery.body).digest('hex')}`;
    return {
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/5f7c0d2',
      'x-github-delivery': delivery.guid,
      'x-github-event': delivery.event,
      'x-github-hook-id': '490000001',
      'x-github-hook-installation-target-id': String(this.#world.apps[0]?.id ?? 0),
      'x-github-hook-installation-target-type': 'integration',
      'x-hub-signature': digest('sha1'),
      'x-hub-signature-256': digest('sha256'),
    };
  }
}
