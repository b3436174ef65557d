/** Links to lines of a file at a commit, as GitHub writes them. */

export interface LinkBase {
  /** `https://github.com`, without a slash at the end. */
  readonly web_url: string;
  readonly owner: string;
  readonly name: string;
  readonly sha: string;
}

/** URL of a file's lines at the commit. Line numbers count from 1. */
export function permalink(base: LinkBase, path: string, line: number | null, endLine: number | null = null): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const lines = line === null ? '' : `#L${line}${endLine !== null && endLine > line ? `-L${endLine}` : ''}`;
  return `${base.web_url}/${base.owner}/${base.name}/blob/${base.sha}/${encoded}${lines}`;
}

/** The pages that belong to an API: `https://api.github.com` → `https://github.com`, `https://HOST/api/v3` → `https://HOST`. */
export function webUrlOf(apiUrl: string): string {
  const url = new URL(apiUrl);
  const host = url.hostname === 'api.github.com' ? 'github.com' : url.host;
  return `${url.protocol}//${host}`;
}
