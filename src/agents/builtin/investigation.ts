/** One failing test: re-run it, find its assertion, weigh observed, asserted and the clause, and claim what can be shown. */
import type { FailurePacket } from '../../failures/packet.ts';
import type { Claim, EvidenceCitation } from '../../pipeline/claim.ts';
import type { Clause } from '../../pipeline/clauses/clause.ts';
import { diffSides, type Outcome, observedOutcome } from '../../pipeline/value/outcome.ts';
import { canonicalValue, compareValues, parseValue } from '../../pipeline/value/value.ts';
import type { DebugTools, EvidenceText, Rerun } from '../../ports/agent.ts';
import { citation, clauseCitation, cut, nameOf, unknownClaim } from './claims.ts';
import { javascriptSite } from './javascript-site.ts';
import { type Ruling, rulingFor, verdictOf } from './judge.ts';
import { type Cited, errorIn, nothingThrownIn, observationIn } from './observation.ts';
import { pythonSite } from './python-site.ts';
import { reproduced } from './reproduction.ts';
import { isMissing, type Site } from './site.ts';
import { definitionOf } from './surroundings.ts';
import { failingLines, isSameFile, testFileOf } from './test-file.ts';
import { type Tree, treeOf } from './tree.ts';

export interface Ground {
  readonly clauses: readonly Clause[];
  readonly absent: string | null;
  readonly prepared: string | null;
  readonly tools: DebugTools;
  /** Re-runs of one test. */
  readonly attempts: number;
  readonly isTestFile: (path: string) => boolean;
}

/** What the investigation has found so far; every `unknown` shows it. */
interface Found {
  readonly packet: FailurePacket;
  readonly failed: readonly Rerun[];
  readonly source: EvidenceText;
  readonly site: Site;
}

export async function investigate(packet: FailurePacket, ground: Ground): Promise<Claim> {
  const answer = await ground.tools.rerun(packet, ground.attempts);
  if (!answer.ok) return unknownClaim(packet, [`the test could not be run alone: ${answer.refused}`]);
  const failed = reproduced(packet, answer.value);
  if (isMissing(failed)) return unknownClaim(packet, [failed.missing], { evidence: outputEvidence(answer.value) });
  const evidence = outputEvidence(failed.runs);
  const path = testFileOf(failed.packet, packet, await ground.tools.listFiles(), ground.isTestFile);
  if (path === null) return unknownClaim(packet, ['the file of the failing test cannot be told'], { evidence });
  const source = await ground.tools.readFile(path);
  if (!source.ok) return unknownClaim(packet, [`the test file cannot be read: ${source.refused}`], { evidence });
  const tree = treeOf(path, source.value.text);
  if (tree === null)
    return unknownClaim(packet, [`${path} is not JavaScript, TypeScript or Python, so its assertion cannot be read`], {
      evidence,
    });
  const site = siteIn(tree, path, failed.packet, failed.runs);
  if (isMissing(site)) return unknownClaim(packet, [site.missing], { evidence });
  return judge({ packet, failed: failed.runs, source: source.value, site: site.site }, ground, tree);
}

function siteIn(tree: Tree, path: string, packet: FailurePacket, runs: readonly Rerun[]) {
  const lines = failingLines(path, packet, runs[0]?.evidence.text ?? '');
  const test = packet.first_failing_test ?? '';
  const threw = errorIn(runs[0]?.evidence.text ?? '') !== null;
  const question = { root: tree.root, test, lines, threw };
  return tree.language === 'python' ? pythonSite(question) : javascriptSite(question);
}

async function judge(found: Found, ground: Ground, tree: Tree): Promise<Claim> {
  const { site } = found;
  const shown = sourceEvidence(found);
  const observed = observedIn(found, ground);
  const finding = `\`${site.subject}\`: the test demands ${site.demand}${isMissing(observed) ? '' : `, the program gave ${observed.piece.text}`}`;
  const evidence = isMissing(observed) ? [...outputEvidence(found.failed), ...shown] : [observed.citation, ...shown];
  const give = (missing: string, clause: Clause | null = null) =>
    unknownClaim(found.packet, [missing], { evidence, clause, finding });
  if (ground.absent !== null) return give(ground.absent);
  const ruling = rulingFor(site, ground.clauses);
  if (isMissing(ruling)) return give(ruling.missing, ruling.nearest);
  if (ground.prepared !== null) return give(ground.prepared, ruling.clause);
  if (isMissing(observed)) return give(observed.missing, ruling.clause);
  const definition = await definitionOf(site, tree.language, ground);
  if (isMissing(definition)) return give(definition.missing, ruling.clause);
  const verdict = verdictOf(site, observed.outcome, ruling.example);
  if (verdict.cause === 'unknown') return give(verdict.missing, ruling.clause);
  if (shown.length !== site.shown.length)
    return give('the source of the assertion is too long to be cited', ruling.clause);
  return decided(found, ruling, verdict.cause, observed, evidence, definition.path);
}

interface Observed {
  readonly outcome: Outcome;
  readonly piece: Cited;
  readonly citation: EvidenceCitation;
}

