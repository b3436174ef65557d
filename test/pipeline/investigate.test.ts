import { describe, expect, it } from '@jest/globals';
import { createDebugTools } from '../../src/agents/debug-tools.ts';
import type { FailurePacket } from '../../src/failures/packet.ts';
import { investigate } from '../../src/pipeline/investigate.ts';
import type { DebugAgent } from '../../src/ports/agent.ts';
import type { NewEvent } from '../../src/record/event.ts';

const failure = (id: string) =>
  ({ packet_id: id, first_failing_test: `test ${id}`, normalized_message: 'x' }) as FailurePacket;

const unknown = (packet_id: string) => ({
  packet_id,
  test: `test ${packet_id}`,
  cause: 'unknown',
  evidence: [],
  clause: null,
  contradiction: null,
  missing: ['no clause speaks of it'],
  finding: 'seen',
  suggested_fix_scope: 'a person',
});

async function told(claims: readonly unknown[], failures: readonly FailurePacket[], limit = 10) {
  const events: NewEvent['type'][] = [];
  const agent: DebugAgent = {
    kind: 'command',
    act: async () => ({ claims }) as Awaited<ReturnType<DebugAgent['act']>>,
  };
  const { report } = await investigate({
    failures,
    limit,
    attempts: 3,
    clauses: [],
    isTestFile: () => true,
    debugger: agent,
    toolbox: createDebugTools({
      artifact: async () => null,
      workspace: {
        root: '',
        scratch: '',
        files: async () => [],
        read: async () => null,
        restore: async () => {},
        setUpOnce: (work) => work(),
      },
      attempt: async () => ({ refused: 'nothing runs' }),
      record: () => {},
    }),
    record: (type) => events.push(type),
    signal: new AbortController().signal,
  });
  return { report, events };
}

describe('an investigation', () => {
  it('reads the claims one by one: a malformed one costs no other its verdict', async () => {
    const tooLong = { ...unknown('b'), finding: 'x'.repeat(100_000) };
    const { report } = await told([unknown('a'), tooLong, null, unknown('c')], ['a', 'b', 'c'].map(failure));
    expect(report.failures.map(({ evidence }) => evidence.includes('no clause speaks of it'))).toEqual([
      true,
      false,
      true,
    ]);
    expect(report.failures[1]).toMatchObject({ cause: 'unknown', evidence: expect.stringContaining('said nothing') });
  });

  it('believes no verdict that cites nothing', async () => {
    const { report, events } = await told([{ ...unknown('a'), cause: 'test' }], [failure('a')]);
    expect(report).toMatchObject({ action: 'escalate', failures: [{ cause: 'unknown' }] });
    expect(report.failures[0]?.evidence).toContain('claim refused');
    expect(events).toContain('claim_checked');
  });

  it('says which failures were over the limit', async () => {
    const { report } = await told([unknown('a')], ['a', 'b'].map(failure), 1);
    expect(report.failures[1]?.evidence).toContain('over the limit');
  });
});
