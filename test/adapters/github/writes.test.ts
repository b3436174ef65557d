import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Annotation, CheckReport, Forge } from '../../../src/ports/forge.ts';
import { startFlakyProxy } from './flaky-proxy.ts';
import { type ForgeSetup, startForge } from './forge-setup.ts';

let setup: ForgeSetup;
let forge: Forge;

beforeAll(async () => {
  setup = await startForge();
  forge = setup.forge();
});
afterAll(() => setup.close());

const MARKER = '<!-- inquest:report -->';

async function newIssue(): Promise<number> {
  return (await setup.github.createIssue({ repo: setup.handle, title: 'A failure' })).number;
}

function commentsOn(number: number) {
  return setup.github.state.comments.filter((comment) => comment.issue.number === number);
}

function inquestIssues(marker: string) {
  return setup.github.state.issues.filter((issue) => issue.viaApp !== null && issue.body?.includes(marker));
}

describe('The comment of Inquest', () => {
  it('is created once and then updated in place', async () => {
    const number = await newIssue();
    const first = await forge.upsertComment(setup.repo, number, MARKER, `${MARKER}\none`);
    const second = await forge.upsertComment(setup.repo, number, MARKER, `${MARKER}\ntwo`);
    expect(second).toEqual(first);
    expect(commentsOn(number).map((comment) => comment.body)).toEqual([`${MARKER}\ntwo`]);
  });

  it('is told from a copy that somebody else posted', async () => {
    const number = await newIssue();
    await setup.github.commentIssue({ repo: setup.handle, number, body: `${MARKER} copied`, author: 'mallory' });
    await forge.upsertComment(setup.repo, number, MARKER, `${MARKER}\nours`);
    expect(commentsOn(number).map((comment) => comment.body)).toEqual([`${MARKER} copied`, `${MARKER}\nours`]);
  });

  it('is found behind more than a hundred others', async () => {
    const number = await newIssue();
    for (let n = 0; n < 110; n += 1) await setup.github.commentIssue({ repo: setup.handle, number, body: `${n}` });
    await forge.upsertComment(setup.repo, number, MARKER, `${MARKER}\none`);
    await forge.upsertComment(setup.repo, number, MARKER, `${MARKER}\ntwo`);
    expect(commentsOn(number)).toHaveLength(111);
  });

  it('is posted once though the answer to the first try was lost', async () => {
    const number = await newIssue();
    const proxy = await startFlakyProxy(setup.github.apiUrl, { method: 'POST', path: /\/comments$/ });
    const behind = setup.forge({ apiUrl: proxy.url });
    await behind.upsertComment(setup.repo, number, MARKER, `${MARKER}\none`);
    expect(proxy.lost()).toBe(1);
    expect(commentsOn(number)).toHaveLength(1);
    await proxy.close();
  });

  it('is refused before it is sent when it is longer than GitHub takes', async () => {
    const number = await newIssue();
    const body = MARKER + 'x'.repeat(65_537 - MARKER.length);
    await expect(forge.upsertComment(setup.repo, number, MARKER, body)).rejects.toMatchObject({
      code: 'GITHUB_REFUSED',
      retryable: false,
    });
    expect(commentsOn(number)).toEqual([]);
  });
});

describe('The issue of a root cause', () => {
  it('is created once, updated in place, and opened anew after somebody closed it', async () => {
    const marker = '<!-- inquest:cause a -->';
    await newIssue();
    const first = await forge.upsertIssue(setup.repo, marker, 'Cause a', `${marker}\none`);
    expect(await forge.upsertIssue(setup.repo, marker, 'Cause a', `${marker}\ntwo`)).toEqual(first);
    expect(inquestIssues(marker).map(({ body }) => body)).toEqual([`${marker}\ntwo`]);
    for (const issue of inquestIssues(marker)) issue.state = 'closed';
    expect((await forge.upsertIssue(setup.repo, marker, 'Cause a', `${marker}\nthree`)).id).not.toBe(first.id);
  });

  it('is told from a copy that somebody else opened', async () => {
    const marker = '<!-- inquest:cause b -->';
    const copy = await setup.github.createIssue({
      repo: setup.handle,
      title: 'Cause b',
      body: marker,
      author: 'mallory',
    });
    const ours = await forge.upsertIssue(setup.repo, marker, 'Cause b', `${marker}\none`);
    expect(ours.id).not.toBe(copy.number);
  });
});

describe('The check run of Inquest', () => {
  const annotationsOf = (count: number): Annotation[] =>
    Array.from({ length: count }, (_, n) => ({
      path: 'src/total.ts',
      start_line: n + 1,
      end_line: n + 1,
      level: 'failure',
      title: 'total',
      message: `Line ${n + 1}`,
    }));

  function reportOf(over: Partial<CheckReport>): CheckReport {
    return {
      external_id: 'run_1',
      head_sha: setup.sha,
      status: 'completed',
      conclusion: 'neutral',
      title: 'Code is wrong',
      summary: 'Because.',
      annotations: [],
      ...over,
    };
  }

  function checkRuns(externalId: string) {
    return setup.github.state.checkRuns.filter((run) => run.externalId === externalId);
  }

  it('is created in progress and completed in place', async () => {
    const external_id = 'run_progress';
    const first = await forge.upsertCheckRun(
      setup.repo,
      reportOf({ external_id, status: 'in_progress', conclusion: null }),
    );
    expect(await forge.upsertCheckRun(setup.repo, reportOf({ external_id }))).toEqual(first);
    expect(checkRuns(external_id)).toMatchObject([{ name: 'Inquest', status: 'completed', conclusion: 'neutral' }]);
  });

  it('gets more than fifty annotations in batches, each once though the report is posted twice', async () => {
    const report = reportOf({ external_id: 'run_many', annotations: annotationsOf(120) });
    await forge.upsertCheckRun(setup.repo, report);
    await forge.upsertCheckRun(setup.repo, report);
    const [run] = checkRuns('run_many');
    expect(run?.annotations.map(({ message }) => message)).toEqual(report.annotations.map(({ message }) => message));
  });

  it('is complete and alone though answers were lost on the way', async () => {
    const report = reportOf({ external_id: 'run_lost', annotations: annotationsOf(70) });
    for (const method of ['POST', 'PATCH']) {
      const proxy = await startFlakyProxy(setup.github.apiUrl, { method, path: /\/check-runs/ });
      await setup.forge({ apiUrl: proxy.url }).upsertCheckRun(setup.repo, report);
      expect(proxy.lost()).toBe(1);
      await proxy.close();
    }
    expect(checkRuns('run_lost').map((run) => run.annotations.length)).toEqual([70]);
  });
});

describe('A reaction', () => {
  it('given twice is there once', async () => {
    const number = await newIssue();
    const { id } = await setup.github.commentIssue({ repo: setup.handle, number, body: '/inquest debug' });
    await forge.react(setup.repo, id, 'eyes');
    await forge.react(setup.repo, id, 'eyes');
    expect(commentsOn(number)[0]?.reactions.map(({ content }) => content)).toEqual(['eyes']);
  });
});
