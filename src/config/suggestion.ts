/** Finds the name that was probably meant, by edit distance. */

/** The nearest of `known`, or null when none is near enough to be worth proposing. Equal distances: the first. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > 64) return null;
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase().replaceAll('-', '_'), candidate.toLowerCase());
    if (distance < bestDistance && distance < candidate.length) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? known.find((candidate) => word.length >= 4 && candidate.startsWith(word)) ?? null;
}

/** Levenshtein distance with swaps of neighbours counted as one. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, at(older, j - 2) + 1);
      row.push(value);
    }
    older = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
