/** Colours, and whether to use them; breaking text to the width of the terminal. */
import type { OutputStream, Shell } from './shell.ts';

const SGR = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof SGR;
export type Paint = (style: Style, text: string) => string;

const DEFAULT_COLUMNS = 80;
const LARGEST_COLUMNS = 120;

/** A `--color` or `--no-color` (`asked`) decides; then FORCE_COLOR, then NO_COLOR; then whether the stream is a terminal. */
export function wantsColor(asked: boolean | undefined, stream: OutputStream, env: Shell['env']): boolean {
  if (asked !== undefined) return asked;
  const forced = forcesColor(env);
  if (forced !== null) return forced;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** What FORCE_COLOR says: `0` and `false` are no; any other value, empty too, is yes; null when it is not set. */
export function forcesColor(env: Shell['env']): boolean | null {
  const value = env.FORCE_COLOR;
  if (value === undefined) return null;
  return value !== '0' && value.toLowerCase() !== 'false';
}

export function painter(colored: boolean): Paint {
  if (!colored) return (_, text) => text;
  return (style, text) => `\u001b[${SGR[style]}m${text}\u001b[0m`;
}

export function columnsOf(stream: OutputStream): number {
  return Math.max(40, Math.min(stream.columns ?? DEFAULT_COLUMNS, LARGEST_COLUMNS));
}

/** Breaks running text at spaces; words that are too long stay whole, so that paths can be copied. */
export function wrap(text: string, columns: number, indent: string): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && indent.length + line.length + 1 + word.length > columns) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
  }
  return lines.map((line) => `${indent}${line}`.trimEnd()).join('\n');
}
