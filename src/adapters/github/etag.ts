/** Octokit plugin: asks "has it changed?" where the answer is known; GitHub does not count such requests. */
import type { Octokit } from '@octokit/core';
import { readFailure } from './github-error.ts';

/** How many answers are remembered, the oldest forgotten first. */
const REMEMBERED = 64;

type Answer = Awaited<ReturnType<Octokit['request']>>;

/** Remembers JSON answers that carry an ETag. One memory per Octokit, hence per installation. */
export function conditional(octokit: Octokit): void {
  const answers = new Map<string, Answer>();
  octokit.hook.wrap('request', async (request, options) => {
    if (options.method !== 'GET' || options.request.redirect === 'manual') return request(options);
    const { url } = octokit.request.endpoint(options);
    const known = answers.get(url);
    if (known?.headers.etag) options.headers['if-none-match'] = known.headers.etag;
    try {
      const answer = await request(options);
      if (answer.headers.etag) remember(answers, url, copyOf(answer));
      return answer;
    } catch (error) {
      if (known !== undefined && readFailure(error, Date.now())?.status === 304) return copyOf(known);
      throw error;
    }
  });
}

/** Octokit's pagination rewrites the answer that it is given, so each reader gets its own. */
function copyOf(answer: Answer): Answer {
  return { ...answer, data: Array.isArray(answer.data) ? answer.data : { ...answer.data } };
}

function remember(answers: Map<string, Answer>, url: string, answer: Answer): void {
  answers.delete(url);
  answers.set(url, answer);
  const oldest = answers.keys().next();
  if (answers.size > REMEMBERED && !oldest.done) answers.delete(oldest.value);
}
