import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CliFolder } from './run-cli.ts';
import { FAILING } from './sample-output.ts';
import { zipOf } from './zip-of.ts';

let folder: CliFolder;

beforeAll(async () => {
  folder = await CliFolder.create({});
});

afterAll(() => folder.remove());

describe('whatever comes in, diagnose answers', () => {
  const answers = async (bytes: Uint8Array) => {
    const { code, out, err } = await folder.run(['diagnose', '-'], { stdin: bytes });
    expect([0, 1, 2]).toContain(code);
    expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(out + err).not.toBe('');
  };

  it('to any bytes', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2000 }), answers), {
      numRuns: 100,
      seed: 7,
    });
  });

  it('to any text', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 500 });
    await fc.assert(
      fc.asyncProperty(text, (any) => answers(Buffer.from(`${FAILING}${any}`))),
      { numRuns: 50, seed: 7 },
    );
  });

  it('to a zip with any one byte changed', async () => {
    const zip = await zipOf({ '0_unit.txt': FAILING, 'unit/1_Test.txt': FAILING });
    const change = fc.tuple(fc.nat({ max: zip.length - 1 }), fc.nat({ max: 255 }));
    const changed = ([at, value]: readonly [number, number]) =>
      Uint8Array.from(zip, (byte, index) => (index === at ? value : byte));
    await fc.assert(
      fc.asyncProperty(change, (one) => answers(changed(one))),
      { numRuns: 150, seed: 7 },
    );
  });
});
