/** Makes control characters from untrusted text visible instead of effective, on terminals and in pipes. */

/** C0 but tab and line feed, DEL, C1, and the characters that reorder or hide what is read. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Control characters below this have a picture of their own from U+2400 on. */
const PICTURES = 0x20;

/** `ESC[2J` is shown as `␛[2J`. Carriage returns at line ends vanish. */
export function visible(text: string): string {
  return text.replace(/\r+\n/g, '\n').replace(CONTROL, picture);
}

/** One line: line breaks and tabs become spaces too. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

/** JSON that a terminal can show: what `JSON.stringify` leaves raw and a terminal obeys is written as `\uXXXX`. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    jsonEscape,
  );
}

/** The value with every text in it changed by `visible`. */
export function visibleDeep<T>(value: T): T {
  return changeTexts(value, visible) as T;
}

function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => changeTexts(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changeTexts(item, change)]));
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  return code < PICTURES ? String.fromCharCode(0x2400 + code) : `\\u{${code.toString(16)}}`;
}

function jsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
