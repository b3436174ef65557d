/** `validate.md`: the numbered clauses of the spec as a document for people, and back into clauses. */
import { InquestError } from '../../errors.ts';
import type { Clause, ClauseExample } from './clause.ts';

export interface ValidateInput {
  /** Names of the sources that were read, in order. */
  readonly sources: readonly { readonly name: string }[];
  readonly clauses: readonly Clause[];
  /** What a reader must know: a source that is missing, a list that was cut. One line each. */
  readonly notes: readonly string[];
}

const FORMS: readonly ClauseExample['form'][] = ['arrow', 'returns', 'table', 'doctest', 'given_when_then'];
const CLAUSES_HEADING = '## Clauses';

/** Writes `validate.md`. Every field of a clause stands on one line of its own, so that nothing in a spec can pose as another field. */
export function renderValidate(input: ValidateInput): string {
  const checkable = input.clauses.filter((clause) => clause.examples.length > 0).length;
  const lines = [
    '# Validate',
    '',
    '## Summary',
    `- clauses: ${input.clauses.length}`,
    `- with an example value: ${checkable}`,
  ];
  lines.push('', '## Sources', ...listed(input.sources.map((source) => source.name)));
  lines.push('', '## Notes', ...listed(input.notes));
  lines.push('', CLAUSES_HEADING);
  for (const clause of input.clauses) lines.push('', ...clauseLines(clause));
  return `${lines.join('\n')}\n`;
}

function listed(items: readonly string[]): string[] {
  return items.length === 0 ? ['- none'] : items.map((item) => `- ${oneLine(item)}`);
}

function clauseLines(clause: Clause): string[] {
  const lines = [`### ${clause.clause_id}`, `- source: ${oneLine(clause.source)}:${clause.line}`];
  if (clause.section !== null) lines.push(`- section: ${oneLine(clause.section)}`);
  lines.push(`> ${oneLine(clause.text)}`);
  for (const { subject, kind, value, form } of clause.examples) {
    lines.push(`- example: ${code(oneLine(subject))} ${kind} ${code(oneLine(value))} (${form})`);
  }
  return lines;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

/** A Markdown code span whose marks are longer than any run of marks in the text. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const marks = '`'.repeat(1 + Math.max(0, ...runs.map((run) => run.length)));
  const pad = runs.length > 0 || /^ | $/.test(text) ? ' ' : '';
  return `${marks}${pad}${text}${pad}${marks}`;
}

/** Reads the clauses of a `validate.md` that `renderValidate` wrote. Throws `INTERNAL` when it was damaged since. */
export function parseValidate(text: string): Clause[] {
  const lines = text.split('\n');
  const clauses: Draft[] = [];
  for (let at = lines.indexOf(CLAUSES_HEADING) + 1; at > 0 && at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line === '') continue;
    const id = /^### (C[1-9]\d*)$/.exec(line)?.[1];
    const clause = clauses.at(-1);
    if (id) clauses.push({ clause_id: id, text: '', source: '', line: 0, section: null, examples: [] });
    else if (!clause || !readField(clause, line)) throw damaged(at + 1, line);
  }
  return clauses;
}

type Draft = { -readonly [Key in keyof Clause]: Clause[Key] } & { examples: ClauseExample[] };

function readField(clause: Draft, line: string): boolean {
  const source = /^- source: (.*):(\d+)$/.exec(line);
  if (source) {
    clause.source = source[1] ?? '';
    clause.line = Number(source[2]);
  } else if (line.startsWith('- section: ')) clause.section = line.slice('- section: '.length);
  else if (line.startsWith('> ')) clause.text = line.slice(2);
  else {
    const example = line.startsWith('- example: ') ? readExample(line.slice('- example: '.length)) : null;
    if (!example) return false;
    clause.examples.push(example);
  }
  return true;
}

function readExample(text: string): ClauseExample | null {
  const subject = readCode(text, 0);
  const kind = subject && /^ (returns|throws) /.exec(text.slice(subject.end))?.[1];
  if (!subject || (kind !== 'returns' && kind !== 'throws')) return null;
  const value = readCode(text, subject.end + kind.length + 2);
  const form = value && FORMS.find((name) => text.slice(value.end) === ` (${name})`);
  return value && form ? { subject: subject.text, value: value.text, kind, form } : null;
}

function readCode(text: string, at: number): { text: string; end: number } | null {
  const marks = /^`+/.exec(text.slice(at))?.[0];
  if (!marks) return null;
  const from = at + marks.length;
  for (let close = text.indexOf(marks, from); close >= 0; close = text.indexOf(marks, close + runLength(text, close))) {
    if (runLength(text, close) !== marks.length) continue;
    const inner = text.slice(from, close);
    const padded = inner.length > 2 && inner.startsWith(' ') && inner.endsWith(' ');
    return { text: padded ? inner.slice(1, -1) : inner, end: close + marks.length };
  }
  return null;
}

function runLength(text: string, at: number): number {
  let length = 0;
  while (text[at + length] === '`') length++;
  return length;
}

function damaged(line: number, text: string): InquestError {
  return new InquestError('INTERNAL', `validate.md line ${line} is not a field of a clause: ${text.slice(0, 80)}`, {
    hint: 'Run the validate state again; the artifact was changed after it was written.',
  });
}
