/** Reads what one failing Go test printed: `file:line: message` entries, testify and go-cmp blocks, panics. */
import type { Frame } from '../../../finding.ts';
import { ASSERTION, classify, RUNTIME, type Verdict } from '../reading/classify.ts';
import { unquote } from '../reading/comparison.ts';
import { frame, ownFrame } from '../reading/frames.ts';

export interface GoBody extends Verdict {
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly location: Frame | null;
  readonly stack: readonly Frame[];
}

interface Entry {
  readonly place: Frame;
  readonly lines: string[];
}

const ENTRY = /^\s+(?:Test\S*: )?([^\s:]+\.go):(\d+): ?(.*)$/;
const RESULT = /^\s*--- (?:FAIL|PASS|SKIP): /;
const FAILING_WORDS =
  /\b(?:got|want|expected|unexpected|fail(?:ed|ure)?|error|mismatch|diff|should|must|not equal|panic|race detected|Error Trace)\b/i;
const TRACE = /^(?:Error Trace:)?\s*((?:[A-Za-z]:)?[^\s:]+\.go):(\d+)$/;
const PANIC = /^(?:panic: |fatal error: )(.*)$/;
const GO_FRAME = /^\s+((?:[A-Za-z]:)?[^\s:]+\.go):(\d+)(?: \+0x[0-9a-f]+)?\s*$/;
const FUNCTION = /^(?:created by )?(\S+?)(?:\(.*\))?(?: in goroutine \d+)?$/;

const VALUES: readonly { readonly pattern: RegExp; readonly expectedFirst: boolean }[] = [
  { pattern: /^\s*expected\s*: (.*)\n\s*actual\s*: (.*)$/m, expectedFirst: true },
  {
    pattern: /\bexpected:? (\S.{0,300}?)(?:,| but| \|)? (?:got|found|was|actual|received):? (\S.{0,300})$/m,
    expectedFirst: true,
  },
  { pattern: /\bwant(?:ed)?:? ?(\S.{0,300}?)[,;]? (?:but )?got:? ?(\S.{0,300})$/im, expectedFirst: true },
  {
    pattern: /\bgot(?: =|:|=)? ?(\S.{0,300}?)[,;]? (?:but )?(?:want(?:ed)?|expected)(?: =|:|=)? ?(\S.{0,300})$/im,
    expectedFirst: false,
  },
  { pattern: /= (\S.{0,300}?)[,;] (?:want|expected) (\S.{0,300})$/m, expectedFirst: false },
  { pattern: /^\s*got:? ?\n?\s*(\S.*)\n\s*want:? ?\n?\s*(\S.*)$/im, expectedFirst: false },
  { pattern: /^\s*want:? ?\n?\s*(\S.*)\n\s*got:? ?\n?\s*(\S.*)$/im, expectedFirst: true },
  {
    pattern: /^\s*Expected\n\s*(?:<[^>]{1,80}>: )?(\S.*)\n\s*to \S+(?: \S+){0,3}\n\s*(?:<[^>]{1,80}>: )?(\S.*)$/m,
    expectedFirst: false,
  },
];

function goValues(text: string): Pick<GoBody, 'expected' | 'actual'> {
  const clipped = text.slice(0, 4000);
  for (const { pattern, expectedFirst } of VALUES) {
    const match = pattern.exec(clipped);
    if (!match) continue;
    const [first, second] = [clean(match[1]), clean(match[2])];
    return expectedFirst ? { expected: first, actual: second } : { expected: second, actual: first };
  }
  return diffValues(clipped);
}

/** go-cmp: `mismatch (-want +got):` with the first differing lines. */
function diffValues(text: string): Pick<GoBody, 'expected' | 'actual'> {
  const legend = /\(-(want|got|expected|actual) \+(want|got|expected|actual)\)/.exec(text);
  if (!legend) return { expected: null, actual: null };
  const minus = /^\s*-\s*(\S.*)$/m.exec(text)?.[1] ?? null;
  const plus = /^\s*\+\s*(\S.*)$/m.exec(text)?.[1] ?? null;
  const wantFirst = legend[1] === 'want' || legend[1] === 'expected';
  return wantFirst ? { expected: minus, actual: plus } : { expected: plus, actual: minus };
}

