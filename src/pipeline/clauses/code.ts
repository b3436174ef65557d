/** Finds example values in the code blocks of a spec: doctests, and calls whose result stands in a comment or after `==`. */

import { parseCall, parseValue } from '../value/value.ts';
import type { SpecLine } from './blocks.ts';
import type { ClauseExample } from './clause.ts';
import { callEnd } from './examples.ts';

/** One example of a code block with the lines it stands on. */
export interface CodeExample {
  readonly lines: readonly SpecLine[];
  /** Null when an earlier statement may have changed what the call gives: the line speaks of the call, without a value. */
  readonly example: ClauseExample | null;
}

const SLASHES = new Set(['js', 'javascript', 'mjs', 'cjs', 'jsx', 'ts', 'typescript', 'tsx', 'node']);
const HASHES = new Set(['py', 'python', 'python3', 'pycon', 'doctest']);
const READ = new Set([...SLASHES, ...HASHES, '']);

/** A longer call with its output is no example, in UTF-16 units. */
const MAX_SESSION = 4000;

const PROMPT = /^\s*(>>>|>) (.*)$/;
const MORE = /^\s*\.\.\.(?: (.*))?$/;
const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\s[\w${}\s,:]+=\s*(?:await\s+import|require)\(|['"]use strict['"])/;
const LITERAL_BINDING = /^\s*(?:const|let|var)?\s*[A-Za-z_$][\w$]*\s*=\s*([^=\s].*)$/;
const QUALIFIED =
  /\b(?:if|when|unless|with|without|mode|enabled|not|never|wrong|bad|bug|before|after|instead|old|legacy|deprecated|actual)\b/i;
const RESULT =
  /^(?:(?<operator>===?|→|⇒|->|=>)|(?<comment>\/\/|#)\s*(?<word>→|⇒|->|=>|==?=?|returns:?|Returns:?|is|gives|(?<throws>throws|raises|Throws|Raises)(?:\s+an?)?)?)\s*(?<value>\S.*)$/;

/** The examples of one block; none from languages that are not code of JavaScript, TypeScript or Python. */
export function* examplesOfCode(language: string, lines: readonly SpecLine[]): Generator<CodeExample> {
  const prompted =
    lines.some((line) => /^\s*>>> /.test(line.text)) ||
    (SLASHES.has(language) && lines.some((line) => /^> /.test(line.text)));
  if (prompted) yield* sessions(lines);
  else if (READ.has(language)) yield* annotated(language, lines);
}

/** Lines after a statement that may change state are no examples: what they give depends on it. */
function* annotated(language: string, lines: readonly SpecLine[]): Generator<CodeExample> {
  let plain = true;
  for (const line of lines) {
    const text = line.text.trim();
    if (text === '' || IMPORT.test(text)) continue;
    if (/^(?:\/\/|#|\/\*|\*)/.test(text)) {
      if (QUALIFIED.test(text)) plain = false;
      continue;
    }
    const example = annotatedExample(language, text);
    if (example) yield { lines: [line], example: plain ? example : null };
    else if (!bindsLiteral(text)) plain = false;
  }
}

function annotatedExample(language: string, text: string): ClauseExample | null {
  const asserted = /^assert\s+/.exec(text)?.[0] ?? '';
  const code = text.slice(asserted.length);
  const end = callEnd(code, 0);
  if (end === null || !parseCall(code.slice(0, end))) return null;
  const result = RESULT.exec(withoutSemicolons(code.slice(end)))?.groups;
  const value = result?.value;
  if (!result || value === undefined) return null;
  if (asserted !== '' && result.operator !== '==') return null;
  if (result.comment && !commentFits(language, result.comment, result.word)) return null;
  const subject = code.slice(0, end);
  if (result.throws) return /^[A-Za-z_][\w.]*$/.test(value) ? { subject, value, kind: 'throws', form: 'arrow' } : null;
  const written = parseValue(value) ? value : value.split(/(?<!\s)\s+(?:[(–—]|\/\/|#)/)[0];
  return written !== undefined && parseValue(written) && !QUALIFIED.test(value.slice(written.length))
    ? { subject, value: written, kind: 'returns', form: 'arrow' }
    : null;
}

/** `//` divides in Python, and a bare comment may be about anything: without an arrow the language must be known. */
function commentFits(language: string, comment: string, word: string | undefined): boolean {
  if (comment === '//' && HASHES.has(language)) return false;
  return word !== undefined || (comment === '//' ? SLASHES : HASHES).has(language);
}

/** What stands between a semicolon before and one behind. */
function withoutSemicolons(text: string): string {
  return text.trim().replace(/^;/, '').replace(/;$/, '').trim();
}

function bindsLiteral(text: string): boolean {
  const value = LITERAL_BINDING.exec(withoutSemicolons(text))?.[1];
  return value !== undefined && parseValue(value) !== null && parseCall(value) === null;
}

function* sessions(lines: readonly SpecLine[]): Generator<CodeExample> {
  let plain = true;
  let at = 0;
  while (at < lines.length) {
    const first = lines[at];
    const prompt = first && PROMPT.exec(first.text);
    if (!first || !prompt) {
      at++;
      continue;
    }
    let code = prompt[2] ?? '';
    const used = [first];
    for (at++; at < lines.length && MORE.test(lines[at]?.text ?? ''); at++) {
      const line = lines[at] ?? first;
      const more = (MORE.exec(line.text)?.[1] ?? '').trim();
      used.push({ number: line.number, text: more });
      code += ` ${more}`;
    }
    const output: SpecLine[] = [];
    for (; at < lines.length && (lines[at]?.text.trim() ?? '') !== '' && !PROMPT.test(lines[at]?.text ?? ''); at++)
      output.push(lines[at] ?? first);
    if (output.length === 0 && !IMPORT.test(code) && !bindsLiteral(code) && !/^\s*#/.test(code)) plain = false;
    const example = sessionExample(
      code,
      output.map((line) => line.text.trim()),
    );
    if (example) yield { lines: [...used, ...output], example: plain ? example : null };
  }
}

function sessionExample(code: string, output: readonly string[]): ClauseExample | null {
  if (output.reduce((sum, line) => sum + line.length, code.length) > MAX_SESSION) return null;
  const subject = code
    .replace(/(?<!\s)\s+#.*$/, '')
    .trim()
    .replace(/;$/, '');
  if (callEnd(subject, 0) !== subject.length || !parseCall(subject) || output.length === 0) return null;
  if (output[0]?.startsWith('Traceback (most recent call last)') || /^Uncaught /.test(output[0] ?? '')) {
    const name = /^(?:Uncaught )?([A-Za-z_][\w.]*(?:Error|Exception)?)(?::|$)/.exec(output.at(-1) ?? '')?.[1];
    return name && name !== 'Traceback' ? { subject, value: name, kind: 'throws', form: 'doctest' } : null;
  }
  const value = output.join(' ');
  return parseValue(value) ? { subject, value, kind: 'returns', form: 'doctest' } : null;
}
