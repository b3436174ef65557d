/** Finds the uncaught error that a Node process printed before its runner said only "test failed". */
import type { LogLine } from '../format.ts';

const LOOK_BACK = 60;
/** Only a file that failed as a whole has an error outside its tests. */
const SCRIPT = /\.[cm]?[jt]sx?$/;
const GOODBYE = /^(?:# )?Node\.js v\d+/;
const ERROR_LINE = /^(?:# )?(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b/;

/** The lines from the error to the end of its stack, without TAP's `# `, or an empty list. */
export function uncaughtAbove(title: string, previous: (back: number) => LogLine | undefined): readonly string[] {
  if (!SCRIPT.test(title)) return [];
  const above: string[] = [];
  let gone = false;
  for (let back = 1; back <= LOOK_BACK; back += 1) {
    const text = previous(back)?.text;
    if (text === undefined) break;
    if (!gone) {
      gone = GOODBYE.test(text);
      if (!gone && back > 5) break;
      continue;
    }
    above.unshift(text.replace(/^# /, ''));
    if (ERROR_LINE.test(text)) return above;
  }
  return [];
}
