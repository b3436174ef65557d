/** Checks a debugger's claim against the evidence and the clauses before anybody believes it. */

import type { EvidenceText } from '../ports/agent.ts';
import type { Claim, Contradiction, EvidenceCitation } from './claim.ts';
import type { Clause, ClauseExample } from './clauses/clause.ts';
import { compareOutcome, demandedOutcome, observedOutcome } from './value/outcome.ts';
import { canonicalValue, parseCall, parseValue, sameCall } from './value/value.ts';

export interface CheckedClaim extends Claim {
  /** Why the claim was not accepted as made; empty when it was. A refused claim's cause is `unknown`. */
  readonly refusals: readonly string[];
}

interface Ground {
  readonly claim: Claim;
  readonly evidence: ReadonlyMap<string, EvidenceText>;
  readonly clauses: readonly Clause[];
  readonly isTestFile: (path: string) => boolean;
}

const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|integration)\/|(?:^|[/._-])(?:test|tests|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/;

/** True for the names that test runners look for. */
export function looksLikeTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}

/**
 * The claim as it may be reported. Every citation must hold word for word; `code` needs an observed outcome that contradicts the
 * clause, `test` an assertion in a test's source that does. What fails becomes `unknown`, with each reason in `refusals`.
 */
export function checkClaim(
  claim: Claim,
  evidence: ReadonlyMap<string, EvidenceText>,
  clauses: readonly Clause[],
  isTestFile: (path: string) => boolean = looksLikeTestFile,
): CheckedClaim {
  const ground: Ground = { claim, evidence, clauses, isTestFile };
  const refusals = [...citationRefusals(ground), ...clauseRefusals(ground)];
  if (claim.cause !== 'unknown' && refusals.length === 0) refusals.push(...contradictionRefusals(ground));
  if (refusals.length === 0) return { ...claim, refusals: [] };
  return {
    ...claim,
    cause: 'unknown',
    evidence: claim.evidence.filter((citation, index) => citationRefusal(ground, citation, index) === null),
    clause: clauseRefusals(ground).length === 0 ? claim.clause : null,
    contradiction: null,
    refusals,
  };
}

function citationRefusals(ground: Ground): string[] {
  return ground.claim.evidence.flatMap((citation, index) => citationRefusal(ground, citation, index) ?? []);
}

function citationRefusal({ evidence }: Ground, citation: EvidenceCitation, index: number): string | null {
  const source = evidence.get(citation.evidence_id);
  const named = `citation ${index} (${citation.evidence_id})`;
  if (!source) return `${named}: there is no such evidence`;
  const bytes = Buffer.from(source.text, 'utf8');
  if (citation.start_byte >= citation.end_byte || citation.end_byte > bytes.length)
    return `${named}: its range is outside the evidence`;
  const cited = bytes.subarray(citation.start_byte, citation.end_byte);
  return cited.equals(Buffer.from(citation.quote, 'utf8'))
    ? null
    : `${named}: the quoted text does not stand at these bytes`;
}

function clauseRefusals({ claim, clauses }: Ground): string[] {
  if (claim.clause === null)
    return claim.cause === 'unknown' ? [] : [`a claim of cause ${claim.cause} must cite a clause`];
  const { clause_id, quote } = claim.clause;
  const clause = clauses.find((each) => each.clause_id === clause_id);
  if (!clause) return [`clause ${clause_id} does not exist`];
  return clause.text.includes(quote) ? [] : [`the quote does not stand in clause ${clause_id}`];
}

function contradictionRefusals(ground: Ground): string[] {
  const { claim, clauses } = ground;
  const contradiction = claim.contradiction;
  if (contradiction === null) return [`a claim of cause ${claim.cause} must show a contradiction`];
  const clause = clauses.find((each) => each.clause_id === claim.clause?.clause_id);
  const example = clause && exampleOf(clause, contradiction);
  if (typeof example !== 'object') return [example ?? 'the cited clause is missing'];
  return [
    ...quoteRefusals(claim, contradiction, example),
    ...rivalRefusals(ground, contradiction, example),
    ...sideRefusals(ground, contradiction, example),
    ...subjectRefusals(ground, contradiction),
  ];
}

/** The one example of the clause that speaks of the subject, or why there is none. */
function exampleOf(clause: Clause, contradiction: Contradiction): ClauseExample | string {
  const subject = parseCall(contradiction.subject);
  if (!subject) return 'the subject is no call with literal arguments';
  const examples = clause.examples.filter((example) => isAbout(example, subject));
  const [example] = examples;
  if (!example) return `clause ${clause.clause_id} gives no value for ${contradiction.subject}`;
  if (examples.some((other) => other.value !== example.value || other.kind !== example.kind)) {
    return `clause ${clause.clause_id} gives more than one value for ${contradiction.subject}`;
  }
  return example.value === contradiction.clause_value
    ? example
    : `clause ${clause.clause_id} says ${example.value}, not ${contradiction.clause_value}`;
}

