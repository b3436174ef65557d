import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commandOf, commandSchema } from '../../src/pipeline/command.ts';
import type { Self } from '../../src/pipeline/webhook-payload.ts';
import {
  checkRunPayload,
  checkSuitePayload,
  commentPayload,
  labeledPayload,
  pullRequestPayload,
  SHA,
  statusPayload,
  workflowRunPayload,
} from '../adapters/github/webhooks.ts';

const SELF: Self = { app_id: 77, slug: 'inquest' };
const REPO = { installation_id: 7, repo_id: 42, owner: 'acme', name: 'shop' };
const OWN_BOT = { login: 'inquest[bot]', type: 'Bot' };
const CHECKS_FAILED = { kind: 'checks_failed', repo: REPO, head_sha: SHA };
const CHECKS_PROGRESSED = { kind: 'checks_progressed', repo: REPO, head_sha: SHA };

describe('A failing check starts an investigation of its commit', () => {
  it.each([
    ['check_run', checkRunPayload()],
    ['check_run', checkRunPayload({ conclusion: 'timed_out' })],
    ['check_suite', checkSuitePayload()],
    ['workflow_run', workflowRunPayload()],
    ['status', statusPayload()],
    ['status', statusPayload({ state: 'error' })],
  ])('%s %#', (event, payload) => {
    expect(commandOf(event, payload, SELF)).toEqual(CHECKS_FAILED);
  });
});

describe('A check that ends well matters only to a run that waits', () => {
  it.each([
    ['check_suite', checkSuitePayload({ conclusion: 'success' })],
    ['workflow_run', workflowRunPayload({ conclusion: 'cancelled' })],
    ['status', statusPayload({ state: 'success' })],
  ])('%s becomes checks_progressed', (event, payload) => {
    expect(commandOf(event, payload, SELF)).toEqual(CHECKS_PROGRESSED);
  });

  it.each([
    ['check_run', checkRunPayload({ conclusion: 'success' })],
    ['check_run', checkRunPayload({}, { action: 'created' })],
    ['status', statusPayload({ state: 'pending' })],
    ['push', { ref: 'refs/heads/main' }],
  ])('%s %# asks for nothing', (event, payload) => {
    expect(commandOf(event, payload, SELF)).toBeNull();
  });
});

describe('Inquest never reacts to itself', () => {
  it.each([
    ['its check run, by id', 'check_run', checkRunPayload({ app: { id: 77, slug: 'renamed' } })],
    ['its check run, by slug', 'check_run', checkRunPayload({ app: { id: 1, slug: 'inquest' } })],
    ['its check suite', 'check_suite', checkSuitePayload({ app: { id: 77 }, conclusion: 'success' })],
    ['checks of its push', 'check_run', checkRunPayload({}, { sender: OWN_BOT })],
    ['a suite of its push', 'check_suite', checkSuitePayload({}, { sender: OWN_BOT })],
    ['its commit', 'check_suite', checkSuitePayload({ head_commit: { author: { name: 'inquest[bot]' } } })],
    ['its commit', 'workflow_run', workflowRunPayload({ head_commit: { author: { name: 'inquest[bot]' } } })],
    ['its commit', 'status', statusPayload({ commit: { commit: { author: { name: 'inquest[bot]' } } } })],
    ['its push', 'pull_request', pullRequestPayload('synchronize', { sender: OWN_BOT })],
    ['its label', 'issues', labeledPayload('inquest:debug', { sender: OWN_BOT })],
    ['its comment', 'issue_comment', commentPayload('/inquest debug', { user: OWN_BOT }, { sender: OWN_BOT })],
  ])('%s (%s)', (_what, event, payload) => {
    expect(commandOf(event, payload, SELF)).toBeNull();
  });
});

