/** Path globs of the configuration: `*` and `?` within a segment, `**` over segments, a trailing `/` for a whole folder. */

/** True when the workspace-relative path (forward slashes) matches one of the globs. Time is bounded by path length × glob length. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matches(path, glob));
}

function matches(path: string, glob: string): boolean {
  const trimmed = glob.startsWith('./') ? glob.slice(2) : glob;
  const pattern = trimmed.endsWith('/') ? `${trimmed}**` : trimmed;
  return wildcard(path.split('/'), pattern.split('/'), (part) => part === '**', matchesSegment);
}

function matchesSegment(segment: string, pattern: string): boolean {
  return wildcard(
    [...segment],
    [...pattern],
    (char) => char === '*',
    (char, expected) => expected === '?' || char === expected,
  );
}

/** The two-pointer wildcard walk: on a mismatch, the latest star swallows one more item. */
function wildcard(
  items: readonly string[],
  pattern: readonly string[],
  isStar: (part: string) => boolean,
  fits: (item: string, part: string) => boolean,
): boolean {
  let item = 0;
  let part = 0;
  let star = -1;
  let swallowed = 0;
  while (item < items.length) {
    const expected = pattern[part];
    if (expected !== undefined && isStar(expected)) {
      star = part++;
      swallowed = item;
    } else if (expected !== undefined && fits(items[item] ?? '', expected)) {
      item++;
      part++;
    } else if (star >= 0) {
      part = star + 1;
      item = ++swallowed;
    } else {
      return false;
    }
  }
  return pattern.slice(part).every(isStar);
}
