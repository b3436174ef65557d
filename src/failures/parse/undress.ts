/** Takes the dressing off a line of CI output: timestamps, colours, runner marks, prefixes of wrappers. */
import type { LogLine } from './format.ts';

export type Mark = LogLine['mark'];

export interface Undressed {
  readonly text: string;
  readonly mark: Mark;
  /** True when the line began with a timestamp of the Actions runner. */
  readonly stamped: boolean;
}

// `2026-04-22T16:24:46.8301311Z `; GitLab and others write fewer digits or an offset.
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d) ?/;
// `gh run view --log` puts the job and the step before the timestamp.
const JOB_AND_STEP = /^[^\t]{1,200}\t[^\t]{1,200}\t(?=\ufeff?\d{4}-\d\d-\d\dT)/;
// CSI (colours, cursor, erase), OSC (titles, links), character sets, two-character sequences.
const ANSI = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()][0-9A-B]|[78=>cDEHMNOZ])/g;
// The same as printable text, as some log stores keep it.
const CARET_ANSI = /\^\[\[[0-9;?]*[mKGJHhl]/g;
const RUNNER_MARK = /^##\[(error|warning|notice|debug|group|endgroup|command|section)\]/;
const WORKFLOW_COMMAND = /^::(error|warning|notice|debug|group|endgroup)(?: [^:]|::)/;
// `web_1  | `, `web-1  | `: docker compose. Without a number, a second bar would be a table.
const COMPOSE = /^[A-Za-z0-9][\w.-]{0,60}(?:[_-]\d+ +\| ?| {2,}\| ?(?=[^|]*$))/;
// `#12 3.456 `: a line of a RUN step as BuildKit prints it.
const BUILDKIT = /^#\d{1,4} \d{1,6}\.\d{1,3} /;
// `@scope/pkg:test: ` (turbo), `packages/core test: ` (pnpm), `pkg: ` is too common a shape to be taken off.
const TASK_RUNNER =
  /^@?[\w./-]{1,80}(?::| )(?:test|build|lint|check|typecheck|type-check|tsc)(?::[\w-]{1,30}){0,3}: (?=\S| {1,8}\S|$)/;
const TRAVIS_FOLD = /^travis_(?:fold|time):[\w:.,=-]{1,200}/;
const BOM = '\ufeff';

/** Undresses one line (without its newline). Never throws; linear in the length of the line. */
export function undress(dressed: string): Undressed {
  let text = dressed.endsWith('\r') ? dressed.slice(0, -1) : dressed;
  if (text.startsWith(BOM)) text = text.slice(1);
  if (text.includes('\t')) text = text.replace(JOB_AND_STEP, '');
  if (text.startsWith(BOM)) text = text.slice(1);
  const stamp = TIMESTAMP.exec(text)?.[0].length ?? 0;
  text = visible(stamp === 0 ? text : text.slice(stamp));
  const stamped = stamp > 0;
  // The first characters decide cheaply; most lines have no mark.
  const mark = text.startsWith('##[') ? RUNNER_MARK.exec(text) : null;
  if (mark !== null) return { text: text.slice(mark[0].length), mark: mark[1] as Mark, stamped };
  if (text.startsWith('[command]')) return { text: text.slice('[command]'.length), mark: 'command', stamped };
  // A workflow command keeps its text: the properties before `::` are part of what it says.
  const command = text.startsWith('::') ? WORKFLOW_COMMAND.exec(text) : null;
  return { text: withoutPrefix(text), mark: (command?.[1] ?? null) as Mark, stamped };
}

/** What a terminal would show of the line at its end: no control sequences, and only what stands after the last carriage return. */
function visible(text: string): string {
  let shown = text;
  if (shown.includes('\x1b')) shown = shown.replace(ANSI, '');
  if (shown.includes('^[[')) shown = shown.replace(CARET_ANSI, '');
  while (shown.endsWith('\r')) shown = shown.slice(0, -1);
  const overwritten = shown.lastIndexOf('\r');
  return overwritten < 0 ? shown : shown.slice(overwritten + 1);
}

function withoutPrefix(text: string): string {
  const first = text.charCodeAt(0);
  if (first === 0x23) return text.replace(BUILDKIT, '');
  if (text.startsWith('travis_')) return text.replace(TRAVIS_FOLD, '');
  if (text.includes(' | ') || text.endsWith(' |')) return text.replace(COMPOSE, '');
  return text.includes(': ') || text.endsWith(':') ? text.replace(TASK_RUNNER, '') : text;
}
