/** What a benchmark gives back, and the statistics it is made of. Ratios within one run; single times mean little. */

export interface Figure {
  readonly name: string;
  /** Inquest's figure over the baseline's, or the figure itself when there is no baseline. */
  readonly value: number;
  readonly unit: string;
  readonly goal: string;
  readonly reached: boolean;
  /** The figures behind the value, for people. */
  readonly detail: string;
}

/** The value below which the given share (0..1) of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}
