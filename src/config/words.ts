/** Splits a command line into words without a shell: quotes and backslashes are respected, shell operators are refused. */

const OPERATORS = new Set(['|', ';', '&', '>', '<', '`', '$', '\n']);

export type Split = { readonly words: readonly string[] } | { readonly refused: string };

/**
 * `npm test -- --grep "a b"` gives `['npm', 'test', '--', '--grep', 'a b']`. What only a shell could do
 * (pipes, redirections, substitutions, leading assignments) is refused with the reason: it would otherwise be passed on literally.
 */
export function splitWords(text: string): Split {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote === "'") {
      if (char === "'") quote = null;
      else word += char;
      continue;
    }
    if (char === '\\' && isEscape(text.charAt(i + 1), quote)) {
      word = (word ?? '') + text.charAt(++i);
      continue;
    }
    if (quote === '"') {
      if (char === '"') quote = null;
      else if (char === '$' || char === '`') return refusedOperator(char);
      else word += char;
      continue;
    }
    if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (OPERATORS.has(char)) {
      if (char === '\n' && text.slice(i).trim() === '') break;
      return refusedOperator(char);
    } else if (char === ' ' || char === '\t' || char === '\r') {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== null) return { refused: `the quote ${quote} is never closed` };
  if (word !== null) words.push(word);
  if (words.length === 0) return { refused: 'the command is empty' };
  if (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) return { refused: `"${words[0]}" sets a variable: put it under env` };
  return { words };
}

/** In double quotes only `\ " $` and the backtick can be escaped; outside of quotes anything. */
function isEscape(next: string, quote: '"' | null): boolean {
  return next !== '' && (quote === null || '\\"$`'.includes(next));
}

function refusedOperator(char: string): Split {
  const shown = char === '\n' ? 'a line break' : `"${char}"`;
  return {
    refused: `${shown} needs a shell and no shell is used; quote it, or write a list: ["sh", "-c", "…"]`,
  };
}
