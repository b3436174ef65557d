/** Writes that leave one thing behind, however often and wherever they are interrupted. */
import { setTimeout as delay } from 'node:timers/promises';
import { InquestError } from '../../errors.ts';
import { callContext } from './call-context.ts';
import { asking, isUnanswered, readFailure } from './github-error.ts';
import { nameOf, type Reach } from './reach.ts';

/** Characters that GitHub takes in a comment or issue. */
export const BODY_LIMIT = 65_536;
/** Characters that GitHub takes in the summary of a check run. */
export const SUMMARY_LIMIT = 65_535;
const ATTEMPTS = 3;
const PAUSE_MS = 500;

/**
 * Does `lookAndWrite`, which looks for what an earlier attempt left behind and then creates or updates. It is done again
 * when GitHub did not say whether the write happened.
 */
export async function writeOnce<T>(doing: string, lookAndWrite: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await asking(doing, lookAndWrite);
    } catch (error) {
      const failure = readFailure(error, Date.now());
      if (failure === null || !isUnanswered(failure) || attempt === ATTEMPTS) throw error;
      await asking(doing, () => delay(PAUSE_MS * attempt, undefined, { signal: callContext().signal }));
    }
  }
}

/** Throws `GITHUB_REFUSED` for a text that GitHub would refuse. `what` names it: "the comment". */
export function requireFits(what: string, text: string, limit: number): void {
  if (text.length <= limit) return;
  throw new InquestError('GITHUB_REFUSED', `${what} has ${text.length} characters; GitHub takes ${limit}.`, {
    hint: 'Shorten the text before it is posted.',
  });
}

interface Authored {
  readonly body?: string | null | undefined;
  readonly user?: { readonly login: string } | null | undefined;
  readonly performed_via_github_app?: { readonly id: number } | null | undefined;
}

/** True for what Inquest wrote with this marker: anybody may copy the marker, nobody else writes as our bot. */
export function isOurs(reach: Reach, marker: string): (written: Authored) => boolean {
  return ({ body, user, performed_via_github_app: app }) =>
    (app?.id === reach.appId || user?.login === reach.botLogin) && (body ?? '').includes(marker);
}

/** Throws when the text would not be found again. */
export function requireMarker(reach: Reach, marker: string, body: string): void {
  if (marker.length > 0 && body.includes(marker)) return;
  throw new InquestError('INTERNAL', `A text for ${nameOf(reach)} lacks its marker ${JSON.stringify(marker)}.`);
}
