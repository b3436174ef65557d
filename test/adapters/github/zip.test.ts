import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { logsOfJob } from '../../../src/adapters/github/job-log.ts';
import { DEFAULT_LIMITS } from '../../../src/adapters/github/limits.ts';
import { entriesOf, isZip, type ZipEntry } from '../../../src/adapters/github/zip.ts';
import { overlappingZip, zipOf } from './zips.ts';

async function textOf(entry: ZipEntry | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry?.bytes() ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const named = (name: string): ZipEntry => ({ name, size: 1, refusal: null, bytes: async function* () {} });
const namesOf = (entries: readonly ZipEntry[]): string[] => entries.map(({ name }) => name);

describe('A zip', () => {
  it('gives its files by the central directory', async () => {
    const zip = await zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' });
    const entries = await entriesOf('a zip', zip, DEFAULT_LIMITS);
    expect(isZip(zip)).toBe(true);
    expect(namesOf(entries)).toEqual(['a.txt', 'b/c.txt']);
    expect(await textOf(entries[1])).toBe('two');
  });

  it('with too many files is refused', async () => {
    const zip = await zipOf({ a: '', b: '', c: '' });
    await expect(entriesOf('a zip', zip, { ...DEFAULT_LIMITS, zip_entries: 2 })).rejects.toMatchObject({
      code: 'INPUT_UNREADABLE',
    });
  });

  it('that unpacks to far more than it holds is refused before it is unpacked', async () => {
    const zip = await zipOf({ bomb: Buffer.alloc(4 * 1024 * 1024) });
    const [bomb] = await entriesOf('a zip', zip, DEFAULT_LIMITS);
    await expect(textOf(bomb)).rejects.toMatchObject({ code: 'INPUT_UNREADABLE' });
  });

  it('whose files lie over each other gives the bytes once', async () => {
    const entries = await entriesOf('a zip', await overlappingZip('<testsuite/>', 3), DEFAULT_LIMITS);
    expect(entries.map(({ refusal }) => refusal)).toEqual([
      null,
      '1.xml lies over another file',
      '2.xml lies over another file',
    ]);
  });

  it('with a file over the limit is refused', async () => {
    const zip = await zipOf({ log: 'x'.repeat(2000) });
    const [log] = await entriesOf('a zip', zip, { ...DEFAULT_LIMITS, log_bytes: 1000 });
    await expect(textOf(log)).rejects.toMatchObject({ code: 'INPUT_UNREADABLE' });
  });

  it('that is damaged anywhere is an error of ours, never a crash', async () => {
    const zip = await zipOf({ 'a.txt': 'one'.repeat(500), 'b.txt': 'two' });
    await fc.assert(
      fc.asyncProperty(fc.nat(zip.length - 1), fc.nat(255), fc.nat(zip.length), async (at, byte, length) => {
        const damaged = Buffer.from(zip.subarray(0, Math.max(4, length)));
        if (at < damaged.length) damaged[at] = byte;
        try {
          for (const entry of await entriesOf('a zip', damaged, DEFAULT_LIMITS)) await textOf(entry);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INPUT_UNREADABLE' });
        }
      }),
      { seed: 4711, numRuns: 150 },
    );
  });
});

describe('The part of a job in the zip of a workflow run', () => {
  it('is the file of the whole job when there is one', () => {
    const entries = ['1_build.txt', '0_test.txt', 'test/1_Set up job.txt', 'build/1_Set up job.txt'].map(named);
    expect(namesOf(logsOfJob(entries, 'test'))).toEqual(['0_test.txt']);
  });

  it('is the files of its steps by number otherwise', () => {
    const entries = ['test/10_c.txt', 'test/2_b.txt', 'test/1_a.txt', 'test-2/1_a.txt'].map(named);
    expect(namesOf(logsOfJob(entries, 'test'))).toEqual(['test/1_a.txt', 'test/2_b.txt', 'test/10_c.txt']);
  });

  it.each([
    ['build / test', 'build _ test'],
    ['build / test', 'build  test'],
    ['a:b "c"', 'ab c'],
    ['x'.repeat(120), 'x'.repeat(90)],
  ])('is found though GitHub rewrites the name: %s', (job, folder) => {
    expect(logsOfJob([named(`${folder}/1_a.txt`)], job)).toHaveLength(1);
  });
});
