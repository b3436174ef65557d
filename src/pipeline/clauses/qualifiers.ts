/** Decides whether an example in a spec holds without condition: what is negated, conditional, past or disputed is no example. */

import type { Argument } from '../value/model.ts';
import type { Context } from './blocks.ts';

/** Words that turn a statement round, weaken it, or say that it is not the rule. */
const NEGATING =
  /\b(?:not|never|no longer|cannot|\w+n['’]t|instead|rather|used to|previously|formerly|current|currently|actual|actually|observed|got|today|wrong|wrongly|incorrect|incorrectly|bug|buggy|broken|was|were|would|or|but|approximately|about|around|roughly|nearly|almost|least|most|more than|less than|between|deprecated|legacy|maybe|might|may|could|sometimes|usually|often|typically|default|todo|tbd|proposed|unspecified|undefined behaviou?r|depends?|depending|either)\b|~~|[±≈?]/i;

/** Words that bind a statement to a circumstance. */
const CONDITIONAL_WORD =
  /\b(?:if|when|whenever|unless|while|until|once|except|after|before|during|assuming|provided|given|only|mode|enabled|disabled|without)\b/i;

/** The same, or at the beginning a word that only there does so. */
const CONDITIONAL =
  /\b(?:if|when|whenever|unless|while|until|once|except|after|before|during|assuming|provided|given|only|mode|enabled|disabled|without)\b|^\W*(?:with|under|in|on|for(?! (?:example|instance))|at|as)\b/i;

/** The same at the start of what follows a value: "`3` in strict mode". */
const TRAILING = /^[\s,(;–—-]*(?:in|with|without|for|on|under|per|at|as|to|within|plus|minus)\b/i;

const NEGATING_HEADING =
  /\b(?:not|actual|current|currently|observed|before|bugs?|broken|wrong|incorrect|reproduc\w*|steps|change ?log|history|known|workarounds?|deprecated|legacy|old|previous|alternatives?|rejected|non-goals?|todo|proposals?|drafts?|future|roadmap|migrat\w*|invalid|bad|questions?|without|when|if|unless|mode|enabled|disabled|strict|lenient)\b|~~/i;

/** Headings and words by which an issue says what is wanted, apart from what is seen. */
const NORMATIVE = /\b(?:expect\w*|accept\w*|spec\w*|requirements?|desired|criteria|must|should|shall|wanted|rules?)\b/i;

/** Signs that an issue reports a defect: its plain statements may then describe the defect. */
const REPORTING =
  /\b(?:bugs?|actual\w*|current\w*|reproduc\w*|wrong\w*|incorrect\w*|instead|got|fails?|failing|failed|broken|crash\w*|regression|steps|observed|fix|but)\b|n['’]t\b/i;

/** Adjectives by which a condition only repeats what the arguments show. */
const RESTATING: readonly { readonly word: RegExp; readonly shown: (argument: Argument) => boolean }[] = [
  {
    word: /\bempty\b/i,
    shown: ({ value }) =>
      'items' in value
        ? value.items.length === 0
        : 'entries' in value
          ? value.entries.length === 0
          : value.kind === 'string' && value.value === '',
  },
  { word: /\bnegative\b/i, shown: ({ value }) => value.kind === 'number' && value.value < 0 },
  { word: /\bzero\b/i, shown: ({ value }) => value.kind === 'number' && value.value === 0 },
  { word: /\b(?:null|none)\b/i, shown: ({ value }) => value.kind === 'null' },
  { word: /\bundefined\b/i, shown: ({ value }) => value.kind === 'undefined' },
];

/** Words by which a text keeps its distance from what it shows. No list of them is complete, so more is asked of an introduction. */
const DISOWNING =
  /\b(?:bad|reject\w*|refus\w*|discard\w*|avoid\w*|counter-?examples?|anti-?patterns?|mistak\w*|errors?|erroneous|faulty?|flaw\w*|unwanted|unsupported|considered|discussed|ideas?|obsolete|former|past|historic\w*|hypothetical\w*|imagin\w*|pretend\w*|suppose\w*|misread\w*|misconception\w*|myths?|pitfalls?|surpris\w*|unexpected|contrary|false|fail\w*|withdrawn|abandon\w*|dropped|removed|superseded|replaced|dismiss\w*|den(?:y|ied)|declin\w*|competitors?|others?|elsewhere)\b/i;

/** Words by which an introduction says that what follows is the rule, or an example of it. */
const VOUCHING =
  /\b(?:examples?|instances?|returns?|results?|gives?|yields?|costs?|computes?|means?|behaves?|rules?|must|shall|should|following|follows|cases?|values?|table|requirements?|specification|expected|defined)\b/i;

/** What a bare name of a subject ("Discounts by quantity:") does not have: somebody who speaks, or a verb that judges. */
const SPEAKING =
  /\b(?:we|i|you|they|it|he|she|these|those|this|that|is|are|be|been|has|have|had|do|does|did|\w+ed|\w+n['’]t)\b/i;

/** True for a lead-in that leaves its items standing: it vouches for them, or only names what they are about. */
function introduces(text: string): boolean {
  if (NEGATING.test(text) || CONDITIONAL.test(text) || DISOWNING.test(text)) return false;
  return VOUCHING.test(text) || (text.split(/\s+/).length <= 8 && !SPEAKING.test(text));
}

/** True when an issue's plain statements cannot be told from its description of a defect. */
export function reportsDefect(source: string, text: string): boolean {
  return source.startsWith('issue #') && REPORTING.test(text);
}

/** True when headings, introduction and quoting leave the block's statements standing as rules. */
export function contextHolds(context: Context, disputed: boolean): boolean {
  if (context.quoted || context.unclear) return false;
  if (context.headings.some((heading) => NEGATING_HEADING.test(unfenced(heading)))) return false;
  if (context.headings.some((heading) => DISOWNING.test(unfenced(heading)))) return false;
  if (!context.introduction.every((text) => introduces(unfenced(text)))) return false;
  return !disputed || isNormative(context, '');
}

export function isNormative(context: Context, sentence: string): boolean {
  const nearest = context.headings.at(-1) ?? '';
  return [nearest, ...context.introduction, sentence].some((text) => NORMATIVE.test(unfenced(text)));
}

/** What the earlier sentences of a paragraph leave for the next one. */
export interface Earlier {
  /** Whether one of them names a circumstance: it may go on. */
  readonly conditional: boolean;
  /** The last of them, code blanked. */
  readonly last: string;
}

export const NOTHING_EARLIER: Earlier = { conditional: false, last: '' };

/** What is left after one more sentence. Each sentence is looked at once, however many follow. */
export function afterSentence(earlier: Earlier, sentence: string): Earlier {
  const last = unfenced(sentence);
  const names = earlier === NOTHING_EARLIER ? CONDITIONAL : CONDITIONAL_WORD;
  return { conditional: earlier.conditional || names.test(last), last };
}

export interface Surroundings {
  readonly earlier: Earlier;
  /** The sentence up to the call, with code blanked. */
  readonly before: string;
  /** What follows the value, up to the end of the sentence or the next example. */
  readonly after: string;
  /** The whole sentence, code blanked. */
  readonly sentence: string;
}

/** Where a rule in words ends and its example begins: "Five or more earn a discount: `discount(5)` is `0.1`". */
const RULE_END = /:\s|,?\s(?:so|thus|hence)\s|\be\.g\.|\bfor (?:example|instance)\b/gi;

/** In the rule itself these words speak of the whole range of values, not of the one example behind it. */
const RANGE = /\b(?:or|at least|at most|more than|less than|between)\b/gi;

/** True when the sentence states the example as it is: no negation, no condition but one that repeats the arguments. */
export function holdsPlainly(around: Surroundings, args: readonly Argument[]): boolean {
  if (NEGATING.test(withoutRanges(around))) return false;
  if (around.earlier.conditional || disowns(around.earlier.last)) return false;
  const conditional = CONDITIONAL.test(around.before) || CONDITIONAL.test(around.after) || TRAILING.test(around.after);
  return !conditional || restates(`${around.before} ${around.after}`, args);
}

/** A label such as "Actual." before the sentence counts, and a short sentence that keeps its distance: "We rejected this." */
function disowns(earlier: string): boolean {
  const label = firstWords(earlier);
  return NEGATING.test(label) || (earlier.split(/\s+/).length <= 12 && DISOWNING.test(earlier));
}

/** The sentence with words of range blanked in the rule that leads up to the example. */
function withoutRanges({ sentence, before }: Surroundings): string {
  const start = sentence.indexOf(before);
  const end = [...before.matchAll(RULE_END)].at(-1);
  if (start < 0 || end === undefined) return sentence;
  const rule = sentence.slice(0, start + end.index);
  return rule.replace(RANGE, (word) => ' '.repeat(word.length)) + sentence.slice(rule.length);
}

/** "When the list is empty": short, one adjective of the table, and an argument that shows it. */
function restates(text: string, args: readonly Argument[]): boolean {
  const words = text.split(/[^\p{L}]+/u).filter((word) => word !== '');
  if (words.length > 9 || /\b(?:mode|enabled|disabled|without|and|unless|except)\b/i.test(text)) return false;
  return RESTATING.some(({ word, shown }) => word.test(text) && args.some(shown));
}

/** The last part of an earlier sentence, if it is short. */
function firstWords(text: string): string {
  const last = text.split(/[.!?:]\s/).at(-1) ?? '';
  return last.split(/\s+/).length <= 4 ? last : '';
}

/** The text with its code spans blanked, so that code is never read as words. */
export function unfenced(text: string): string {
  return text.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
}
