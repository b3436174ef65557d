/** What people can ask for by label and comment, and who may. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RepositoryHandle } from '../support/github/people.ts';
import { failingLog, shop } from '../support/project.ts';
import { isReport, type OpenedPull, reportIn, type Stage, startStage } from './stage.ts';

const WRONG = { cost: 8, asserted: 7 };

let stage: Stage;
let repo: RepositoryHandle;
let pull: OpenedPull;

beforeAll(async () => {
  stage = await startStage();
  repo = await stage.createProject('asked', shop(WRONG));
  stage.github.setRole(repo, 'robin', 'write');
  stage.github.setRole(repo, 'rita', 'read');
  pull = await stage.openPull(repo, 'asked', { 'README.md': 'A shop' });
}, 60_000);
afterAll(() => stage.close());

async function say(number: number, body: string, author: string) {
  const { id } = await stage.github.commentIssue({ repo, number, body, author });
  await stage.settled();
  const comment = stage.github.state.comments.find((one) => one.id === id);
  return comment?.reactions.map((reaction) => reaction.content) ?? [];
}

const openIssue = async () =>
  (await stage.github.createIssue({ repo, title: 'Parcels are too dear', author: 'robin' })).number;

describe('A person with write access', () => {
  it('asks on an issue by label: the default branch is run, the report is a comment', async () => {
    const number = await openIssue();
    await stage.github.addLabel({ repo, number, label: 'inquest:debug', sender: 'robin' });
    await stage.settled();
    const [comment, ...more] = stage.comments(repo, number);
    expect(more).toEqual([]);
    expect(reportIn(comment)).toMatchObject({ action: 'route_code', failures: [{ cause: 'code' }] });
    expect(await stage.runs(repo)).toMatchObject([{ issue: number, pull_request: null, head_branch: 'main' }]);
  });

  it('asks on a pull request by comment: eyes, then the report', async () => {
    await stage.github.playWorkflow({
      repo,
      branch: pull.branch,
      jobs: [{ name: 'test', conclusion: 'cancelled', log: failingLog(WRONG) }],
    });
    expect(await say(pull.number, '/inquest debug', 'robin')).toEqual(['eyes']);
    expect(stage.comments(repo, pull.number).filter(isReport)).toHaveLength(1);
    expect(reportIn(stage.comments(repo, pull.number)[0])).toMatchObject({ action: 'route_code' });
  });

  it('asks by label on a pull request', async () => {
    const before = (await stage.runs(repo)).length;
    await stage.github.addLabel({ repo, number: pull.number, label: 'inquest:debug', sender: 'robin' });
    await stage.settled();
    expect(await stage.runs(repo)).toHaveLength(before + 1);
    expect(stage.comments(repo, pull.number).filter(isReport)).toHaveLength(1);
  });

  it('asks for help, or says what does not exist: the list of commands, once', async () => {
    const number = await openIssue();
    expect(await say(number, '/inquest help', 'robin')).toEqual(['+1']);
    expect(await say(number, '/inquest conquer', 'robin')).toEqual(['confused']);
    const [comment, ...more] = stage.comments(repo, number);
    expect(more).toEqual([]);
    expect(comment).toContain('`/inquest debug`');
  });
});

describe('Somebody without write access', () => {
  it.each([
    ['a reader', 'rita', ['confused']],
    ['a stranger', 'sam', []],
  ])('is refused, and nothing runs: %s', async (_who, author, reactions) => {
    const number = await openIssue();
    const before = (await stage.runs(repo)).length;
    expect(await say(number, '/inquest debug', author)).toEqual(reactions);
    await stage.github.addLabel({ repo, number, label: 'inquest:debug', sender: author });
    await stage.settled();
    expect(await stage.runs(repo)).toHaveLength(before);
    expect(stage.comments(repo, number)).toEqual([]);
  });
});
