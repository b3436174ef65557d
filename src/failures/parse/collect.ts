/** Gathers what the readers of one input report: a bounded list of findings, each failure once, in order of first appearance. */
import type { Damage, Finding, ParseResult } from '../finding.ts';
import type { ScanContext } from './format.ts';
import { mergeFindings, sameFailure } from './merge.ts';

/** More distinct failures than this help nobody; the rest is counted as damage. */
const MAX_FINDINGS = 10_000;
const MAX_DAMAGE = 1_000;

export class Collector {
  private readonly findings: Finding[] = [];
  /** Indexes into `findings` by what equal failures share, so that merging stays linear. */
  private readonly byKey = new Map<string, number[]>();
  private readonly damages: Damage[] = [];
  private readonly formats = new Set<string>();
  private passed = false;
  private failed = false;
  private dropped = 0;

  /**
   * What a reader of the named format may call. Line formats get `previous` from the scanner. A log prints one failure several
   * times; in a report file each entry is a failure of its own (one per browser, say), and its format knows about retries.
   */
  contextOf(format: string, merging: 'merge equal failures' | 'keep each' = 'merge equal failures'): ScanContext {
    return {
      emit: (finding) => {
        this.formats.add(format);
        this.emit(finding, merging);
      },
      damage: (damage) => {
        this.formats.add(format);
        this.damage(damage);
      },
      summary: (outcome) => {
        this.formats.add(format);
        if (outcome === 'passed') this.passed = true;
        else this.failed = true;
      },
      previous: () => undefined,
    };
  }

  damage(damage: Damage): void {
    if (this.damages.length < MAX_DAMAGE) this.damages.push(damage);
  }

  result(lines: number, bytes: number): ParseResult {
    if (this.dropped > 0) {
      const what = `More than ${MAX_FINDINGS} distinct failures; ${this.dropped} further reports were left out.`;
      this.damages.push({ what, line: null, byte: null });
    }
    return {
      findings: withoutEchoes(this.findings).sort((one, other) => one.range.start_byte - other.range.start_byte),
      damage: this.damages,
      formats: [...this.formats].sort(),
      lines,
      bytes,
      passed_summary: this.passed && !this.failed && this.findings.length === 0,
    };
  }

  private emit(finding: Finding, merging: 'merge equal failures' | 'keep each'): void {
    const key = mergeKey(finding);
    const candidates = merging === 'keep each' ? [] : (this.byKey.get(key) ?? []);
    for (const index of candidates) {
      const known = this.findings[index];
      if (known === undefined || !sameFailure(known, finding)) continue;
      this.findings[index] = mergeFindings(known, finding);
      return;
    }
    if (this.findings.length >= MAX_FINDINGS) {
      this.dropped += 1;
      return;
    }
    candidates.push(this.findings.length);
    this.byKey.set(key, candidates);
    this.findings.push(finding);
  }
}

/** Findings with different keys are never the same failure. */
function mergeKey(finding: Finding): string {
  if (finding.kind === 'test') return `test ${finding.test ?? finding.test_file ?? ''}`;
  const file = finding.location?.file ?? finding.test_file;
  return file === null ? `${finding.kind} ${finding.message.slice(0, 200)}` : `${finding.kind} ${baseName(file)}`;
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Leaves out what was said of the job by a line that a test or a diagnostic was read from. */
function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const told = new Set<number>();
  for (const { kind, range } of findings) {
    for (let line = range.start_line; kind !== 'job' && line <= range.end_line; line += 1) told.add(line);
  }
  return findings.filter((finding) => finding.kind !== 'job' || !told.has(finding.range.start_line));
}
