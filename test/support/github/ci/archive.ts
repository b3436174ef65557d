/** Zip archives: artifacts, and the logs of a whole run laid out as GitHub lays them out. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { WorkflowRun } from '../model.ts';

/** Files of the archive, by path. Times are fixed: the same files give the same bytes. */
export async function zip(files: Iterable<readonly [string, Uint8Array]>): Promise<Uint8Array> {
  const archive = new ZipFile();
  for (const [path, bytes] of files) archive.addBuffer(Buffer.from(bytes), path, { mtime: new Date(2024, 0, 1) });
  archive.end();
  return await buffer(archive.outputStream);
}

/** `0_job.txt` holds a whole job; the folder `job/` one file for each step. */
export async function zipOfRunLogs(run: WorkflowRun): Promise<Uint8Array> {
  const files: [string, Uint8Array][] = [];
  for (const [index, job] of run.jobs.entries()) {
    if (job.log === null) continue;
    const name = job.name.replaceAll('/', '_');
    files.push([`${index}_${name}.txt`, job.log]);
    for (const step of job.steps) {
      if (step.log === '') continue;
      files.push([`${name}/${step.number}_${step.name.replaceAll('/', '_')}.txt`, Buffer.from(step.log)]);
    }
  }
  return await zip(files);
}