function decided(
  found: Found,
  ruling: Ruling,
  cause: 'code' | 'test',
  observed: Observed,
  evidence: readonly EvidenceCitation[],
  definition: string,
): Claim {
  const { site, packet, source } = found;
  const code = cause === 'code';
  const line = site.shown[0]?.line ?? 1;
  return {
    packet_id: packet.packet_id,
    test: nameOf(packet),
    cause,
    evidence: evidence.slice(0, 20),
    clause: clauseCitation(ruling.clause),
    contradiction: {
      subject: site.subject,
      citation: code ? 0 : 1 + site.demandIn,
      side: code ? 'observed' : 'asserted',
      cited_value: code ? observed.piece.text : site.demand,
      clause_value: ruling.example.value,
    },
    missing: [],
    finding: cut(
      `\`${site.subject}\` gave ${oneLine(observed.piece.text)}; the test demands ${oneLine(site.demand)}; ${ruling.clause.clause_id} says ${ruling.example.kind === 'throws' ? 'it throws ' : ''}${ruling.example.value}`,
      1000,
    ),
    suggested_fix_scope: cut(
      code
        ? `strategy, then impl: \`${site.callee}\` in ${definition}`
        : `e2e: the assertion at ${source.label}:${line}`,
      300,
    ),
  };
}

function oneLine(text: string): string {
  return cut(text.replace(/\s+/g, ' '), 300);
}

/** The outcome of the first attempt, when every attempt came to the same. */
function observedIn(found: Found, ground: Ground): Observed | { readonly missing: string } {
  const readings = found.failed.map((run) => readingOf(found, run, ground));
  const lost = readings.find(isMissing);
  if (lost) return lost;
  const known = readings.filter((reading): reading is Observed => !isMissing(reading));
  const [first] = known;
  if (!first) return { missing: 'no attempt could be read' };
  const differs = known.some((reading) => outcomeText(reading.outcome) !== outcomeText(first.outcome));
  return differs ? { missing: 'the program gave different values in different attempts' } : first;
}

function outcomeText(outcome: Outcome): string {
  return outcome.kind === 'returned' ? canonicalValue(outcome.value) : JSON.stringify(outcome);
}

function readingOf(found: Found, run: Rerun, ground: Ground): Observed | { readonly missing: string } {
  const { evidence } = run;
  const piece = observedPiece(found, run, ground);
  if (isMissing(piece)) return piece;
  const outcome = observedOutcome(piece.text);
  const cited = citation(evidence, piece.start, piece.end);
  return outcome && cited
    ? { outcome, piece, citation: cited }
    : { missing: 'the observed value is printed in a form that cannot be read or cited' };
}

function observedPiece(found: Found, run: Rerun, ground: Ground): Cited | { readonly missing: string } {
  const { site } = found;
  const { text } = run.evidence;
  const thrown = errorIn(text);
  const nothing = nothingThrownIn(text);
  if (site.relation === 'throws') {
    if (nothing && !thrown) return nothing;
    return nothing ?? { missing: 'the output does not say that nothing was thrown' };
  }
  const read = observationIn(text, null);
  if (isMissing(read)) return thrown ? thrownByProgram(thrown, found, run, ground) : read;
  if (read.second && site.relation !== 'truthy' && !holdsDemand(site, read.first, read.second)) {
    return { missing: 'the values that the runner prints are not those of the assertion' };
  }
  const piece = site.side === 'first' ? read.first : read.second;
  if (!piece) return { missing: 'the output does not print what the call gave' };
  if (piece.text === read.second?.text && piece.text.includes('\n') && site.side === 'second')
    return { missing: 'the output shows a difference, and the call is on its other side' };
  return piece;
}

/** An error raised in the test file itself (a name that is not there, say) shows nothing about what the call does. */
function thrownByProgram(
  thrown: Cited,
  { source }: Found,
  run: Rerun,
  { isTestFile }: Ground,
): Cited | { readonly missing: string } {
  const frames = run.packets
    .flatMap((packet) => packet.stack)
    .filter(({ file }) => !/^node:|node_modules\/|site-packages\/|\/lib\/python/.test(file));
  const [innermost] = frames;
  return innermost && !isTestFile(innermost.file) && !isSameFile(source.label, innermost.file)
    ? thrown
    : { missing: `${thrown.text} did not come out of the program` };
}

/** The runner must print the test's own literal on the other side: then its values belong to this assertion. */
function holdsDemand(site: Site, first: Cited | null, second: Cited): boolean {
  const other = site.side === 'first' ? second : first;
  const demand = parseValue(site.demand);
  if (!other || !demand) return false;
  if (other.text.includes('\n')) {
    const sides = diffSides(other.text);
    if (sides) return compareValues(site.side === 'first' ? sides.second : sides.first, demand) !== 'different';
  }
  const printed = parseValue(other.text);
  return printed !== null && compareValues(printed, demand) !== 'different';
}

function outputEvidence(runs: readonly Rerun[]): EvidenceCitation[] {
  return runs.slice(0, 1).flatMap(({ evidence }) => citation(evidence, 0, Math.min(evidence.text.length, 1500)) ?? []);
}

function sourceEvidence({ source, site }: Found): EvidenceCitation[] {
  return site.shown.slice(0, 18).flatMap((piece) => citation(source, piece.start, piece.end) ?? []);
}
