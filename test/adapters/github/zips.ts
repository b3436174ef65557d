/** Zips of texts, as GitHub makes them. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}
