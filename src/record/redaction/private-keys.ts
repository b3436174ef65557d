/** PEM private keys: on lines of their own, in a log with something before each line, or on one line with `\n`. */
import { mark } from './mark.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const END_MARK = '-----END ';
const SAME_LINE = /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)([^\n-]{16,})/g;
/** The last word of a line when it could be a line of Base64, with what an array or a string puts around it. */
const BODY = /([A-Za-z0-9+/=]{4,})((?:\\[nr])*["'`,;+\\ \t\r]*)$/;
const LONGEST_LINE = 400;
const LONGEST_KEY = 400;

/** Replaces the body of every private key, line for line. Runs on to where the key's lines stop when its end is missing. */
export function redactPrivateKeys(text: string): string {
  if (!BEGIN.test(text)) return text;
  const lines = text.split('\n');
  let left = 0;
  for (const [index, line] of lines.entries()) {
    if (BEGIN.test(line)) {
      lines[index] = redactSameLine(line);
      left = line.includes(END_MARK) ? 0 : LONGEST_KEY;
      continue;
    }
    if (left === 0) continue;
    left -= 1;
    if (line.includes(END_MARK)) left = 0;
    else lines[index] = redactBodyLine(line, lines[index + 1] ?? '');
  }
  return lines.join('\n');
}

function redactSameLine(line: string): string {
  return line.replace(SAME_LINE, (whole: string, begin: string, body: string) => {
    const plain = body.replaceAll(/\\[nr]/g, '').trim();
    return /^[A-Za-z0-9+/=\s,:]{16,}/.test(plain) && !plain.startsWith('[') ? begin + mark('private-key') : whole;
  });
}

function redactBodyLine(line: string, next: string): string {
  if (line.length > LONGEST_LINE) return line;
  const body = BODY.exec(line);
  const word = body?.[1] ?? '';
  const isBody = word.length >= 32 || (word.length >= 4 && next.includes(END_MARK));
  return body && isBody ? line.slice(0, body.index) + mark('private-key') + body[2] : line;
}
