/** The sample repository and its pull requests, as they lie in `demo/sample`. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const SAMPLE = fileURLToPath(new URL('./sample/', import.meta.url));

/** Files of the main branch. */
export const MAIN_FILES = join(SAMPLE, 'repository');

const expectationSchema = z.strictObject({
  /** All causes that the failures have, sorted, joined by `+`. */
  cause: z.enum(['code', 'test', 'unknown', 'code+test']),
  action: z.enum(['route_code', 'route_test', 'escalate']),
});

export interface SamplePull {
  /** Name of its folder and of its branch. */
  readonly slug: string;
  readonly title: string;
  readonly body: string;
  /** Folder whose files replace those of main. */
  readonly files: string;
  /** What Inquest has to say about it. */
  readonly expected: z.infer<typeof expectationSchema>;
}

/** Issues that exist before the pull requests: the first line is the title. */
export async function sampleIssues(): Promise<{ title: string; body: string }[]> {
  const root = join(SAMPLE, 'issues');
  const texts = await Promise.all((await readdir(root)).sort().map((name) => readFile(join(root, name), 'utf8')));
  return texts.map((text) => {
    const [title = '', ...body] = text.split('\n');
    return { title: title.replace(/^#\s*/, ''), body: body.join('\n').trim() };
  });
}

/** All pull requests, in the order of their folders. */
export async function samplePulls(): Promise<SamplePull[]> {
  const root = join(SAMPLE, 'pull-requests');
  const slugs = (await readdir(root)).sort();
  return Promise.all(slugs.map((slug) => samplePull(root, slug)));
}

async function samplePull(root: string, slug: string): Promise<SamplePull> {
  const text = (name: string) => readFile(join(root, slug, name), 'utf8');
  const [title, body, expected] = await Promise.all([text('title.txt'), text('body.md'), text('expected.json')]);
  return {
    slug,
    title: title.trim(),
    body,
    files: join(root, slug, 'files'),
    expected: expectationSchema.parse(JSON.parse(expected)),
  };
}
