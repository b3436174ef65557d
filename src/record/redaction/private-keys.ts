/** PEM private keys: on lines of their own, in a log with something before each line, or on one line with `\n`. */
import { mark } from './mark.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const END_MARK = '-----END ';
const SAME_LINE = /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)([^\n-]{16,})/g;
/** The last word of a line when it could be a line of Base64, with what an array or a string puts around it. */
const BODY = /([A-Za-z0-9+/=]{4,})((?:\\[nr])*["'`,;+\\ \t\r]*)$/;
const LONGEST_LINE = 400;

/** `Proc-Type: 4,ENCRYPTED`, `Version: …`, or nothing, between the first line and the body. */
const HEADER_OR_BLANK = /(?:^|[\s>|+-])(?:[A-Z][A-Za-z-]{2,20}: [^\n]{0,100}|)\s*$/;

/** Replaces the body of every private key, line for line. A key whose end is missing ends where its lines end. */
export function redactPrivateKeys(text: string): string {
  if (!BEGIN.test(text)) return text;
  const lines = text.split('\n');
  let inside = false;
  for (const [index, line] of lines.entries()) {
    if (BEGIN.test(line)) {
      lines[index] = redactSameLine(line);
      inside = !line.includes(END_MARK);
      continue;
    }
    if (!inside || line.includes(END_MARK)) {
      inside = false;
      continue;
    }
    const redacted = redactBodyLine(line, lines[index + 1] ?? '');
    inside = redacted !== null || HEADER_OR_BLANK.test(line.slice(-LONGEST_LINE));
    if (redacted !== null) lines[index] = redacted;
  }
  return lines.join('\n');
}

function redactSameLine(line: string): string {
  return line.replace(SAME_LINE, (whole: string, begin: string, body: string) => {
    const plain = body.replaceAll(/\\[nr]/g, '').trim();
    return /^[A-Za-z0-9+/=\s,:]{16,}/.test(plain) && !plain.startsWith('[') ? begin + mark('private-key') : whole;
  });
}

/** Null when the line is none of a key's body. */
function redactBodyLine(line: string, next: string): string | null {
  if (line.length > LONGEST_LINE) return null;
  if (line.trimEnd().endsWith(mark('private-key'))) return line;
  const body = BODY.exec(line);
  const word = body?.[1] ?? '';
  const isBody = word.length >= 32 || (word.length >= 4 && next.includes(END_MARK));
  return body && isBody ? line.slice(0, body.index) + mark('private-key') + body[2] : null;
}
