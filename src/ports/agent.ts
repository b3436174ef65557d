/** The one interface of all agents, and the tools that a state grants. No tool grants more because a text asks for it. */
import type { FailurePacket } from '../failures/packet.ts';
import type { DebugAnswer } from '../pipeline/claim.ts';
import type { State } from '../pipeline/run.ts';

export const ARTIFACTS = [
  'validate.md',
  'strategy.md',
  'impl.md',
  'e2e.md',
  'review.md',
  'run.md',
  'debug.md',
  'publish.md',
] as const;
export type ArtifactName = (typeof ARTIFACTS)[number];

/** Something an agent was shown and may cite: captured output of a command, or lines of a source file. Redacted text. */
export interface EvidenceText {
  /** `ev_` and 16 hex digits of the SHA-256 of kind, label and text. */
  readonly evidence_id: string;
  readonly kind: 'output' | 'source';
  /** For output: the command. For source: the path. */
  readonly label: string;
  readonly text: string;
  /** Line number in the file of the first line of `text`; 1 for output. */
  readonly first_line: number;
  /** Output only: which attempt, and how it ended. */
  readonly attempt: number | null;
  readonly exit_code: number | null;
}

/** What one attempt of re-running a test alone gave. */
export interface Rerun {
  readonly evidence: EvidenceText;
  readonly outcome: 'passed' | 'failed' | 'not_found' | 'timed_out' | 'error';
  /** Packets read from this attempt's output by the same parsers. */
  readonly packets: readonly FailurePacket[];
}

/** A refused call is an answer, not an exception: it is recorded, and the agent goes on. */
export type ToolAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refused: string };

/** The debug state's tools: reading and re-running. There is none that writes, pushes, comments or reaches the network. */
export interface DebugTools {
  /** Refuses every artifact but `validate.md`, `e2e.md` and `run.md`. */
  readArtifact(name: string): Promise<ToolAnswer<string>>;
  listFiles(): Promise<readonly string[]>;
  /** The whole text of a file of the worktree, as citable evidence. */
  readFile(path: string): Promise<ToolAnswer<EvidenceText>>;
  /** Re-runs one failing test alone, instrumented, `attempts` times (1..5). */
  rerun(packet: FailurePacket, attempts: number): Promise<ToolAnswer<readonly Rerun[]>>;
}

export interface DebugTask {
  readonly state: Extract<State, 'debug'>;
  readonly failures: readonly FailurePacket[];
  /** How often each failing test is to be run alone. */
  readonly attempts: number;
  /** Which files of the worktree are tests, as the repository's configuration says. */
  readonly isTestFile: (path: string) => boolean;
}

export interface DebugAgent {
  readonly kind: 'builtin' | 'model' | 'command';
  act(task: DebugTask, tools: DebugTools, signal: AbortSignal): Promise<DebugAnswer>;
}

/** One attempt of a test alone, as the runner of tests saw it. `output` is redacted already. */
export interface Attempt {
  readonly command: string;
  readonly output: string;
  readonly exit_code: number | null;
  readonly outcome: Rerun['outcome'];
  readonly packets: readonly FailurePacket[];
}

/** The tools, and every text that was shown through them: what may be cited. */
export interface DebugToolbox {
  readonly tools: DebugTools;
  readonly shown: ReadonlyMap<string, EvidenceText>;
}
