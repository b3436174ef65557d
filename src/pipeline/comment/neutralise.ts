/** Makes text from logs harmless inside a GitHub comment: nobody is mentioned, nothing is linked, no HTML is read. */

/** Breaks a token apart for GitHub's renderer, invisibly, in running text and in code alike. */
const BREAK = '\u200b';

/** What GitHub acts on, as [pattern, where to put the break]. All linear: bounded look-ahead, no repetition inside. */
const ACTIVE: readonly (readonly [RegExp, string])[] = [
  // @user, @org/team
  [/@(?=[A-Za-z0-9])/g, `@${BREAK}`],
  // #12, owner/repo#12
  [/#(?=[0-9])/g, `#${BREAK}`],
  [/\b(GH)-(?=[0-9])/gi, `$1-${BREAK}`],
  // Links to issues and commits would leave a back-link there.
  [/\b(https?):(?=\/\/)/gi, `$1:${BREAK}`],
  [/\bwww\.(?=[A-Za-z0-9])/gi, `www.${BREAK}`],
  // Tags, comments, autolinks, entities
  [/<(?=[A-Za-z/!?])/g, `<${BREAK}`],
  [/&(?=[A-Za-z#])/g, `&${BREAK}`],
  // Links and images
  [/\](?=[([:])/g, `]${BREAK}`],
];

/** Control characters (but tab) and those that reorder what is read; line breaks become spaces in one-line text. */
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** One line of running text from an untrusted source. Reads the same; does nothing. */
export function neutraliseLine(text: string): string {
  let harmless = text.replace(INVISIBLE, '').replace(/[\r\n\u2028\u2029]+/g, ' ');
  for (const [pattern, broken] of ACTIVE) harmless = harmless.replace(pattern, broken);
  return withoutOpenCode(harmless);
}

/** Looks like a backtick and is none. */
const LETTER_GRAVE = '\u02cb';

/** A code span that the text leaves open would swallow what stands behind it, and turn our own spans inside out. */
function withoutOpenCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)];
  let harmless = text;
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index]?.[0] ?? '';
    const closing = runs.findIndex((other, at) => at > index && other[0].length === run.length);
    if (closing > 0) {
      index = closing;
      continue;
    }
    const start = runs[index]?.index ?? 0;
    harmless = harmless.slice(0, start) + LETTER_GRAVE.repeat(run.length) + harmless.slice(start + run.length);
  }
  return harmless;
}

/** A code block that its content cannot close: GitHub reads nothing inside. `language` is ours, never from a log. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text.replace(INVISIBLE, '').replace(/\s+$/, '')}\n${fence}`;
}

/** Inline code that its content cannot close. */
export function inlineCode(text: string): string {
  const line = text.replace(INVISIBLE, '').replace(/[\r\n\u2028\u2029]+/g, ' ');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = '`'.repeat(longest + 1);
  const pad = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** At most `limit` UTF-16 units, never half a code point, with a mark where something was left out. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, Math.max(0, limit - 1));
  return `${cut.replace(/[\ud800-\udbff]$/, '')}…`;
}
