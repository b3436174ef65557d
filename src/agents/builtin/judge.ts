/** Two of three decide: what was observed, what the test asserts, and what the clause says. Anything else is unknown. */
import type { Clause, ClauseExample } from '../../pipeline/clauses/clause.ts';
import { callsIn } from '../../pipeline/clauses/examples.ts';
import { compareOutcome, demandedOutcome, type Outcome } from '../../pipeline/value/outcome.ts';
import { type Call, compareValues, parseCall, parseValue, sameCall } from '../../pipeline/value/value.ts';
import type { Site } from './site.ts';

export interface Ruling {
  readonly clause: Clause;
  readonly example: ClauseExample;
}

/** The clause that gives a value for the call; otherwise why none decides, and the nearest one to cite. */
export function rulingFor(
  site: Site,
  clauses: readonly Clause[],
): Ruling | { readonly missing: string; readonly nearest: Clause | null } {
  const call = parseCall(site.subject);
  if (!call) return { missing: `\`${site.subject}\` cannot be compared with the calls of the spec`, nearest: null };
  const speaking = clauses.filter((clause) => speaksOf(clause, call));
  const rulings = clauses.flatMap((clause) =>
    clause.examples.filter((example) => isAbout(example.subject, call)).map((example) => ({ clause, example })),
  );
  const [first] = rulings;
  if (!first) {
    const nearest = speaking[0] ?? clauses.find((clause) => names(clause, site.callee)) ?? null;
    return {
      missing: nearest
        ? `${nearest.clause_id} names \`${site.callee}\` but gives no unconditional value for \`${site.subject}\``
        : `no clause speaks of \`${site.callee}\``,
      nearest,
    };
  }
  const rival = rulings.find(({ example }) => !agree(example, first.example));
  if (rival) {
    return {
      missing: `${first.clause.clause_id} says ${first.example.value} and ${rival.clause.clause_id} says ${rival.example.value} for the same call`,
      nearest: first.clause,
    };
  }
  const other = speaking.find((clause) => !clause.examples.some((example) => isAbout(example.subject, call)));
  if (other)
    return {
      missing: `${first.clause.clause_id} gives a value, but ${other.clause_id} speaks of the same call in other words`,
      nearest: first.clause,
    };
  return first;
}

function isAbout(subject: string, call: Call): boolean {
  const other = parseCall(subject);
  return other !== null && sameCall(other, call);
}

function speaksOf(clause: Clause, call: Call): boolean {
  const name = call.path.at(-1) ?? '';
  return clause.text.includes(name) && callsIn(clause.text).some((written) => isAbout(written, call));
}

function names(clause: Clause, callee: string): boolean {
  return new RegExp(`(?<![\\w$])${callee.replaceAll('$', '\\$')}(?![\\w$])`).test(clause.text);
}

function agree(one: ClauseExample, other: ClauseExample): boolean {
  if (one.kind !== other.kind) return false;
  const [left, right] = [parseValue(one.value), parseValue(other.value)];
  return one.value === other.value || (left !== null && right !== null && compareValues(left, right) === 'same');
}

export type Verdict = { readonly cause: 'code' | 'test' } | { readonly cause: 'unknown'; readonly missing: string };

/** The verdict of the three values. What the program does is weighed against the clause only, never against the test. */
export function verdictOf(site: Site, observed: Outcome, example: ClauseExample): Verdict {
  const asserted = demandOf(site, example);
  const seen = compareOutcome(observed, example);
  if (asserted === 'unsure' || seen === 'unsure') {
    return unknown(
      `whether ${asserted === 'unsure' ? 'the assertion' : 'the observed value'} agrees with the clause can be argued`,
    );
  }
  if (site.relation === 'near' && isWithin(site.tolerance, observed, example))
    return unknown('the observed value is within the tolerance of what the clause says');
  if (asserted === 'same' && seen === 'different') return { cause: 'code' };
  if (asserted === 'different' && seen === 'same') return { cause: 'test' };
  if (asserted === 'same')
    return unknown('the clause, the assertion and the observed value agree, and yet the test fails');
  return unknown('the clause, the assertion and the program each say something else');
}

function isWithin(tolerance: number, observed: Outcome, example: ClauseExample): boolean {
  const said = parseValue(example.value);
  if (observed.kind !== 'returned' || observed.value.kind !== 'number' || said?.kind !== 'number') return true;
  const distance = Math.abs(observed.value.value - said.value);
  return distance > 0 && distance <= tolerance * 1.001;
}

/** How the assertion's demand stands to the clause; `same` also when the clause's value would pass within the tolerance. */
function demandOf(site: Site, example: ClauseExample): 'same' | 'different' | 'unsure' {
  const demanded = demandedOutcome(site.demand);
  if (!demanded) return site.relation === 'throws' && example.kind === 'returns' ? 'different' : 'unsure';
  if (site.relation === 'near') {
    const said = parseValue(example.value);
    if (
      demanded.kind !== 'returned' ||
      demanded.value.kind !== 'number' ||
      said?.kind !== 'number' ||
      !(site.tolerance > 0)
    )
      return 'unsure';
    const distance = Math.abs(demanded.value.value - said.value);
    return distance < site.tolerance * 0.999 ? 'same' : distance > site.tolerance * 1.001 ? 'different' : 'unsure';
  }
  if (site.relation === 'throws' && site.demand === 'Error') return example.kind === 'throws' ? 'same' : 'different';
  return compareOutcome(demanded, example);
}

function unknown(missing: string): Verdict {
  return { cause: 'unknown', missing };
}
