/** Whose words count as spec beside the spec files, and what a pull request does to those files. */
import { matchesAny } from '../../config/glob.ts';
import type { Issue } from '../../ports/forge.ts';
import { redact } from '../../record/redact.ts';
import type { SpecSource } from '../clauses/clause.ts';

/** Sources to read, and what their reader must know. */
export interface IssueSources {
  readonly sources: readonly SpecSource[];
  readonly notes: readonly string[];
}

/** The issues that may say what the code must do: anybody can open one, so only those of people who could change the spec. */
export function issueSources(issues: readonly Issue[]): IssueSources {
  return {
    sources: issues
      .filter((issue) => issue.author_may_write)
      .map((issue) => ({ name: `issue #${issue.number}`, text: redact(`# ${issue.title}\n\n${issue.body}`) })),
    notes: issues
      .filter((issue) => !issue.author_may_write)
      .map(({ number }) => `Issue #${number} was not written by somebody with write access; its clauses are not used.`),
  };
}

/**
 * Notes on the spec files among the changed paths: those that are there (changed or added), and those that are gone.
 *
 * @param globs which files are spec
 * @param present spec files of the commit
 */
export function specChanges(
  changed: readonly string[],
  globs: readonly string[],
  present: readonly string[],
): readonly string[] {
  const spec = changed.filter((path) => matchesAny(path, globs));
  const kept = spec.filter((path) => present.includes(path));
  const gone = spec.filter((path) => !present.includes(path));
  return [
    ...(kept.length > 0 ? [`This pull request changes the spec itself: ${kept.join(', ')}.`] : []),
    ...(gone.length > 0 ? [`This pull request takes spec files away: ${gone.join(', ')}.`] : []),
  ];
}
