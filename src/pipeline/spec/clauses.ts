/** Turns the text of a spec into numbered, checkable clauses with their example values. */

import type { Block, Context, SpecLine } from './blocks.ts';
import { blocksOf } from './blocks.ts';
import type { Clause, ClauseExample, SpecSource } from './clause.ts';
import { examplesOfCode } from './code.ts';
import { examplesOfSentence } from './examples.ts';
import { contextHolds, isNormative, reportsDefect } from './qualifiers.ts';
import { beginsScenario, exampleOfScenario, isStep } from './scenario.ts';
import { cellsOf, rowReader } from './table.ts';

/** A source is read up to here, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 1_000_000;
export const MAX_CLAUSES = 2000;
const MAX_CLAUSE_TEXT = 2000;

type Draft = Omit<Clause, 'clause_id'>;

/**
 * The clauses of all sources in order, `C1`, `C2`, …: each list item, table row, sentence, doctest and scenario. A clause
 * whose value depends on a condition, is negated or only reported keeps its text and has no example.
 */
export function clausesOf(sources: readonly SpecSource[]): Clause[] {
  const drafts = sources.flatMap((source) => draftsOf(source));
  return drafts.slice(0, MAX_CLAUSES).map((draft, index) => ({ clause_id: `C${index + 1}`, ...draft }));
}

interface Place {
  readonly source: string;
  /** An issue that reports a defect: only what is said as a rule counts. */
  readonly disputed: boolean;
}

function draftsOf(source: SpecSource): Draft[] {
  const text = source.text.slice(0, MAX_SOURCE_LENGTH);
  const place: Place = { source: source.name, disputed: reportsDefect(source.name, text) };
  const blocks = blocksOf(text);
  const drafts: Draft[] = [];
  for (let at = 0; at < blocks.length && drafts.length < MAX_CLAUSES; at++) {
    const scenario = scenarioAt(blocks, at);
    const block = blocks[at];
    if (scenario) {
      drafts.push(...scenarioDraft(scenario.lines, scenario.context, place));
      at += scenario.blocks - 1;
    } else if (block) drafts.push(...draftsOfBlock(block, place));
  }
  return drafts;
}

function draftsOfBlock(block: Block, place: Place): Draft[] {
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
  examples: readonly ClauseExample[],
): Draft[] {
  const text = fold(lines).slice(0, MAX_CLAUSE_TEXT);
  if (!/[\p{L}\p{N}]/u.test(text)) return [];
  return [
    { text, source: place.source, line: lines[0]?.number ?? 1, section: context.headings.at(-1) ?? null, examples },
  ];
}

function fold(lines: readonly SpecLine[]): string {
  return lines
    .map((line) => line.text.trim())
    .filter(Boolean)
    .join(' ');
}

function itemDraft(lines: readonly SpecLine[], context: Context, place: Place): Draft[] {
  const sentences = sentencesOf(lines);
  return draft(
    lines,
    context,
    place,
    sentences.flatMap((_, index) => sentenceExamples(sentences, index, context, place)),
  );
}

function sentenceDrafts(lines: readonly SpecLine[], context: Context, place: Place): Draft[] {
  const sentences = sentencesOf(lines);
  return sentences.flatMap((sentence, index) =>
    draft([sentence], context, place, sentenceExamples(sentences, index, context, place)),
  );
}

function sentenceExamples(
  sentences: readonly SpecLine[],
  index: number,
  context: Context,
  place: Place,
): ClauseExample[] {
  const text = sentences[index]?.text ?? '';
  const said = place.disputed && isNormative({ headings: [], introduction: [], quoted: false }, text);
  if (!contextHolds(context, place.disputed && !said)) return [];
  const earlier = sentences
    .slice(0, index)
    .map((sentence) => sentence.text)
    .join(' ');
  return examplesOfSentence({ text: text.slice(0, MAX_CLAUSE_TEXT), earlier });
}

/** Sentences with the line each begins on. A full stop in code, after an abbreviation or before a small letter ends none. */
function sentencesOf(lines: readonly SpecLine[]): SpecLine[] {
  const starts: { at: number; number: number }[] = [];
  let whole = '';
  for (const line of lines) {
    const text = line.text.trim();
    if (text === '') continue;
    starts.push({ at: whole === '' ? 0 : whole.length + 1, number: line.number });
    whole += whole === '' ? text : ` ${text}`;
  }
  const blanked = whole.replace(/`[^`]*`/g, (code) => '§'.repeat(code.length));
  const sentences: SpecLine[] = [];
  let from = 0;
  for (const match of blanked.matchAll(/[.!?]["')*_]{0,3}\s+(?=[^\sa-z])/g)) {
    const end = match.index + match[0].trimEnd().length;
    if (
      /(?:\b(?:e\.g|i\.e|cf|vs|etc|resp|approx|no)|\b\p{L})\.$/iu.test(blanked.slice(Math.max(from, end - 12), end)) &&
      !/§\.$/.test(blanked.slice(from, end))
    )
      continue;
    sentences.push({ text: whole.slice(from, end), number: lineAt(starts, from) });
    from = match.index + match[0].length;
  }
  if (from < whole.length) sentences.push({ text: whole.slice(from), number: lineAt(starts, from) });
  return sentences;
}

function lineAt(starts: readonly { at: number; number: number }[], at: number): number {
  return starts.findLast((start) => start.at <= at)?.number ?? 1;
}

function tableDrafts(block: Extract<Block, { kind: 'table' }>, place: Place): Draft[] {
  const reader = contextHolds(block.context, place.disputed)
    ? rowReader(block.header.text, block.context.headings.at(-1) ?? null)
    : null;
  return block.rows.flatMap((row) => draft([row], block.context, place, reader?.(cellsOf(row.text)) ?? []));
}

function codeDrafts(block: Extract<Block, { kind: 'code' }>, place: Place): Draft[] {
  const holds = contextHolds(block.context, place.disputed);
  return examplesOfCode(block.language, block.lines).flatMap(({ lines, example }) =>
    draft(lines, block.context, place, holds && example ? [example] : []),
  );
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
    first.kind === 'item' && next?.kind === 'item' && isContinued(next.lines);
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
  return draft(lines, context, place, holds ? exampleOfScenario(lines) : []);
}