describe('A person asks for an investigation of an issue', () => {
  const ASKED = { kind: 'debug_issue', repo: REPO, issue: 5, is_pull_request: false, actor: 'ada' };

  it('by label', () => {
    expect(commandOf('issues', labeledPayload('inquest:debug'), SELF)).toEqual({ ...ASKED, comment_id: null });
  });

  it.each(['/inquest debug', '  /Inquest   DEBUG please\r\nmore', '/inquest debug\n\n/inquest help'])(
    'by comment %j',
    (body) => {
      expect(commandOf('issue_comment', commentPayload(body), SELF)).toEqual({ ...ASKED, comment_id: 99 });
    },
  );

  it('on a pull request', () => {
    const payload = commentPayload('/inquest debug', {}, { issue: { number: 5, pull_request: { url: 'x' } } });
    expect(commandOf('issue_comment', payload, SELF)).toMatchObject({ kind: 'debug_issue', is_pull_request: true });
  });

  it.each([
    ['another label', 'issues', labeledPayload('bug')],
    ['a label set by a bot', 'issues', labeledPayload('inquest:debug', { sender: { login: 'x[bot]', type: 'Bot' } })],
    ['a comment of a stranger', 'issue_comment', commentPayload('/inquest debug', { author_association: 'NONE' })],
    [
      'a comment of a contributor',
      'issue_comment',
      commentPayload('/inquest debug', { author_association: 'CONTRIBUTOR' }),
    ],
    [
      'a comment of a bot',
      'issue_comment',
      commentPayload('/inquest debug', { user: { login: 'b[bot]', type: 'Bot' } }),
    ],
    ['a comment by an app', 'issue_comment', commentPayload('/inquest debug', { performed_via_github_app: { id: 3 } })],
    ['an edited comment', 'issue_comment', commentPayload('/inquest debug', {}, { action: 'edited' })],
    ['a command that is not on the first line', 'issue_comment', commentPayload('Look:\n/inquest debug')],
    ['a longer word', 'issue_comment', commentPayload('/inquestdebug')],
    ['a deleted account', 'issue_comment', commentPayload('/inquest debug', { user: null })],
  ])('but not by %s', (_what, event, payload) => {
    expect(commandOf(event, payload, SELF)).toBeNull();
  });
});

describe('A verb that Inquest does not know is answered with help', () => {
  it.each([
    ['/inquest help', 'help'],
    ['/inquest', null],
    ['/inquest fly', 'fly'],
    ['/inquest <img/src=x>', null],
  ])('%j', (body, verb) => {
    expect(commandOf('issue_comment', commentPayload(body), SELF)).toMatchObject({
      kind: 'help',
      verb,
      comment_id: 99,
    });
  });
});

describe('A push to a pull request makes older runs out of date', () => {
  it('synchronize becomes head_moved', () => {
    expect(commandOf('pull_request', pullRequestPayload('synchronize'), SELF)).toEqual({
      kind: 'head_moved',
      repo: REPO,
      pull_request: 3,
      head_sha: SHA,
    });
  });

  it('closed becomes pull_request_closed', () => {
    expect(commandOf('pull_request', pullRequestPayload('closed'), SELF)).toEqual({
      kind: 'pull_request_closed',
      repo: REPO,
      pull_request: 3,
      head_sha: SHA,
    });
  });

  it('opened asks for nothing', () => {
    expect(commandOf('pull_request', pullRequestPayload('opened'), SELF)).toBeNull();
  });
});

describe('A command survives the store', () => {
  it.each([
    ['check_run', checkRunPayload()],
    ['check_suite', checkSuitePayload({ conclusion: 'success' })],
    ['issues', labeledPayload('inquest:debug')],
    ['issue_comment', commentPayload('/inquest help')],
    ['pull_request', pullRequestPayload('synchronize')],
    ['pull_request', pullRequestPayload('closed')],
  ])('%s %#', (event, payload) => {
    const command = commandOf(event, payload, SELF);
    expect(commandSchema.parse(JSON.parse(JSON.stringify(command)))).toEqual(command);
  });
});

describe('A payload that GitHub did not document', () => {
  it('is an error with the path of the field', () => {
    expect(() => commandOf('check_run', { action: 'completed' }, SELF)).toThrow(/installation/);
  });

  it('never does anything worse than throw a ZodError', () => {
    const events = fc.constantFrom('check_run', 'status', 'issues', 'issue_comment', 'pull_request', 'x');
    fc.assert(
      fc.property(events, fc.jsonValue(), (event, payload) => {
        try {
          commandOf(event, payload, SELF);
        } catch (error) {
          expect(error).toHaveProperty('name', 'ZodError');
        }
      }),
      { seed: 4711, numRuns: 200 },
    );
  });
});