function isAbout(example: ClauseExample, subject: NonNullable<ReturnType<typeof parseCall>>): boolean {
  const call = parseCall(example.subject);
  return call !== null && sameCall(call, subject);
}

function quoteRefusals(claim: Claim, contradiction: Contradiction, example: ClauseExample): string[] {
  const refusals: string[] = [];
  if (!claim.clause?.quote.includes(example.value))
    refusals.push("the clause's value is not part of the clause's quote");
  const cited = claim.evidence[contradiction.citation];
  if (!cited) refusals.push(`there is no citation ${contradiction.citation}`);
  else if (contradiction.cited_value === '' || !cited.quote.includes(contradiction.cited_value)) {
    refusals.push('the cited value is not part of the quoted evidence');
  }
  return refusals;
}

/** Other clauses may not say otherwise about the same call. */
function rivalRefusals({ clauses }: Ground, contradiction: Contradiction, example: ClauseExample): string[] {
  const subject = parseCall(contradiction.subject);
  if (!subject) return [];
  return clauses.flatMap((clause) => {
    const rival = clause.examples.find(
      (other) => isAbout(other, subject) && (other.kind !== example.kind || !agree(other.value, example.value)),
    );
    return rival ? [`clause ${clause.clause_id} says otherwise about the same call: ${rival.value}`] : [];
  });
}

function agree(one: string, other: string): boolean {
  const [left, right] = [parseValue(one), parseValue(other)];
  return one === other || (left !== null && right !== null && canonicalValue(left) === canonicalValue(right));
}

function sideRefusals(
  { claim, evidence, isTestFile }: Ground,
  contradiction: Contradiction,
  example: ClauseExample,
): string[] {
  const source = evidence.get(claim.evidence[contradiction.citation]?.evidence_id ?? '');
  if (!source) return [];
  const observed = claim.cause === 'code';
  if ((contradiction.side === 'observed') !== observed) {
    return [
      observed
        ? '`code` needs what the program did, not what the test asserts'
        : '`test` needs what the test asserts; what the program did is no argument',
    ];
  }
  if (observed && source.kind !== 'output') return ['observed behaviour must be cited from captured output'];
  if (!observed && (source.kind !== 'source' || !isTestFile(source.label)))
    return ['an assertion must be cited from the source of a test file'];
  const outcome = observed ? observedOutcome(contradiction.cited_value) : demandedOutcome(contradiction.cited_value);
  if (!outcome) return [`the cited value cannot be read as a value: ${contradiction.cited_value.slice(0, 80)}`];
  const comparison = compareOutcome(outcome, example);
  if (comparison === 'same') return ['the cited value is what the clause says: there is no contradiction'];
  return comparison === 'different' ? [] : ['the cited value and the clause may mean the same'];
}

/** The call must stand in test source that the claim cites: its name, and every argument as written. */
function subjectRefusals({ claim, evidence, isTestFile }: Ground, contradiction: Contradiction): string[] {
  const call = parseCall(contradiction.subject);
  const name = call?.path.at(-1);
  const quotes = claim.evidence
    .filter((citation) => {
      const source = evidence.get(citation.evidence_id);
      return source?.kind === 'source' && isTestFile(source.label);
    })
    .map((citation) => citation.quote);
  if (!call || !name) return ['the subject is no call with literal arguments'];
  if (quotes.length === 0) return ['no source of the test is cited'];
  const text = squeezed(quotes.join('\n'));
  if (!new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(quotes.join('\n')))
    return [`the cited test source does not name ${name}`];
  const missing = argumentTexts(contradiction.subject).filter((argument) => !text.includes(squeezed(argument)));
  return missing.map((argument) => `the cited test source does not hold the argument ${argument.slice(0, 80)}`);
}

/** The outermost arguments of the first call, as written. */
function argumentTexts(subject: string): string[] {
  const texts: string[] = [];
  let depth = 0;
  let quote: string | null = null;
  let from = -1;
  for (let at = 0; at < subject.length; at++) {
    const char = subject[at] ?? '';
    if (quote !== null) {
      if (char === '\\') at++;
      else if (char === quote) quote = null;
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if ('([{'.includes(char)) {
      depth++;
      if (depth === 1) from = at + 1;
    } else if (')]}'.includes(char)) depth--;
    if (quote === null && ((char === ',' && depth === 1) || (char === ')' && depth === 0))) {
      texts.push(subject.slice(from, at).trim());
      from = at + 1;
      if (depth === 0) break;
    }
  }
  return texts.filter((text) => text !== '').map((text) => text.replace(/^[A-Za-z_$][\w$]*\s*=\s*(?!=)/, ''));
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '').replace(/,(?=[)\]}])/g, '');
}
