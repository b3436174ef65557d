/** A checkable sentence of the spec, as `validate.md` lists it. */

/** An example value found in a clause: evaluating `subject` gives `value`. Both verbatim from the clause's text. */
export interface ClauseExample {
  /** The call, as written: `total([1, 2])`. */
  readonly subject: string;
  /** The result, as written: `3`. For an error: the error's name or message, as written. */
  readonly value: string;
  readonly kind: 'returns' | 'throws';
  /** Which form it was written in. */
  readonly form: 'arrow' | 'returns' | 'table' | 'doctest' | 'given_when_then';
}

export interface Clause {
  /** `C1`, `C2`, … in document order over all sources. */
  readonly clause_id: string;
  /** The clause's text, white space folded at line ends only; what a citation must quote. */
  readonly text: string;
  /** Path of the spec file, or `issue #n`. */
  readonly source: string;
  /** Line in the source, from 1. */
  readonly line: number;
  /** Nearest heading above it, or null. */
  readonly section: string | null;
  readonly examples: readonly ClauseExample[];
}

export interface SpecSource {
  readonly name: string;
  readonly text: string;
}
