/** Turns the text of a spec into numbered, checkable clauses with their example values. */

import { type Block, blocksOf, type Context, longLines, MAX_LINE, type SpecLine } from './blocks.ts';
import type { Clause, ClauseExample, SpecSource } from './clause.ts';
import { examplesOfCode } from './code.ts';
import { examplesOfSentence } from './examples.ts';
import { afterSentence, contextHolds, isNormative, NOTHING_EARLIER, reportsDefect } from './qualifiers.ts';
import { beginsScenario, exampleOfScenario, isStep } from './scenario.ts';
import { cellsOf, rowReader } from './table.ts';

/** A source is read up to here, in UTF-16 units; and so is all of them together. */
export const MAX_SOURCE_LENGTH = 1_000_000;
const MAX_TOTAL_LENGTH = 4 * MAX_SOURCE_LENGTH;
export const MAX_CLAUSES = 2000;
export const MAX_CLAUSE_TEXT = 2000;
/** List items that may make up one scenario. */
const MAX_STEPS = 50;
/** Numbers that a note names. */
const MAX_NAMED = 10;

type Draft = Omit<Clause, 'clause_id'>;

export interface SpecReading {
  readonly clauses: readonly Clause[];
  /** What was not read, a sentence each, for the notes of `validate.md`. */
  readonly cuts: readonly string[];
}

/** The clauses of all sources, without what was cut. */
export function clausesOf(sources: readonly SpecSource[]): readonly Clause[] {
  return readSpec(sources).clauses;
}

/**
 * The clauses of all sources in order, `C1`, `C2`, …: each list item, table row, sentence, doctest and scenario. A clause
 * whose value depends on a condition, is negated or only reported keeps its text and has no example. Time is linear in the text.
 */
export function readSpec(sources: readonly SpecSource[]): SpecReading {
  const clauses: Clause[] = [];
  const cuts: string[] = [];
  let left = MAX_TOTAL_LENGTH;
  for (const source of sources) {
    const text = source.text.slice(0, Math.min(left, MAX_SOURCE_LENGTH));
    left -= text.length;
    if (text.length < source.text.length)
      cuts.push(`The spec was cut at character ${text.length} of ${source.name}: what follows is not used.`);
    const long = longLines(text);
    if (long.length > 0)
      cuts.push(
        `The spec was cut at ${MAX_LINE} characters a line in ${source.name}: ${named(long.map(String), 'line')}.`,
      );
    for (const draft of draftsOf(source.name, text)) {
      if (clauses.length === MAX_CLAUSES) {
        cuts.push(
          `The spec was cut at ${MAX_CLAUSES} clauses: nothing from ${source.name}:${draft.line} on is used, nor any source after it.`,
        );
        return { clauses, cuts: [...cuts, ...cutTexts(clauses)] };
      }
      clauses.push({ clause_id: `C${clauses.length + 1}`, ...draft });
    }
  }
  return { clauses, cuts: [...cuts, ...cutTexts(clauses)] };
}

function cutTexts(clauses: readonly Clause[]): string[] {
  const cut = clauses.filter((clause) => clause.text.length >= MAX_CLAUSE_TEXT).map((clause) => clause.clause_id);
  return cut.length === 0
    ? []
    : [`The spec was cut at ${MAX_CLAUSE_TEXT} characters a clause: the text of ${named(cut, 'clause')} goes on.`];
}

