/** The sentences about inputs: what could not be read, what was left out, and that nothing failed. */

import { visibleLine } from '../visible.ts';
import { type Diagnosis, damageOf, type ReadInput } from './diagnosis.ts';
import type { UnreadInput } from './input.ts';
import { count } from './place.ts';

const MAX_NAMED = 5;
const MAX_DAMAGE = 10;

/** One line for each thing that keeps the answer from being whole, for stderr. */
export function problemLines(diagnosis: Diagnosis): string[] {
  const unreadable = unreadInputs(diagnosis, 'unreadable');
  const skipped = unreadInputs(diagnosis, 'skipped');
  const damage = damageOf(diagnosis);
  const lines = unreadable.map(({ name, reason }) => `inquest: ${visibleLine(name)} ${visibleLine(reason)}`);
  for (const { input, what, line } of damage.slice(0, MAX_DAMAGE)) {
    lines.push(`inquest: ${visibleLine(input)}${line === null ? '' : ` line ${line}`}: ${visibleLine(what)}`);
  }
  if (damage.length > MAX_DAMAGE) lines.push(`inquest: … and ${damage.length - MAX_DAMAGE} more damaged places`);
  if (skipped.length > 0) lines.push(`inquest: not read: ${named(skipped)}`);
  if (diagnosis.inputs.length === 0) lines.push('inquest: nothing to read there');
  return lines;
}

function unreadInputs({ inputs }: Diagnosis, kind: UnreadInput['kind']): UnreadInput[] {
  return inputs.filter((input): input is UnreadInput => input.kind === kind);
}

function named(skipped: readonly UnreadInput[]): string {
  const shown = skipped.slice(0, MAX_NAMED).map(({ name, reason }) => `${visibleLine(name)} (${visibleLine(reason)})`);
  const rest = skipped.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

/** `No failure found in build.log: 1,234 lines, 1 runner summary says passed.` Null when nothing was read. */
export function nothingFailed({ inputs }: Diagnosis): string | null {
  const read = inputs.filter((input): input is ReadInput => input.kind === 'read');
  const [first] = read;
  if (first === undefined) return null;
  const what = read.length === 1 ? visibleLine(first.name) : count(read.length, 'input');
  const passed = read.filter((input) => input.passed_summary).length;
  const summaries =
    passed === 0
      ? 'no runner summary was seen'
      : `${count(passed, 'runner summary says', 'runner summaries say')} passed`;
  const lines = read.reduce((sum, input) => sum + input.lines, 0);
  const damaged = read.filter((input) => input.damage.length > 0 && !input.passed_summary).length;
  const doubt = damaged === 0 ? '' : `; ${count(damaged, 'input is', 'inputs are')} damaged, so this is not certain`;
  return `No failure found in ${what}: ${count(lines, 'line')}, ${summaries}${doubt}.`;
}
