/** The comment that people read: the debug report in its exact format, then what to do, where, why, and how to see it. */

import type { FailurePacket } from '../../failures/packet.ts';
import type { EvidenceText } from '../../ports/agent.ts';
import type { CheckedClaim } from '../claim-check.ts';
import type { Clause } from '../clauses/clause.ts';
import { type DebugReport, type ReportedFailure, renderDebugReport } from '../debug-report.ts';
import { suiteLine } from '../run-document.ts';
import { type Advice, adviceFor } from './advice.ts';
import { fenced, inlineCode, neutraliseLine, shorten } from './neutralise.ts';
import { type LinkBase, permalink } from './permalink.ts';
import { countsOf, verdictOf } from './verdict.ts';

/** Finds Inquest's one comment on a pull request again. */
export const REPORT_MARKER = '<!-- inquest:report -->';

/** GitHub refuses more than 65,536 characters; some room is left for what is added around the report. */
export const COMMENT_LIMIT = 65_000;

export interface CommentInput {
  readonly links: LinkBase;
  readonly run_id: string;
  readonly report: DebugReport;
  readonly claims: readonly CheckedClaim[];
  readonly evidence: readonly EvidenceText[];
  readonly clauses: readonly Clause[];
  readonly packets: readonly FailurePacket[];
  readonly checks: readonly { readonly name: string; readonly url: string | null }[];
  readonly missing: readonly string[];
  readonly damage: readonly string[];
  readonly suites: Parameters<typeof suiteLine>[0][];
  readonly notes: readonly string[];
}

/** How much is shown; each step shows less, until the comment fits. */
const SIZES = [
  { failures: 50, evidence: 4000, field: 1000 },
  { failures: 50, evidence: 800, field: 500 },
  { failures: 20, evidence: 400, field: 300 },
  { failures: 5, evidence: 0, field: 200 },
] as const;
type Size = (typeof SIZES)[number];

/** Markdown for GitHub, under its length limit whatever the input. Everything from logs, code and issues is neutralised. */
export function renderComment(input: CommentInput): string {
  for (const size of SIZES) {
    const body = renderSized(input, size);
    if (body.length <= COMMENT_LIMIT) return body;
  }
  return shorten(renderSized(input, SIZES[3]), COMMENT_LIMIT);
}

