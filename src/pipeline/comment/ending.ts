/** How a run that did not publish a report is told to people. */

import type { Place } from '../run.ts';
import { REPORT_MARKER } from './comment.ts';
import { neutraliseLine, shorten } from './neutralise.ts';

/** The same comment as the report's: a pull request has one. */
export const ENDING_MARKER = REPORT_MARKER;

interface Ending {
  readonly terminal: Place;
  /** From the ledger's `run_ended` event. */
  readonly reason: string;
  readonly run_id: string;
}

const TITLES: Partial<Record<Place, string>> = {
  escalated: 'A person has to decide',
  cancelled: 'Cancelled',
  failed: 'Inquest could not finish',
};

/** Title and Markdown body. */
export function renderEnding({ terminal, reason, run_id }: Ending): { title: string; body: string } {
  const title = TITLES[terminal] ?? terminal;
  const why = neutraliseLine(shorten(reason, 2000));
  const next =
    terminal === 'failed'
      ? 'This says nothing about your code. When the reason is mended, comment `/inquest debug` to try again.'
      : 'Nothing was changed.';
  return {
    title,
    body: `### Inquest: ${title.toLowerCase()}\n\n${why}\n\n${next}\n\n<sub>Inquest run \`${run_id}\`.</sub>`,
  };
}
