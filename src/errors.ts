/** The one error family: a stable code for programs, a message and a hint for people, the cause kept. */

/** Every code Inquest can raise, with what it means. `docs/errors.md` lists the same codes; a test compares the two. */
export const ERROR_CODES = {
  CONFIG_INVALID: 'A configuration file or environment variable does not fit its schema.',
  INPUT_UNREADABLE: 'A file or folder named by the user cannot be read or holds nothing that can be read as CI output.',
  INPUT_TOO_LARGE: 'An input is over its size limit.',
  USAGE: 'The command line cannot be understood.',
  GITHUB_REFUSED: 'GitHub answered with an error that a retry will not mend.',
  GITHUB_UNAVAILABLE: 'GitHub did not answer, or asked to slow down, after all retries.',
  GIT_FAILED: 'A git command failed.',
  WORKSPACE_FAILED: 'The worktree of a run cannot be prepared.',
  SANDBOX_UNAVAILABLE: 'The configured sandbox cannot run on this machine.',
  SETUP_FAILED: 'The configured setup command failed.',
  STATE_NOT_AVAILABLE: 'The flow reached a state that this version does not have yet.',
  STORE_FAILED: 'The database refused a read or a write.',
  QUEUE_FAILED: 'The queue refused a job.',
  LEDGER_BROKEN: 'The hash chain of a recorded run does not hold.',
  REPORT_MALFORMED: 'A debug report does not follow its format.',
  TOOL_REFUSED: 'An agent asked for something that its state does not grant.',
  CANCELLED: 'The work was cancelled before it ended.',
  INTERNAL: 'A defect of Inquest itself.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

interface ErrorDetails {
  /** What the reader can do about it. One sentence. */
  hint?: string;
  cause?: unknown;
  /** True when the same call may succeed later. Jobs are retried only then. */
  retryable?: boolean;
}

/** An error that Inquest raises on purpose. `code` is stable; message texts may change. */
export class InquestError extends Error {
  override readonly name = 'InquestError';
  readonly code: ErrorCode;
  readonly hint: string | null;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint ?? null;
    this.retryable = details.retryable ?? false;
  }
}

/** Wraps whatever was thrown, so that callers deal with one family. An `InquestError` passes unchanged. */
export function toInquestError(thrown: unknown): InquestError {
  if (thrown instanceof InquestError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new InquestError('INTERNAL', message, { cause: thrown });
}
