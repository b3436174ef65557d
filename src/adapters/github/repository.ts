/** What is read of a repository: pull requests, issues, branches, files, permissions, and how to clone it. */
import { z } from 'zod';
import { InquestError } from '../../errors.ts';
import type { Forge, Issue, PullRequest } from '../../ports/forge.ts';
import { asking, askingMaybe } from './github-error.ts';
import { sizeOf } from './limits.ts';
import { collect, firstOf, itemsOf } from './pages.ts';
import { nameOf, type Reach } from './reach.ts';
import {
  blobSchema,
  branchNamesSchema,
  branchSchema,
  fileSchema,
  issueSchema,
  permissionSchema,
  pullRequestSchema,
  repositorySchema,
} from './schema.ts';

/** What GitHub calls the authors who belong to the repository. */
const WRITERS: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];
/** Larger files are no text that Inquest reads. */
const FILE_BYTES = 2 * 1024 * 1024;
/** GitHub may not list the pull requests of a fork's commit; so many pages of open ones are then looked through. */
const FORK_PAGES = 3;

export async function pullRequest(reach: Reach, number: number): Promise<PullRequest | null> {
  return askingMaybe(`read pull request #${number} of ${nameOf(reach)}`, async () => {
    const answer = await reach.client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...reach.at,
      pull_number: number,
    });
    return pullRequestFrom(pullRequestSchema.parse(answer.data));
  });
}

export async function pullRequestOf(reach: Reach, sha: string): Promise<PullRequest | null> {
  return askingMaybe(`find the pull request of ${nameOf(reach)} at ${sha}`, async () => {
    const ofCommit = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
      ...reach.at,
      commit_sha: sha,
      per_page: 100,
    });
    const isHead = (pull: z.infer<typeof pullRequestSchema>) => pull.state === 'open' && pull.head.sha === sha;
    const listed = await collect(itemsOf(ofCommit, pullRequestSchema, reach.limits.pages));
    const found = listed.filter(isHead).sort((one, other) => one.number - other.number)[0];
    if (found) return pullRequestFrom(found);
    const open = reach.client.paginate.iterator('GET /repos/{owner}/{repo}/pulls', {
      ...reach.at,
      state: 'open',
      sort: 'updated',
      direction: 'desc',
      per_page: 100,
    });
    const ofFork = await firstOf(itemsOf(open, pullRequestSchema, FORK_PAGES), isHead);
    return ofFork === null ? null : pullRequestFrom(ofFork);
  });
}

function pullRequestFrom(pull: z.infer<typeof pullRequestSchema>): PullRequest {
  return {
    number: pull.number,
    title: pull.title,
    body: pull.body ?? '',
    head_sha: pull.head.sha,
    head_branch: pull.head.ref,
    base_branch: pull.base.ref,
    base_sha: pull.base.sha,
    fork: pull.head.repo?.id !== pull.base.repo.id,
  };
}

export async function issue(reach: Reach, number: number): Promise<Issue | null> {
  return askingMaybe(`read issue #${number} of ${nameOf(reach)}`, async () => {
    const answer = await reach.client.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
      ...reach.at,
      issue_number: number,
    });
    const found = issueSchema.parse(answer.data);
    return {
      number: found.number,
      title: found.title,
      body: found.body ?? '',
      state: found.state === 'closed' ? 'closed' : 'open',
      author_may_write: WRITERS.includes(found.author_association ?? ''),
    };
  });
}

export async function defaultBranch(reach: Reach): Promise<string> {
  return (await repository(reach)).default_branch;
}

export async function cloneUrl(reach: Reach): Promise<string> {
  return (await repository(reach)).clone_url;
}

function repository(reach: Reach): Promise<z.infer<typeof repositorySchema>> {
  return asking(`read the repository ${nameOf(reach)}`, async () => {
    const answer = await reach.client.request('GET /repos/{owner}/{repo}', reach.at);
    return repositorySchema.parse(answer.data);
  });
}

export async function headOf(reach: Reach, branch: string): Promise<string | null> {
  return askingMaybe(`read branch ${branch} of ${nameOf(reach)}`, async () => {
    const answer = await reach.client.request('GET /repos/{owner}/{repo}/branches/{branch}', { ...reach.at, branch });
    return branchSchema.parse(answer.data).commit.sha;
  });
}

export async function branchesAt(reach: Reach, sha: string): Promise<readonly string[]> {
  const route = 'GET /repos/{owner}/{repo}/commits/{commit_sha}/branches-where-head';
  const found = await askingMaybe(`read the branches at ${sha} of ${nameOf(reach)}`, async () => {
    const answer = await reach.client.request(route, { ...reach.at, commit_sha: sha });
    return branchNamesSchema.parse(answer.data).map((branch) => branch.name);
  });
  return [...(found ?? [])].sort();
}

export async function file(reach: Reach, path: string, ref: string): Promise<string | null> {
  const doing = `read ${path} of ${nameOf(reach)} at ${ref}`;
  return askingMaybe(doing, async () => {
    const answer = await reach.client.request('GET /repos/{owner}/{repo}/contents/{path}', { ...reach.at, path, ref });
    const found = fileSchema.safeParse(answer.data).data;
    if (!found) return null;
    if (found.size > FILE_BYTES) {
      throw new InquestError('INPUT_TOO_LARGE', `Cannot ${doing}: it has ${sizeOf(found.size)}.`, {
        hint: `Files of up to ${sizeOf(FILE_BYTES)} are read.`,
      });
    }
    return textOf(found.encoding === 'base64' ? found.content : await blobContent(reach, found.sha));
  });
}

/** Over one megabyte GitHub leaves the content out of its answer. */
async function blobContent(reach: Reach, sha: string): Promise<string> {
  const answer = await reach.client.request('GET /repos/{owner}/{repo}/git/blobs/{file_sha}', {
    ...reach.at,
    file_sha: sha,
  });
  return blobSchema.parse(answer.data).content;
}

/** Null for what is no UTF-8 text. */
function textOf(base64: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return null;
  }
}

export async function permission(reach: Reach, login: string): ReturnType<Forge['permission']> {
  const found = await askingMaybe(`read the permission of ${login} on ${nameOf(reach)}`, async () => {
    const answer = await reach.client.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
      ...reach.at,
      username: login,
    });
    return permissionSchema.parse(answer.data).permission;
  });
  return found ?? 'none';
}

const tokenSchema = z.object({ token: z.string(), expiresAt: z.string() });
const FIVE_MINUTES = 5 * 60_000;

/** A token that can read this repository's contents, and nothing else. */
export async function cloneToken(reach: Reach): Promise<string> {
  return asking(`get a token to clone ${nameOf(reach)}`, async () => {
    const found = await tokenFor(reach, false);
    const left = Date.parse(found.expiresAt) - Date.now();
    return left > FIVE_MINUTES ? found.token : (await tokenFor(reach, true)).token;
  });
}

async function tokenFor(reach: Reach, refresh: boolean): Promise<z.infer<typeof tokenSchema>> {
  return tokenSchema.parse(
    await reach.client.auth({
      type: 'installation',
      repositoryIds: [reach.repo.repo_id],
      permissions: { contents: 'read' },
      refresh,
    }),
  );
}
