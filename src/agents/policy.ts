/** What each state may read. The tool layer asks here; no text that an agent reads can change it. */
import type { State } from '../pipeline/run.ts';
import { ARTIFACTS, type ArtifactName } from '../ports/agent.ts';

/**
 * Artifacts a state's agent may read. `debug` has no `impl.md`: what the program does is shown by running it, never by what
 * its author says it does.
 */
const READABLE: { readonly [Name in State]: readonly ArtifactName[] } = {
  validate: [],
  strategy: ['validate.md', 'debug.md'],
  impl: ['validate.md', 'strategy.md', 'review.md', 'debug.md'],
  e2e: ['validate.md', 'strategy.md', 'debug.md'],
  review: ['validate.md', 'strategy.md', 'impl.md', 'e2e.md'],
  run: ['validate.md', 'e2e.md'],
  debug: ['validate.md', 'e2e.md', 'run.md'],
  publish: ARTIFACTS,
};

/** Null when the state may read the artifact; otherwise the refusal, one sentence. */
export function refuseArtifact(state: State, name: string): string | null {
  if (READABLE[state].some((readable) => readable === name)) return null;
  if (!ARTIFACTS.some((known) => known === name)) return `There is no artifact named ${JSON.stringify(name)}.`;
  return `The ${state} state may not read ${name}; it may read ${READABLE[state].join(', ') || 'no artifact'}.`;
}
