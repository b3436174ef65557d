/** Webhooks as GitHub sends them: payload builders, and a signed request. */
import { createHmac } from 'node:crypto';

export const SHA = '6dcb09b5b57875f334f61aebed695e2e4193db5e';

const REPOSITORY = { id: 42, name: 'shop', owner: { login: 'acme' } };
const COMMON = {
  installation: { id: 7 },
  repository: REPOSITORY,
  sender: { login: 'ada', type: 'User' },
};

export interface Payload {
  readonly [key: string]: unknown;
}

/** A `check_run` payload; `check` overrides fields of the check run, `rest` those around it. */
export function checkRunPayload(check: Payload = {}, rest: Payload = {}): Payload {
  return {
    action: 'completed',
    ...COMMON,
    check_run: {
      head_sha: SHA,
      conclusion: 'failure',
      app: { id: 15368, slug: 'github-actions' },
      pull_requests: [],
      ...check,
    },
    ...rest,
  };
}

export function checkSuitePayload(suite: Payload = {}, rest: Payload = {}): Payload {
  return {
    action: 'completed',
    ...COMMON,
    check_suite: {
      head_sha: SHA,
      conclusion: 'failure',
      app: { id: 15368, slug: 'github-actions' },
      pull_requests: [],
      head_commit: { author: { name: 'Ada', email: 'ada@example.com' } },
      ...suite,
    },
    ...rest,
  };
}

export function workflowRunPayload(run: Payload = {}, rest: Payload = {}): Payload {
  return {
    action: 'completed',
    ...COMMON,
    workflow_run: { head_sha: SHA, conclusion: 'failure', pull_requests: [], head_commit: null, ...run },
    ...rest,
  };
}

export function statusPayload(status: Payload = {}): Payload {
  return { ...COMMON, sha: SHA, state: 'failure', commit: { commit: { author: { name: 'Ada' } } }, ...status };
}

export function labeledPayload(label: string, rest: Payload = {}): Payload {
  return { action: 'labeled', ...COMMON, issue: { number: 5 }, label: { name: label }, ...rest };
}

export function commentPayload(body: string, comment: Payload = {}, rest: Payload = {}): Payload {
  return {
    action: 'created',
    ...COMMON,
    issue: { number: 5 },
    comment: {
      id: 99,
      body,
      author_association: 'MEMBER',
      user: { login: 'ada', type: 'User' },
      performed_via_github_app: null,
      ...comment,
    },
    ...rest,
  };
}

export function pullRequestPayload(action: string, rest: Payload = {}): Payload {
  return { action, ...COMMON, before: 'b'.repeat(40), pull_request: { number: 3, head: { sha: SHA } }, ...rest };
}

export interface SignedWebhook {
  readonly url: string;
  readonly secret: string;
  readonly event: string;
  readonly delivery: string;
  readonly payload: unknown;
}

/** Posts the webhook with GitHub's headers. */
export function sendWebhook({ url, secret, event, delivery, payload }: SignedWebhook): Promise<Response> {
  const body = JSON.stringify(payload);
  return fetch(`${url}/api/github/webhooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  });
}
