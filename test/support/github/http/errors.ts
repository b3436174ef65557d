/** Errors as GitHub's API words them. */
import type { ContentfulStatusCode } from 'hono/utils/http-status';

const DOCS = 'https://docs.github.com/rest';

export class GithubError extends Error {
  readonly status: ContentfulStatusCode;
  readonly body: Record<string, unknown>;

  constructor(status: ContentfulStatusCode, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.body = { message, ...more, documentation_url: DOCS, status: String(status) };
  }
}

export const notFound = (): GithubError => new GithubError(404, 'Not Found');

export const unauthorized = (message = 'Requires authentication'): GithubError => new GithubError(401, message);

export const notAccessible = (): GithubError => new GithubError(403, 'Resource not accessible by integration');

/** 422 in the form that names resource, field and code. */
export function invalid(resource: string, field: string, code: string, message?: string): GithubError {
  return new GithubError(422, 'Validation Failed', {
    errors: [{ resource, field, code, ...(message === undefined ? {} : { message }) }],
  });
}

/** 422 in the form of the request's schema check. */
export function unprocessable(problems: readonly string[]): GithubError {
  return new GithubError(422, `Invalid request.\n\n${problems.join('\n')}`);
}
