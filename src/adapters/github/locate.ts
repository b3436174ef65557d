/** Routes of the API that answer with a redirect to a file. */
import { z } from 'zod';
import { InquestError } from '../../errors.ts';
import type { Located } from './download.ts';
import { asking } from './github-error.ts';

/** Does the request, with these options merged in: the redirect is not followed, since it must not get our token. */
export type Locate = (options: {
  request: { redirect: 'manual'; parseSuccessResponseBody: false };
}) => Promise<{ status: number; headers: { location?: string }; data: unknown }>;

/** Asks the API where `what` lies. */
export function locate(what: string, find: Locate): () => Promise<Located> {
  return () =>
    asking(`read ${what}`, async () => {
      const answer = await find({ request: { redirect: 'manual', parseSuccessResponseBody: false } });
      const stream = z.instanceof(ReadableStream<Uint8Array>).safeParse(answer.data).data;
      if (answer.status === 200 && stream !== undefined) return { stream };
      await stream?.cancel();
      const { location } = answer.headers;
      if (location === undefined || !/^https?:\/\//.test(location)) {
        throw new InquestError('GITHUB_REFUSED', `Cannot read ${what}: GitHub does not say where it lies.`);
      }
      return { url: location };
    });
}
