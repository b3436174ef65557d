/** The contract of a state: one file each, listed in `registry.ts`. A state does its work and says what it found out. */
import type { DebugAgent } from '../../ports/agent.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Forge } from '../../ports/forge.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import type { NewArtifact } from '../../ports/store.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import type { NewEvent } from '../../record/event.ts';
import type { Run, Visit } from '../run.ts';
import type { Slots } from '../slots.ts';

/** The parts a state may use; made once, in `main.ts`. */
export interface StateParts {
  readonly forge: Forge;
  readonly workspaces: Workspaces;
  readonly sandbox: (choice: SandboxChoice) => Sandbox;
  readonly debugger: DebugAgent;
  readonly clock: Clock;
  /** Base URL of GitHub's pages, without a slash at the end: `https://github.com`. */
  readonly web_url: string;
}

/** What a repository may say about its sandbox. */
export interface SandboxChoice {
  readonly kind?: 'bubblewrap' | 'container' | undefined;
  readonly image?: string | undefined;
}

export interface VisitContext {
  readonly run: Run;
  readonly visit: Visit;
  readonly parts: StateParts;
  /** An artifact of an earlier visit of this run. */
  readonly artifact: (name: string) => Promise<string | null>;
  /** Why the run ended, from its ledger; null while it runs. */
  readonly endReason: () => Promise<string | null>;
  /** Adds an event; all are written in one transaction with the outcome. */
  readonly record: (type: NewEvent['type'], payload: NewEvent['payload']) => void;
  readonly signal: AbortSignal;
}

export interface StateResult {
  readonly sets: Partial<Slots>;
  readonly artifacts: readonly NewArtifact[];
}

export type StateHandler = (context: VisitContext) => Promise<StateResult>;