function clean(text: string | undefined): string {
  return unquote((text ?? '').trim().replace(/[.;]$/, ''));
}

function entriesOf(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    if (RESULT.test(line)) continue;
    const match = ENTRY.exec(line);
    if (match) entries.push({ place: frame(match[1] ?? '', match[2]), lines: [match[3] ?? ''] });
    else entries.at(-1)?.lines.push(line.trim());
  }
  return entries;
}

/** The entry that tells of the failure; logs look just like errors, so words decide, then the last one. */
function telling(entries: readonly Entry[]): Entry | null {
  return entries.find((entry) => FAILING_WORDS.test(entry.lines.join('\n').slice(0, 2000))) ?? entries.at(-1) ?? null;
}

/** testify: takes the frame of `Error Trace`, the text of `Error` and of `Messages`. */
function testify(entry: Entry): { message: string; trace: Frame[] } | null {
  if (!entry.lines.some((line) => line.startsWith('Error Trace:'))) return null;
  const trace: Frame[] = [];
  const message: string[] = [];
  let label = '';
  for (const line of entry.lines) {
    const labelled = /^(Error Trace|Error|Test|Messages):\s*(.*)$/.exec(line);
    label = labelled?.[1] ?? label;
    const text = labelled ? (labelled[2] ?? '') : line;
    const place = label === 'Error Trace' ? TRACE.exec(text) : null;
    if (place) trace.push(frame(place[1] ?? '', place[2]));
    else if (label === 'Error' || label === 'Messages') message.push(text);
  }
  return { message: message.join('\n').trim(), trace };
}

/** Frames of the first goroutine of a panic, innermost first. */
export function goStack(lines: readonly string[]): Frame[] {
  const stack: Frame[] = [];
  let symbol: string | null = null;
  let goroutines = 0;
  for (const line of lines) {
    if (/^goroutine \d+ /.test(line) && ++goroutines > 1) break;
    const place = GO_FRAME.exec(line);
    if (place) stack.push(frame(place[1] ?? '', place[2], null, symbol));
    else symbol = FUNCTION.exec(line.trim())?.[1] ?? null;
  }
  return stack;
}

/** The panic in these lines, if there is one. */
export function goPanic(lines: readonly string[]): GoBody | null {
  const at = lines.findIndex((line) => PANIC.test(line));
  if (at < 0) return null;
  const message: string[] = [];
  for (const line of lines.slice(at, at + 20)) {
    if (message.length > 0 && (line.trim() === '' || /^(?:goroutine \d|running tests:|\[signal )/.test(line))) break;
    message.push(line);
  }
  const text = message.join('\n').replace(/ \[recovered(?:, repanicked)?\]/g, '');
  const stack = goStack(lines.slice(at)).filter((one) => !/[\\/]runtime[\\/]panic\.go$/.test(one.file));
  return {
    ...classify(null, text, RUNTIME),
    message: text,
    expected: null,
    actual: null,
    location: ownFrame(stack),
    stack,
  };
}

/** Reads the output of one failed test. */
export function readGoBody(lines: readonly string[]): GoBody {
  const panic = goPanic(lines);
  if (panic) return panic;
  const entry = telling(entriesOf(lines));
  if (!entry) return { ...ASSERTION, message: '', expected: null, actual: null, location: null, stack: [] };
  const checked = testify(entry);
  const message = checked?.message || entry.lines.join('\n').trim();
  const stack = checked && checked.trace.length > 0 ? checked.trace : [entry.place];
  const verdict = classify(null, message, ASSERTION);
  return { ...verdict, ...goValues(message), message, location: ownFrame(stack), stack };
}
