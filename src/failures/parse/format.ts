/** The contract of a format: one file in `formats/` exports one `LineFormat` (or `DocumentFormat`) and is listed in `registry.ts`. */
import type { Damage, Finding } from '../finding.ts';

/** One line of output without its dressing (BOM, CR, Actions timestamp, ANSI, compose prefix, `##[error]` marker). */
export interface LogLine {
  readonly text: string;
  /** Line number in the input, from 1. */
  readonly number: number;
  /** Byte offsets in the input: start of the dressed line, and its end without the newline. */
  readonly start: number;
  readonly end: number;
  /** What the Actions runner marked the line as, if anything. */
  readonly mark: 'error' | 'warning' | 'notice' | 'debug' | 'group' | 'endgroup' | 'command' | 'section' | null;
}

/** What a format may ask of the scanner while it reads. */
export interface ScanContext {
  /** Reports a finding. The scanner merges findings that describe the same failure. */
  emit(finding: Finding): void;
  damage(damage: Damage): void;
  /** Says that this runner printed a summary: everything passed, or something failed. */
  summary(outcome: 'passed' | 'failed'): void;
  /** The line `back` lines before the current one (1 = the previous), if it is still in the window of 200. */
  previous(back: number): LogLine | undefined;
}

/** A state machine over the lines of one input. One instance an input. Linear time, bounded memory, never throws. */
export interface LineReader {
  /**
   * Called for each line while `active` is true, and for each line that matches the format's `opens` while it is false.
   */
  line(line: LogLine): void;
  /** True while the reader wants every following line (it is inside a block). */
  readonly active: boolean;
  /** The input has ended (it may be cut mid-line): flush what is known. */
  end(): void;
}

/** A format read line by line from a log in which anything else may be mixed. */
export interface LineFormat {
  readonly id: string;
  /**
   * Lines that this format must see even when it is not active. Tested against the undressed text; must be linear
   * (no nested quantifiers) and rarely match harmless lines, because it is the fast path of the scanner.
   */
  readonly opens: RegExp;
  /** Marks whose lines this format must see too, whatever their text (`['error']` for every `##[error]`). */
  readonly marks?: readonly NonNullable<LogLine['mark']>[];
  open(context: ScanContext): LineReader;
}

/** A format that is a whole document (JUnit XML, CTRF, check annotations as JSON): fed chunks of decoded text. */
export interface DocumentFormat {
  readonly id: string;
  /** Looks at the first 4 KiB (BOM removed) and the input's name; true when this input is such a document. */
  recognises(head: string, name: string): boolean;
  open(context: ScanContext): DocumentReader;
}

export interface DocumentReader {
  /** `start` is the byte offset of the chunk in the input. */
  write(chunk: string, start: number): void;
  end(): void;
}
