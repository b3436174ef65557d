/** Zips of texts, as GitHub makes them, and one as it never would. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** A zip whose directory names the file `count` times: `0.xml`, `1.xml`, … are all the same bytes. */
export async function overlappingZip(content: string, count: number): Promise<Buffer> {
  const zip = await zipOf({ '0.xml': content });
  const end = zip.length - 22;
  const start = zip.readUInt32LE(end + 16);
  const entries = Array.from({ length: count }, (_, index) => {
    const entry = Buffer.from(zip.subarray(start, end));
    entry.write(String(index % 10), 46);
    return entry;
  });
  const directory = Buffer.concat(entries);
  const tail = Buffer.from(zip.subarray(end));
  tail.writeUInt16LE(count, 8);
  tail.writeUInt16LE(count, 10);
  tail.writeUInt32LE(directory.length, 12);
  return Buffer.concat([zip.subarray(0, start), directory, tail]);
}
