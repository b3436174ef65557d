import { describe, expect, it } from '@jest/globals';
import { createInProcessQueue } from '../../../src/adapters/queue/in-process.ts';
import { aJob, queueContract, Recorder } from './contract.ts';

const clock = { now: () => 0 };

describe('queue in process', () => {
  queueContract(async (settings) => createInProcessQueue({ ...settings, clock }));

  it('lets the event loop turn while many jobs wait', async () => {
    const queue = createInProcessQueue({ clock, concurrency: 1, attempts: 1, backoffMs: 1 });
    const recorder = new Recorder();
    for (let n = 0; n < 1_000; n += 1) await queue.enqueue(aJob(`job${n}`));
    let doneAtFirstTurn = -1;
    setImmediate(() => {
      doneAtFirstTurn = recorder.handled.length;
    });
    await queue.work(recorder);
    await queue.idle();
    expect(recorder.handled).toHaveLength(1_000);
    expect(doneAtFirstTurn).toBeGreaterThanOrEqual(0);
    expect(doneAtFirstTurn).toBeLessThan(200);
    await queue.close();
  });
});