function renderSized(input: CommentInput, size: Size): string {
  const advice = input.claims
    .slice(0, size.failures)
    .map((claim, index) => adviceFor(claim, input.packets[index], input.clauses));
  const sections = [
    REPORT_MARKER,
    headline(input),
    harmlessReport(input.report, size),
    section('What to do next', nextSteps(input.report, advice)),
    section(
      'Where',
      advice.flatMap((one, index) => where(one, input.packets[index], input.links)),
    ),
    section('What the spec says', quotedClauses(input, advice)),
    size.evidence > 0 ? evidenceBlock(input, size) : '',
    reproduceBlock(input),
    section(
      'Not available',
      [...input.missing, ...input.damage].map((line) => `- ${neutraliseLine(shorten(line, 300))}`),
    ),
    section(
      'Notes',
      input.notes.map((line) => `- ${neutraliseLine(shorten(line, 300))}`),
    ),
    `<sub>Inquest run \`${input.run_id}\` on \`${input.links.sha.slice(0, 12)}\`. It explains; it has changed nothing.</sub>`,
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

function headline({ report, checks, claims }: CommentInput): string {
  const names = checks
    .slice(0, 5)
    .map((check) => inlineCode(check.name))
    .join(', ');
  const where = names === '' ? '' : ` in ${names}`;
  // One failure can be told in a sentence; several are told by the report.
  const [finding, ...others] = claims.map((claim) => neutraliseLine(shorten(claim.finding, 300)).replace(/\.$/, ''));
  const told = finding && others.length === 0 ? `: ${finding}` : '';
  return `### Inquest: ${verdictOf(report)}\n\n${countsOf(report, where)}${told}.`;
}

/** The report in its exact format, safe to post; `failures` and characters a `field` bound its length. */
export function harmlessReport(report: DebugReport, size: Pick<Size, 'failures' | 'field'> = SIZES[2]): string {
  const shown = report.failures.slice(0, size.failures);
  const left = report.failures.length - shown.length;
  const text = renderDebugReport({
    ...report,
    failures: shown.map((failure) => harmless(failure, size.field)),
    reason: neutraliseLine(report.reason),
  }).trimEnd();
  if (left === 0) return text;
  return `${text}\n\n_${left} more failures are not shown here; the recorded run has all of them._`;
}

function harmless(failure: ReportedFailure, limit: number): ReportedFailure {
  const clean = (text: string) => neutraliseLine(shorten(text, limit));
  return {
    test: clean(failure.test),
    cause: failure.cause,
    evidence: clean(failure.evidence),
    spec_citation: clean(failure.spec_citation),
    suggested_fix_scope: clean(failure.suggested_fix_scope),
  };
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `### ${title}\n\n${lines.join('\n')}`;
}

const MOST_STEPS = 10;

function nextSteps(report: DebugReport, advice: readonly Advice[]): string[] {
  if (report.failures.length === 0)
    return ['- No failing test or diagnostic could be read. Look at the failing check itself.'];
  const steps = [...new Set(advice.map((one) => one.next))];
  const more = steps.length - MOST_STEPS;
  const lines = steps.slice(0, MOST_STEPS).map((step) => `- ${step}`);
  return more > 0 ? [...lines, `- … and ${more} more of the same kind`] : lines;
}

function where(advice: Advice, packet: FailurePacket | undefined, links: LinkBase): string[] {
  const lines: string[] = [];
  if (packet?.primary_file) {
    const url = permalink(links, packet.primary_file, packet.primary_line);
    const place = packet.primary_line === null ? packet.primary_file : `${packet.primary_file}:${packet.primary_line}`;
    lines.push(`- ${neutraliseLine(advice.test)}: [${inlineCode(place)}](${url})`);
  }
  return lines;
}

/** One quotation: each clause, then where it stands. */
function quotedClauses({ clauses, links }: CommentInput, advice: readonly Advice[]): string[] {
  const wanted = new Set(advice.map((one) => one.clause_id).filter((id) => id !== null));
  return clauses
    .filter((clause) => wanted.has(clause.clause_id))
    .flatMap((clause, index) => {
      const place = `${clause.source}:${clause.line}`;
      const isFile = !clause.source.startsWith('issue #');
      const link = isFile
        ? `[${inlineCode(place)}](${permalink(links, clause.source, clause.line)})`
        : neutraliseLine(clause.source);
      const text = `> ${neutraliseLine(shorten(clause.text, 600))} (${clause.clause_id}, ${link})`;
      return index === 0 ? [text] : ['>', text];
    });
}

function evidenceBlock({ claims, evidence }: CommentInput, size: Size): string {
  const texts = new Map(evidence.map((one) => [one.evidence_id, one]));
  const blocks: string[] = [];
  for (const claim of claims.slice(0, size.failures)) {
    for (const citation of claim.evidence) {
      const text = texts.get(citation.evidence_id);
      if (text === undefined) continue;
      const attempt = text.attempt === null ? '' : `, attempt ${text.attempt}`;
      const kind = text.kind === 'output' ? 'output of' : 'source';
      const label = `${citation.evidence_id}: ${kind} ${inlineCode(shorten(text.label, 200))}${attempt}, bytes ${citation.start_byte}–${citation.end_byte}`;
      blocks.push(`${label}\n\n${fenced(shorten(citation.quote, size.evidence))}`);
    }
  }
  const unique = [...new Set(blocks)];
  return unique.length === 0 ? '' : folded(`Evidence (${unique.length})`, unique.join('\n\n'));
}

function reproduceBlock({ claims, evidence, links, suites }: CommentInput): string {
  const cited = new Set(claims.flatMap((claim) => claim.evidence.map((citation) => citation.evidence_id)));
  const singles = evidence.filter((one) => one.kind === 'output' && cited.has(one.evidence_id)).map((one) => one.label);
  const commands = [...new Set(singles.length > 0 ? singles : suites.map((suite) => suite.command))].slice(0, 10);
  if (commands.length === 0) return '';
  const checkout = `git fetch origin ${links.sha} && git checkout --detach ${links.sha}`;
  const ran = suites.map((suite) => `- ${suiteLine(suite)}`).join('\n');
  return folded('Reproduce locally', `${fenced([checkout, ...commands].join('\n'), 'sh')}\n\nRun by Inquest:\n${ran}`);
}

function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
