/** What the job itself says when no test or diagnostic explains it: always with low confidence, so that anything better wins. */
import type { Finding } from '../../finding.ts';
import type { LineFormat, LineReader, LogLine, ScanContext } from '../format.ts';
import { type Cause, causeOf } from './job/causes.ts';
import { lineRange } from './reading/block.ts';
import { finding } from './reading/draft.ts';

const EXIT =
  /Process completed with exit code (-?\d+)|^The command ".*" exited with (\d+)|Job failed: exit (?:code|status) (\d+)/;
/** Lines with an error mark that say nothing of their own. */
const EMPTY =
  /^(?:Process completed with exit code|Executing the custom container|The process '.*' failed with exit code|Docker (?:pull|build|run) failed with exit code|.*Step script exited with code|Error: Process completed)/;
/** A cause counts when an error mark follows within so many lines. */
const NEAR = 200;
const MAX_HINTS = 60;

interface Hint {
  readonly line: LogLine;
  readonly cause: Cause;
}

const CODES: ReadonlyMap<number, Pick<Finding, 'failure_class' | 'sub_class'>> = new Map([
  [124, { failure_class: 'unknown', sub_class: 'timeout' }],
  [127, { failure_class: 'tool_contract_error', sub_class: 'missing_tool' }],
  [134, { failure_class: 'runtime_error', sub_class: 'crash' }],
  [137, { failure_class: 'runtime_error', sub_class: 'killed' }],
  [139, { failure_class: 'runtime_error', sub_class: 'crash' }],
  [143, { failure_class: 'unknown', sub_class: 'cancelled' }],
]);

class JobReader implements LineReader {
  readonly active = false;
  readonly #context: ScanContext;
  #hints: Hint[] = [];
  /** The first sentence with an error mark that says something, and whether it names a cause. */
  #said: LogLine | null = null;
  #saidCause: Cause | null = null;
  #exit: { line: LogLine; code: number } | null = null;
  #marked: LogLine | null = null;
  #inScript = false;
  #last: LogLine | null = null;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  line(line: LogLine): void {
    if (line.mark === 'group') this.#inScript = /^Run /.test(line.text);
    else if (line.mark === 'endgroup') this.#inScript = false;
    if (line.mark === 'group' || line.mark === 'endgroup') return;
    if (this.#inScript && line.mark !== 'error') return;
    this.#last = line;
    const exit = EXIT.exec(line.text);
    if (exit) this.#exited(line, Number(exit[1] ?? exit[2] ?? exit[3]));
    if (line.mark === 'error') this.#error(line);
    else this.#hint(line);
  }

  #exited(line: LogLine, code: number): void {
    if (code !== 0) this.#exit ??= { line, code };
  }

  #error(line: LogLine): void {
    this.#inScript = false;
    const text = line.text.replace(/^::error[^:]*::/, '').trim();
    this.#marked ??= line;
    if (text === '' || EMPTY.test(text)) return;
    const cause = causeOf(text);
    if (this.#said && (this.#saidCause || !cause)) return;
    this.#said = line;
    this.#saidCause = cause;
  }

  #hint(line: LogLine): void {
    if (line.mark !== null && line.mark !== 'warning') return;
    const cause = causeOf(line.text.trim());
    if (!cause) return;
    this.#hints.push({ line, cause });
    if (this.#hints.length > MAX_HINTS) this.#hints = this.#hints.slice(-MAX_HINTS / 2);
  }

  end(): void {
    const hint = this.#bestHint();
    if (this.#said && this.#saidCause) this.#emit(this.#said, this.#saidCause, 0.48);
    else if (hint) this.#emit(hint.line, hint.cause, 0.45);
    else if (this.#said) this.#emitSaid(this.#said);
    else if (this.#exit) this.#emitExit(this.#exit.line, this.#exit.code);
    else if (this.#marked) this.#emit(this.#marked, { failure_class: 'unknown', sub_class: null }, 0.15);
  }

  /** The hint nearest before the first failing line; of those without one, only such as tell of a failure by themselves. */
  #bestHint(): Hint | null {
    const failed = this.#exit?.line ?? this.#marked;
    const near = failed
      ? this.#hints.filter(({ line }) => line.number <= failed.number && failed.number - line.number <= NEAR)
      : [];
    const alone = this.#hints.filter(({ cause }) => cause.alone);
    return near.findLast(({ cause }) => cause.sub_class !== 'network') ?? near.at(-1) ?? alone.at(-1) ?? null;
  }

  #emitSaid(line: LogLine): void {
    const gate = this.#exit === null && this.#last !== null;
    this.#emit(line, { failure_class: 'unknown', sub_class: gate ? 'policy_gate' : null }, 0.3);
  }

  #emitExit(line: LogLine, code: number): void {
    this.#emit(line, CODES.get(code) ?? { failure_class: 'unknown', sub_class: null }, 0.2);
  }

  #emit(line: LogLine, verdict: Pick<Finding, 'failure_class' | 'sub_class'>, confidence: number): void {
    this.#context.emit(
      finding({
        kind: 'job',
        runner: 'job-outcome',
        failure_class: verdict.failure_class,
        sub_class: verdict.sub_class,
        message: line.text.replace(/^::error[^:]*::/, '').trim(),
        range: lineRange(line),
        confidence,
      }),
    );
  }
}

export const jobOutcome: LineFormat = {
  id: 'job-outcome',
  // Only words that stand on lines without an error mark; few and literal, for the scanner's fast path.
  opens:
    /Process completed with exit code|^The command ".*" exited with |Job failed: exit|space left on device|ENOSPC|not enough space on the disk|quota exceeded|heap out of memory|OutOfMemoryError|Out of memory: Kill|OOMKilled|annot allocate memory|runtime: out of memory|virtual memory exhausted|bad_alloc|^Killed$|\] Killed$|\d Killed |SIGKILL|exit code 137|manifest for |manifest unknown|pull access denied|invalid reference format|no matching manifest|esolve host|in name resolution|Max retries exceeded|Bad Gateway|Unavailable|Gateway Time|handshake timeout|reset by peer|toomanyrequests|transfer artifact|Failed to fetch|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|ERR_SOCKET_TIMEOUT|not found$|is not recognized as|executable file not found|ENOENT$|issing script|ERR_PNPM_|can only install packages|ERESOLVE|satisfies the requirement|No matching distribution|lockfile|Unable to locate|dubious ownership|could not read Username|publickey/,
  marks: ['error', 'group', 'endgroup'],
  open: (context) => new JobReader(context),
};
