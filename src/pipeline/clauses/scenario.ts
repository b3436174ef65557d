/** Reads Given / When / Then scenarios: the call in When, its result in Then, and names that Given binds to values. */

import { canonicalValue, parseCall, parseValue } from '../value/value.ts';
import type { SpecLine } from './blocks.ts';
import type { ClauseExample } from './clause.ts';
import { callsIn, outcomeAt } from './examples.ts';
import { unfenced } from './qualifiers.ts';

/** A longer scenario has no example, in UTF-16 units. */
const MAX_SCENARIO = 2000;
const STEP = /^\W*(Given|When|Then|And|But)\b[\s*_:,]*(.*)$/i;
const DOUBTFUL = /\b(?:not|never|or|if|unless|except|instead|approximately|about|least|most)\b|\b\w+n['’]t\b/i;
const RESULT_WORDS =
  /^(?:the\s+|its?\s+)?(?:result|return value|returned value|output|answer|value|total|it|function|call)?\s*$/i;

interface Step {
  readonly word: 'given' | 'when' | 'then';
  readonly text: string;
}

/** True when the line begins a scenario or goes on with one. */
export function isStep(text: string): boolean {
  return STEP.test(text);
}

export function beginsScenario(text: string): boolean {
  return /^\W*(?:Given|When)\b/i.test(text);
}

/** The example of a scenario, or none when it holds more than one call, an unbound condition or a doubtful result. */
export function exampleOfScenario(lines: readonly SpecLine[]): ClauseExample[] {
  const text = lines.map((line) => line.text.trim()).join('\n');
  if (text.length > MAX_SCENARIO) return [];
  const steps = stepsOf(text);
  const when = steps.filter((step) => step.word === 'when');
  const then = steps.filter((step) => step.word === 'then');
  const given = steps.filter((step) => step.word === 'given');
  if (when.length !== 1 || then.length === 0) return [];
  const calls = callsIn(when[0]?.text ?? '');
  const written = calls[0] ?? unboundCall(when[0]?.text ?? '');
  if (calls.length > 1 || !written || steps.some((step) => DOUBTFUL.test(unfenced(step.text)))) return [];
  const subject = substituted(written, bindingsOf(given));
  const call = parseCall(subject);
  const args = call?.args.map((argument) => canonicalValue(argument.value)) ?? [];
  if (!call || !given.every((step) => isShown(step.text, args))) return [];
  const result = resultOf(then[0]?.text ?? '');
  return result ? [{ subject, value: result.value, kind: result.kind, form: 'given_when_then' }] : [];
}

function stepsOf(text: string): Step[] {
  const parts = text.split(/\n|,\s+(?=(?:when|then)\b)/i);
  const steps: Step[] = [];
  for (const part of parts) {
    const match = STEP.exec(part);
    const word = match?.[1]?.toLowerCase() ?? 'and';
    const content = match?.[2] ?? part;
    const last = steps.at(-1)?.word;
    if (word === 'given' || word === 'when' || word === 'then') steps.push({ word, text: content });
    else if (last) steps.push({ word: last, text: content });
  }
  return steps;
}

/** "`cart = [1, 2]`", "`cart` is `[1, 2]`", "a cart `cart` of `[1]`". */
function bindingsOf(given: readonly Step[]): Map<string, string> {
  const bindings = new Map<string, string>();
  for (const { text } of given) {
    for (const match of text.matchAll(/`([A-Za-z_$][\w$]*)`\s+(?:is|=|of|with|equals|being)\s+`([^`]+)`/g))
      bindings.set(match[1] ?? '', match[2] ?? '');
    for (const match of text.matchAll(/`([A-Za-z_$][\w$]*)\s*=\s*([^`=\s][^`]*)`/g))
      bindings.set(match[1] ?? '', match[2] ?? '');
  }
  return bindings;
}

function unboundCall(text: string): string | null {
  const spans = [...text.matchAll(/`([A-Za-z_$][\w$.]*\([^`]*\))`/g)].map((match) => match[1] ?? '');
  return spans.length === 1 ? (spans[0] ?? null) : null;
}

function substituted(call: string, bindings: ReadonlyMap<string, string>): string {
  const match = /^([A-Za-z_$][\w$.]*)\(([\w$,\s]*)\)$/.exec(call);
  if (!match) return call;
  const args = (match[2] ?? '')
    .split(',')
    .map((argument) => argument.trim())
    .filter(Boolean);
  return `${match[1]}(${args.map((argument) => bindings.get(argument) ?? argument).join(', ')})`;
}

/** A Given is met when every value it names is an argument of the call; one without values is a condition of its own. */
function isShown(text: string, args: readonly string[]): boolean {
  const spans = [...text.matchAll(/`([^`]+)`/g)].map((match) =>
    (match[1] ?? '').replace(/^[A-Za-z_$][\w$]*\s*=\s*(?!=)/, ''),
  );
  const values = spans.filter((span) => !/^[A-Za-z_$][\w$]*$/.test(span) || parseValue(span) !== null);
  if (values.length === 0) return false;
  return values.every((span) => {
    const value = parseValue(span);
    return value !== null && args.includes(canonicalValue(value));
  });
}

function resultOf(text: string): { value: string; kind: ClauseExample['kind'] } | null {
  const match =
    /\s*(?:(?:must|should|shall|will)\s+)?(?:be|is|are|equals?|returns?|gives?|throws?|raises?|fails?\s+with|rejects?\s+with)\b/i.exec(
      unfenced(text),
    );
  if (!match || !RESULT_WORDS.test(text.slice(0, match.index))) return returnedBefore(text);
  const outcome = outcomeAt(text, match.index);
  return outcome && /^[\s.!*_]*$/.test(text.slice(outcome.end)) ? { value: outcome.value, kind: outcome.kind } : null;
}

function returnedBefore(text: string): { value: string; kind: ClauseExample['kind'] } | null {
  const match = /^(?:an?\s+)?`([^`]+)`\s+(?:is|are|should be|must be)\s+(returned|thrown|raised)[\s.]*$/i.exec(
    text.trim(),
  );
  if (!match?.[1]) return null;
  const thrown = match[2]?.toLowerCase() !== 'returned';
  return thrown || parseValue(match[1]) ? { value: match[1], kind: thrown ? 'throws' : 'returns' } : null;
}
