/** What a job's own lines say about why it failed, as a table: the first row that fits a line names its cause. */
import type { FailureClass, SubClass } from '../../../finding.ts';

export interface Cause {
  readonly pattern: RegExp;
  readonly failure_class: FailureClass;
  readonly sub_class: SubClass | null;
  /** True when the line tells of a failure by itself, without an error mark near it. */
  readonly alone?: true;
}

const SHELL = String.raw`(?:^|[\s/])(?:sh|bash|zsh|dash|ash|make|env|xargs|time)(?:\[\d+\])?(?:\.exe)?: `;

export const CAUSES: readonly Cause[] = [
  {
    pattern:
      /has timed out after \d+ (?:minutes|seconds|hours)|has exceeded the maximum execution time|^The job has exceeded|\bexecution took longer than \S+ (?:minutes|seconds) and (?:was|has been) terminated|No output has been received in the last/,
    failure_class: 'unknown',
    sub_class: 'timeout',
    alone: true,
  },
  {
    pattern:
      /lost communication with the server|runner has received a shutdown signal|The (?:hosted|self-hosted) runner (?:lost|encountered)|runner was (?:deleted|removed|terminated)/,
    failure_class: 'unknown',
    sub_class: 'lost_runner',
    alone: true,
  },
  {
    pattern: /\b[Nn]o space left on device\b|\bENOSPC\b|There is not enough space on the disk|[Dd]isk quota exceeded/,
    failure_class: 'unknown',
    sub_class: 'disk_full',
  },
  {
    pattern:
      /JavaScript heap out of memory|java\.lang\.OutOfMemoryError|Out of memory: Kill|\bOOMKilled\b|[Cc]annot allocate memory|fatal error: runtime: out of memory|virtual memory exhausted|std::bad_alloc/,
    failure_class: 'runtime_error',
    sub_class: 'out_of_memory',
  },
  {
    pattern:
      /^make(?:\[\d+\])?: \*\*\* \[.*\] Killed$|^\S*(?:sh|bash)?: line \d+: +\d+ Killed\b|^Killed$|exit(?:ed with)?(?: code)? 137\b|\(signal: 9, SIGKILL/,
    failure_class: 'runtime_error',
    sub_class: 'killed',
    alone: true,
  },
  {
    pattern: /^The operation was cancel+ed\.?$|^The run was cancel+ed|^Canceling since a|^The job was cancel+ed/,
    failure_class: 'unknown',
    sub_class: 'cancelled',
  },
  {
    pattern:
      /Artifact not found for name|Unable to (?:download|find any) artifact|No files were found with the provided path|Unable to resolve action|Can't find 'action\.ya?ml'|Input required and not supplied|Unable to locate executable file|Could not find file/,
    failure_class: 'tool_contract_error',
    sub_class: null,
  },
  {
    pattern:
      /manifest for \S+ not found|\bmanifest unknown\b|pull access denied for|repository does not exist or may require|invalid reference format|no matching manifest for/,
    failure_class: 'tool_contract_error',
    sub_class: null,
  },
  {
    pattern:
      /Could not resolve host|Temporary failure in name resolution|Max retries exceeded with url|\b50[234] (?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)|TLS handshake timeout|[Cc]onnection reset by peer|toomanyrequests: |Could not transfer artifact|E: Failed to fetch|\b(?:npm ERR!|npm error) (?:network|code (?:ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN))|\b(?:ECONNRESET|ETIMEDOUT|EAI_AGAIN|ERR_SOCKET_TIMEOUT)\b|Received status code 50\d from server|Failed to connect to \S+ port|Network is unreachable|The requested URL returned error: 5\d\d|network timeout at: http/,
    failure_class: 'unknown',
    sub_class: 'network',
  },
  {
    pattern: new RegExp(
      String.raw`${SHELL}(?:line )?(?:\d+: )?[^\s:]+: (?:command )?not found|${SHELL}[^\s:]+: Command not found|: command not found$|is not recognized as (?:an internal|the name of|a name of)|executable file not found in (?:\$|%)?PATH|\bspawn \S+ ENOENT|^env: .{1,80}: No such file or directory|command not found: \S`,
    ),
    failure_class: 'tool_contract_error',
    sub_class: 'missing_tool',
  },
  {
    pattern:
      /[Mm]issing script: |ERR_PNPM_(?:OUTDATED_LOCKFILE|NO_SCRIPT)|can only install packages when your package\.json|ERESOLVE (?:unable|could not)|Could not find a version that satisfies the requirement|No matching distribution found for|Dependencies lock file is not found|Your lockfile needs to be updated|The lockfile would have been modified|Unable to find (?:Node|Python|Java|a) |Version \S+ with arch \S+ not found|The version '\S+' with architecture|E: Unable to locate package|detected dubious ownership|could not read Username|Resource not accessible by integration|Permission denied \(publickey\)|Couldn't find any package|npm (?:ERR!|error) (?:404|code E\w+)/,
    failure_class: 'tool_contract_error',
    sub_class: 'setup_failed',
  },
  {
    pattern:
      /Invalid workflow file|error parsing called workflow|does not (?:match|conform to) (?:the )?(?:JSON )?[Ss]chema|(?:[Ss]chema|[Cc]onfiguration) validation (?:failed|error)|Unrecognized named-value/,
    failure_class: 'schema_error',
    sub_class: null,
  },
];

/** The cause that a line names, or null. */
export function causeOf(text: string): Cause | null {
  const head = text.length > 2000 ? text.slice(0, 2000) : text;
  return CAUSES.find((cause) => cause.pattern.test(head)) ?? null;
}
