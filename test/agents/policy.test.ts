import { describe, expect, it } from '@jest/globals';
import { createDebugTools } from '../../src/agents/debug-tools.ts';
import { refuseArtifact } from '../../src/agents/policy.ts';
import type { FailurePacket } from '../../src/failures/packet.ts';
import type { NewEvent } from '../../src/record/event.ts';

function tools(
  attempt: Parameters<typeof createDebugTools>[0]['attempt'] = async () => ({ refused: 'nothing runs here' }),
) {
  const events: Pick<NewEvent, 'type' | 'payload'>[] = [];
  const toolbox = createDebugTools({
    artifact: async (name) => (name === 'e2e.md' ? null : `text of ${name}`),
    workspace: {
      root: '/nowhere',
      scratch: '/nowhere',
      files: async () => ['a.js'],
      restore: async () => undefined,
      setUpOnce: async (work) => work(),
      read: async (path) => (path === 'a.js' ? 'const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"' : null),
    },
    attempt,
    record: (type, payload) => events.push({ type, payload }),
  });
  return { ...toolbox, events };
}

describe('what the debug state may read', () => {
  it('is validate.md, e2e.md and run.md', async () => {
    const { tools: granted } = tools();
    expect(await granted.readArtifact('validate.md')).toEqual({ ok: true, value: 'text of validate.md' });
    expect(await granted.readArtifact('run.md')).toEqual({ ok: true, value: 'text of run.md' });
    expect(await granted.readArtifact('e2e.md')).toEqual({ ok: false, refused: 'e2e.md was not written in this run.' });
  });

  it.each(['impl.md', 'review.md', '../impl.md', 'IMPL.md', 'evidence/ev_0', 'subject.json', '__proto__'])(
    'is not %s: the try is refused and recorded',
    async (name) => {
      const { tools: granted, events } = tools();
      expect(await granted.readArtifact(name)).toMatchObject({ ok: false });
      expect(events).toEqual([
        { type: 'tool_refused', payload: expect.objectContaining({ tool: 'read_artifact', asked: name }) },
      ]);
    },
  );

  it('differs from what publish may read', () => {
    expect(refuseArtifact('publish', 'impl.md')).toBeNull();
    expect(refuseArtifact('debug', 'impl.md')).toContain('may not read impl.md');
  });
});

describe('what the tools show', () => {
  it('is redacted and can be cited', async () => {
    const { tools: granted, shown } = tools();
    const answer = await granted.readFile('a.js');
    expect(answer).toMatchObject({ ok: true });
    const [evidence] = [...shown.values()];
    expect(evidence?.evidence_id).toMatch(/^ev_[0-9a-f]{16}$/);
    expect(evidence?.text).not.toContain('ghp_0123');
  });

  it('is each attempt of a re-run, at most ten', async () => {
    const packet = { packet_id: 'fp_1', first_failing_test: 'adds' } as FailurePacket;
    const { tools: granted, shown } = tools(async (_, attempt) => ({
      command: 'node --test',
      output: `attempt ${attempt}`,
      exit_code: 1,
      outcome: 'failed',
      packets: [],
    }));
    const answer = await granted.rerun(packet, 1000);
    expect(answer.ok && answer.value).toHaveLength(10);
    expect(shown.size).toBe(10);
  });
});
