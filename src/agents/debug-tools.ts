/** The debug state's tools: read three artifacts, read the worktree, re-run a test alone. Each call is recorded, refusals too. */
import type { FailurePacket } from '../failures/packet.ts';
import type { Attempt, DebugToolbox, EvidenceText, Rerun, ToolAnswer } from '../ports/agent.ts';
import type { Workspace } from '../ports/workspace.ts';
import { shortId } from '../record/canonical.ts';
import type { NewEvent } from '../record/event.ts';
import { redact } from '../record/redact.ts';
import { refuseArtifact } from './policy.ts';

export interface DebugToolSources {
  readonly artifact: (name: string) => Promise<string | null>;
  readonly workspace: Workspace;
  readonly attempt: (packet: FailurePacket, attempt: number) => Promise<Attempt | { readonly refused: string }>;
  readonly record: (type: NewEvent['type'], payload: NewEvent['payload']) => void;
}

const MAX_ATTEMPTS = 10;

/** Makes the tools of one visit. `record` hears of every call before its answer is given. */
export function createDebugTools(sources: DebugToolSources): DebugToolbox {
  const shown = new Map<string, EvidenceText>();

  function show(text: Omit<EvidenceText, 'evidence_id'>): EvidenceText {
    const { kind, label, attempt } = text;
    const evidence = { ...text, evidence_id: shortId('ev', { kind, label, attempt, text: text.text }) };
    if (!shown.has(evidence.evidence_id)) {
      sources.record('evidence_captured', {
        evidence_id: evidence.evidence_id,
        kind,
        label,
        bytes: byteLength(text.text),
      });
    }
    shown.set(evidence.evidence_id, evidence);
    return evidence;
  }

  function refuse(tool: string, asked: string, reason: string): { ok: false; refused: string } {
    sources.record('tool_refused', { tool, asked, reason });
    return { ok: false, refused: reason };
  }

  async function readArtifact(name: string): Promise<ToolAnswer<string>> {
    const refusal = refuseArtifact('debug', name);
    if (refusal !== null) return refuse('read_artifact', name, refusal);
    sources.record('tool_called', { tool: 'read_artifact', asked: name });
    const content = await sources.artifact(name);
    return content === null
      ? { ok: false, refused: `${name} was not written in this run.` }
      : { ok: true, value: content };
  }

  async function readFile(path: string): Promise<ToolAnswer<EvidenceText>> {
    sources.record('tool_called', { tool: 'read_file', asked: path });
    const text = await sources.workspace.read(path);
    if (text === null) return refuse('read_file', path, `${path} is no readable text file of the worktree.`);
    const evidence = {
      kind: 'source',
      label: path,
      text: redact(text),
      first_line: 1,
      attempt: null,
      exit_code: null,
    } as const;
    return { ok: true, value: show(evidence) };
  }

  async function rerun(packet: FailurePacket, attempts: number): Promise<ToolAnswer<readonly Rerun[]>> {
    const test = packet.first_failing_test ?? packet.packet_id;
    const reruns: Rerun[] = [];
    for (let attempt = 1; attempt <= Math.min(attempts, MAX_ATTEMPTS); attempt += 1) {
      sources.record('tool_called', { tool: 'rerun', asked: test, attempt });
      const made = await sources.attempt(packet, attempt);
      if ('refused' in made) return refuse('rerun', test, made.refused);
      const { command, output, exit_code, outcome, packets } = made;
      const evidence = show({ kind: 'output', label: command, text: output, first_line: 1, attempt, exit_code });
      reruns.push({ evidence, outcome, packets });
    }
    return { ok: true, value: reruns };
  }

  return {
    tools: { readArtifact, readFile, rerun, listFiles: () => sources.workspace.files() },
    shown,
  };
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