function named(names: readonly string[], what: string): string {
  const more = names.length - MAX_NAMED;
  const shown = `${what}${names.length === 1 ? '' : 's'} ${names.slice(0, MAX_NAMED).join(', ')}`;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

interface Place {
  readonly source: string;
  /** An issue that reports a defect: only what is said as a rule counts. */
  readonly disputed: boolean;
}

function* draftsOf(source: string, text: string): Generator<Draft> {
  const place: Place = { source, disputed: reportsDefect(source, text) };
  const blocks = blocksOf(text);
  for (let at = 0; at < blocks.length; at++) {
    const scenario = scenarioAt(blocks, at);
    const block = blocks[at];
    if (scenario) {
      yield* scenarioDraft(scenario.lines, scenario.context, place);
      at += scenario.blocks - 1;
    } else if (block) yield* draftsOfBlock(block, place);
  }
}

function draftsOfBlock(block: Block, place: Place): Iterable<Draft> {
  switch (block.kind) {
    case 'paragraph':
      return sentenceDrafts(block.lines, block.context, place);
    case 'item':
      return itemDraft(block.lines, block.context, place);
    case 'table':
      return tableDrafts(block, place);
    case 'code':
      return codeDrafts(block, place);
  }
}

function draft(
  lines: readonly SpecLine[],
  context: Context,
  place: Place,
  examples: () => readonly ClauseExample[],
): Draft[] {
  const text = fold(lines).slice(0, MAX_CLAUSE_TEXT);
  if (!hasWords(text)) return [];
  const section = context.headings.at(-1) ?? null;
  return [{ text, source: place.source, line: lines[0]?.number ?? 1, section, examples: examples() }];
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function fold(lines: readonly SpecLine[]): string {
  return lines
    .map((line) => line.text.trim())
    .filter(Boolean)
    .join(' ');
}

/** Only what stands in the clause's text can be cited, so only there are examples looked for. */
function itemDraft(lines: readonly SpecLine[], context: Context, place: Place): Draft[] {
  return draft(lines, context, place, () => {
    const examples: ClauseExample[] = [];
    let length = 0;
    for (const sentence of withExamples(lines, context, place)) {
      length += sentence.text.length + 1;
      if (length > MAX_CLAUSE_TEXT + 1) break;
      examples.push(...sentence.examples());
    }
    return examples;
  });
}

function* sentenceDrafts(lines: readonly SpecLine[], context: Context, place: Place): Generator<Draft> {
  for (const sentence of withExamples(lines, context, place))
    yield* draft([sentence], context, place, sentence.examples);
}

interface Spoken extends SpecLine {
  readonly examples: () => readonly ClauseExample[];
}

function* withExamples(lines: readonly SpecLine[], context: Context, place: Place): Generator<Spoken> {
  const asRule = contextHolds(context, false);
  const asSaid = contextHolds(context, place.disputed);
  let earlier = NOTHING_EARLIER;
  for (const sentence of sentencesOf(lines)) {
    const { text } = sentence;
    const before = earlier;
    const holds = () => asSaid || (asRule && isNormative(UNQUALIFIED, text));
    // What a longer sentence says behind the cut could qualify what stands before it.
    const examples = () =>
      text.length <= MAX_CLAUSE_TEXT && holds() ? examplesOfSentence({ text, earlier: before }) : [];
    yield { ...sentence, examples };
    earlier = afterSentence(earlier, text);
  }
}

const UNQUALIFIED: Context = { headings: [], introduction: [], quoted: false, unclear: false };

/** Sentences with the line each begins on; what holds no word is none. A full stop in code, after an abbreviation or before a small letter ends none. */
function* sentencesOf(lines: readonly SpecLine[]): Generator<SpecLine> {
  const starts: { at: number; number: number }[] = [];
  let whole = '';
  for (const line of lines) {
    const text = line.text.trim();
    if (text === '') continue;
    starts.push({ at: whole === '' ? 0 : whole.length + 1, number: line.number });
    whole += whole === '' ? text : ` ${text}`;
  }
  const blanked = whole.replace(/`[^`]*`/g, (code) => '§'.repeat(code.length));
  const numberAt = lineNumbers(starts);
  let from = 0;
  for (const match of blanked.matchAll(/[.!?]["')*_]{0,3}\s+(?=[^\sa-z])/g)) {
    const end = match.index + match[0].trimEnd().length;
    if (
      /(?:\b(?:e\.g|i\.e|cf|vs|etc|resp|approx|no)|\b\p{L})\.$/iu.test(blanked.slice(Math.max(from, end - 12), end)) &&
      !blanked.slice(from, end).endsWith('§.')
    )
      continue;
    const text = whole.slice(from, end);
    if (hasWords(text)) yield { text, number: numberAt(from) };
    from = match.index + match[0].length;
  }
  if (from < whole.length) yield { text: whole.slice(from), number: numberAt(from) };
}

/** The number of the line that a place lies in; asked for places in ascending order. */
function lineNumbers(starts: readonly { at: number; number: number }[]): (at: number) => number {
  let line = 0;
  return (at) => {
    while ((starts[line + 1]?.at ?? Number.POSITIVE_INFINITY) <= at) line++;
    return starts[line]?.number ?? 1;
  };
}

function* tableDrafts(block: Extract<Block, { kind: 'table' }>, place: Place): Generator<Draft> {
  const reader = contextHolds(block.context, place.disputed)
    ? rowReader(block.header.text, block.context.headings.at(-1) ?? null)
    : null;
  for (const row of block.rows) yield* draft([row], block.context, place, () => reader?.(cellsOf(row.text)) ?? []);
}

function* codeDrafts(block: Extract<Block, { kind: 'code' }>, place: Place): Generator<Draft> {
  const holds = contextHolds(block.context, place.disputed);
  for (const { lines, example } of examplesOfCode(block.language, block.lines))
    yield* draft(lines, block.context, place, () => (holds && example ? [example] : []));
}

interface Scenario {
  readonly lines: readonly SpecLine[];
  readonly context: Context;
  /** How many blocks it takes up. */
  readonly blocks: number;
}

/** A scenario in one block of prose or code, or spread over the items of a list. */
function scenarioAt(blocks: readonly Block[], at: number): Scenario | null {
  const first = blocks[at];
  if (!first || first.kind === 'table') return null;
  if (first.kind === 'code' && !/^(?:gherkin|feature|)$/.test(first.language)) return null;
  const lines = first.lines.filter(
    (line) => line.text.trim() !== '' && !/^\s*(?:Scenario|Feature|Example|Background)[^:]*:/i.test(line.text),
  );
  if (!lines[0] || !beginsScenario(lines[0].text)) return null;
  if (first.kind === 'code')
    return lines.every((line) => isStep(line.text)) ? { lines, context: first.context, blocks: 1 } : null;
  const taken = [...lines];
  let count = 1;
  for (
    let next = blocks[at + 1];
    first.kind === 'item' && next?.kind === 'item' && count < MAX_STEPS && isContinued(next.lines);
    next = blocks[at + count]
  ) {
    taken.push(...next.lines);
    count++;
  }
  return /\bthen\b/i.test(fold(taken)) && /\bwhen\b/i.test(fold(taken))
    ? { lines: taken, context: first.context, blocks: count }
    : null;
}

function isContinued(lines: readonly SpecLine[]): boolean {
  return /^\W*(?:When|Then|And|But)\b/i.test(lines[0]?.text ?? '');
}

/** What stands before the steps in a scenario's list is no condition of it: its own steps are. */
function scenarioDraft(lines: readonly SpecLine[], context: Context, place: Place): Draft[] {
  const holds = contextHolds({ ...context, introduction: [] }, place.disputed);
  return draft(lines, context, place, () => (holds ? exampleOfScenario(lines) : []));
}
