/** Live progress on stderr, made from Inquest's own log records. */
import { Writable } from 'node:stream';
import { z } from 'zod';

const recordSchema = z.object({
  level: z.number(),
  msg: z.string().optional(),
  run_id: z.string().optional(),
  visit_id: z.string().optional(),
  head_sha: z.string().optional(),
  command: z.string().optional(),
  ms: z.number().optional(),
  created: z.string().optional(),
});
type LogRecord = z.infer<typeof recordSchema>;

const WARN = 40;
const begin = performance.now();

/** One line on stderr, with the seconds since the demo began. */
export function say(text: string): void {
  const seconds = ((performance.now() - begin) / 1000).toFixed(2).padStart(6);
  process.stderr.write(text === '' ? '\n' : `${dim(`${seconds} s`)}  ${text}\n`);
}

function dim(text: string): string {
  const isColoured = process.stderr.isTTY && process.env.NO_COLOR === undefined;
  return isColoured ? `\u001b[2m${text}\u001b[22m` : text;
}

/** A destination for pino: tells the records that a person wants to follow, leaves the rest out. */
export function progressStream(): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString('utf8').split('\n')) {
        if (line !== '') tell(recordSchema.parse(JSON.parse(line)));
      }
      done();
    },
  });
}

function tell(record: LogRecord): void {
  const { msg = '', run_id = '', visit_id = '', ms, level } = record;
  if (msg === 'Webhook accepted') say(`webhook accepted: ${record.command}`);
  else if (msg === 'run' && record.created === 'created') say(`${run_id} begins for ${record.head_sha?.slice(0, 12)}`);
  else if (msg === 'visit begins') say(`${run_id} ${visit_id} …`);
  else if (msg === 'visit ends') say(`${run_id} ${visit_id} done in ${ms} ms`);
  else if (level >= WARN) say(`${run_id} ${visit_id} ${msg}`);
}
