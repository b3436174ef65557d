/** Comments and issues that Inquest keeps up to date in place. */
import type { z } from 'zod';
import type { Forge, Written } from '../../ports/forge.ts';
import { asking } from './github-error.ts';
import { firstOf, itemsOf } from './pages.ts';
import { nameOf, type Reach } from './reach.ts';
import { commentSchema, issueSchema, writtenIssueSchema } from './schema.ts';
import { BODY_LIMIT, isOurs, requireFits, requireMarker, writeOnce } from './write-once.ts';

/** Creates the comment of the issue or pull request, or updates the one of ours that carries `marker`. */
export async function upsertComment(reach: Reach, number: number, marker: string, body: string): Promise<Written> {
  requireFits('The comment', body, BODY_LIMIT);
  requireMarker(reach, marker, body);
  return writeOnce(`comment on ${nameOf(reach)}#${number}`, async () => {
    const ours = await findComment(reach, number, marker);
    if (ours?.body === body) return { id: ours.id, url: ours.html_url };
    const answer =
      ours === null
        ? await reach.client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
            ...reach.at,
            issue_number: number,
            body,
            request: { once: true },
          })
        : await reach.client.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
            ...reach.at,
            comment_id: ours.id,
            body,
          });
    const written = commentSchema.parse(answer.data);
    return { id: written.id, url: written.html_url };
  });
}

function findComment(reach: Reach, number: number, marker: string): Promise<z.infer<typeof commentSchema> | null> {
  const pages = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...reach.at,
    issue_number: number,
    per_page: 100,
  });
  return firstOf(itemsOf(pages, commentSchema, reach.limits.pages), isOurs(reach, marker));
}

/** Creates the issue, or updates the open one of ours that carries `marker`. `id` is the issue's number. */
export async function upsertIssue(reach: Reach, marker: string, title: string, body: string): Promise<Written> {
  requireFits('The issue', body, BODY_LIMIT);
  requireMarker(reach, marker, body);
  return writeOnce(`write the issue ${JSON.stringify(title)} of ${nameOf(reach)}`, async () => {
    const ours = await findIssue(reach, marker);
    if (ours?.body === body && ours.title === title) return { id: ours.number, url: ours.html_url };
    const answer =
      ours === null
        ? await reach.client.request('POST /repos/{owner}/{repo}/issues', {
            ...reach.at,
            title,
            body,
            request: { once: true },
          })
        : await reach.client.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
            ...reach.at,
            issue_number: ours.number,
            title,
            body,
          });
    const written = writtenIssueSchema.parse(answer.data);
    return { id: written.number, url: written.html_url };
  });
}

/** Some GitHub Enterprise servers find nothing by a bot's name: then all open issues are looked through. */
async function findIssue(reach: Reach, marker: string): Promise<z.infer<typeof issueSchema> | null> {
  return (await openIssue(reach, marker, { creator: reach.botLogin })) ?? openIssue(reach, marker, {});
}

function openIssue(reach: Reach, marker: string, filter: { creator?: string }) {
  const pages = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/issues', {
    ...reach.at,
    ...filter,
    state: 'open',
    per_page: 100,
  });
  const ours = isOurs(reach, marker);
  return firstOf(
    itemsOf(pages, issueSchema, reach.limits.pages),
    (issue) => !issue.pull_request && issue.state === 'open' && ours(issue),
  );
}

/** GitHub answers a second reaction of the same kind with the first. */
export async function react(reach: Reach, commentId: number, content: Parameters<Forge['react']>[2]): Promise<void> {
  await asking(`react to comment ${commentId} of ${nameOf(reach)}`, () =>
    reach.client.request('POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', {
      ...reach.at,
      comment_id: commentId,
      content,
    }),
  );
}
