/** HTML of a comment, reduced to what GitHub lets through: known tags, known attributes, safe addresses, balanced. */

/** Tags, each with the attributes that it may keep. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  b: [],
  blockquote: [],
  br: [],
  code: ['class'],
  dd: [],
  del: [],
  details: ['open'],
  div: ['align'],
  dl: [],
  dt: [],
  em: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  hr: [],
  i: [],
  img: ['src', 'alt', 'width', 'height', 'align'],
  input: ['checked', 'disabled', 'type'],
  ins: [],
  kbd: [],
  li: [],
  ol: ['start'],
  p: ['align'],
  pre: ['lang'],
  q: [],
  s: [],
  samp: [],
  span: [],
  strike: [],
  strong: [],
  sub: [],
  summary: [],
  sup: [],
  table: [],
  tbody: [],
  td: ['align', 'colspan', 'rowspan'],
  tfoot: [],
  th: ['align', 'colspan', 'rowspan'],
  thead: [],
  tr: ['align'],
  tt: [],
  ul: [],
  var: [],
};

const VOID = new Set(['br', 'hr', 'img', 'input']);
/** Removed with everything inside. */
const DROPPED = new Set(['script', 'style', 'iframe', 'object', 'embed', 'template', 'noscript', 'textarea', 'title']);
/** Text in these is left as it is; elsewhere `onText` may link it. */
const VERBATIM = new Set(['code', 'pre', 'a', 'kbd', 'samp', 'tt']);

const TOKEN = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>|<|[^<]+/g;
const ATTRIBUTE = /([a-zA-Z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** `onText` gets escaped text outside of code and links, and may add markup of its own. */
export function sanitize(html: string, onText: (text: string) => string): string {
  const open: string[] = [];
  let out = '';
  let dropping: string | null = null;
  for (const [token, slash, tag, attributes] of html.matchAll(TOKEN)) {
    const name = tag?.toLowerCase();
    if (dropping !== null) {
      if (slash === '/' && name === dropping) dropping = null;
      continue;
    }
    if (token.startsWith('<!--')) continue;
    if (name === undefined) {
      const text = token.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      out += open.some((one) => VERBATIM.has(one)) ? text : onText(text);
    } else if (DROPPED.has(name)) {
      if (slash === '') dropping = name;
    } else if (!(name in ALLOWED)) {
      // The tag goes, its content stays.
    } else if (slash === '/') {
      out += close(open, name);
    } else {
      out += `<${name}${kept(name, attributes ?? '')}>`;
      if (!VOID.has(name)) open.push(name);
    }
  }
  return (
    out +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  );
}

/** Closes the tag and what is open inside of it; a closing tag without an opening one is nothing. */
function close(open: string[], name: string): string {
  const index = open.lastIndexOf(name);
  return index === -1
    ? ''
    : open
        .splice(index)
        .reverse()
        .map((one) => `</${one}>`)
        .join('');
}

function kept(name: string, attributes: string): string {
  const allowed = ALLOWED[name] ?? [];
  let out = name === 'a' ? ' rel="nofollow"' : '';
  for (const [, rawKey = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const key = rawKey.toLowerCase();
    const value = double ?? single ?? bare ?? '';
    if (!allowed.includes(key) || !isSafe(key, value)) continue;
    out += ` ${key}="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;
  }
  return out;
}

function isSafe(key: string, value: string): boolean {
  if (key === 'href') return /^(?:https?:\/\/|mailto:|#|\/)/i.test(value);
  if (key === 'src') return /^https?:\/\//i.test(value);
  if (key === 'class') return /^language-[\w+#-]+$/.test(value);
  if (key === 'type') return value === 'checkbox';
  return true;
}
