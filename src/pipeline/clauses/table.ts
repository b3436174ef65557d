/** Finds example values in the tables of a spec: a column of calls, or one column an argument. */

import { parseCall, parseValue } from '../value/value.ts';
import type { ClauseExample } from './clause.ts';
import { callEnd, isWrittenValue } from './examples.ts';

/** A wider table gives no examples. */
const MAX_COLUMNS = 50;
const RESULT =
  /^(?:the )?(?:expected )?(?:results?|returns?|return value|output|value|expected|gives|yields|equals|total|answer|=|→|=>|->)$/i;
const ERROR = /^(?:throws|raises|error|exception)$/i;
const DISPUTED = /\b(?:actual|current|before|old|was|wrong|bug|got|observed|not|without|invalid|previous|legacy)\b/i;
const NOTE = /^(?:notes?|comments?|why|reason|description|explanation|meaning|case|name|example|#|no\.?|id)$/i;
const CIRCUMSTANCE =
  /\b(?:when|if|mode|setting|config\w*|option|locale|currency|user|customer|with|plan|env\w*|given|condition|state|version)\b/i;

/** The cells of a row, trimmed; pipes in code and escaped pipes do not divide. */
export function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let code = false;
  for (let index = 0; index < row.length; index++) {
    const char = row[index] ?? '';
    if (char === '\\' && row[index + 1] === '|') {
      cell += '|';
      index++;
    } else if (char === '|' && !code) {
      cells.push(cell.trim());
      cell = '';
    } else {
      if (char === '`') code = !code;
      cell += char;
    }
  }
  cells.push(cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

type RowReader = (cells: readonly string[]) => ClauseExample[];

/** How to read the rows under this header; null when the columns do not say what is called and what it gives. */
export function rowReader(header: string, heading: string | null): RowReader | null {
  const columns = cellsOf(header).map(bare);
  if (columns.length > MAX_COLUMNS) return null;
  if (columns.some((column) => DISPUTED.test(column) || CIRCUMSTANCE.test(column))) return null;
  const signature = signatureOf(columns, heading);
  if (signature) return (cells) => fromArguments(signature, columns, cells);
  const results = columns.flatMap((column, index) => (RESULT.test(column) || ERROR.test(column) ? [index] : []));
  const result = results.length === 1 ? results[0] : columns.length === 2 && results.length === 0 ? 1 : undefined;
  if (result === undefined) return null;
  return (cells) => fromCall(columns, result, cells);
}

interface Signature {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly result: number;
}

/** `total(price, quantity)` as the heading of the result column, or as the heading above a table with one result column. */
function signatureOf(columns: readonly string[], heading: string | null): Signature | null {
  const named = columns.flatMap((column, result) => {
    const parts = signature(column);
    return parts ? [{ ...parts, result }] : [];
  });
  const above = signature(bare(heading ?? ''));
  const results = columns.flatMap((column, index) => (RESULT.test(column) ? [index] : []));
  const found =
    named.length === 1
      ? named[0]
      : above && named.length === 0 && results.length === 1
        ? { ...above, result: results[0] ?? 0 }
        : undefined;
  if (!found || found.parameters.length === 0) return null;
  const others = columns.filter((column, index) => index !== found.result && !NOTE.test(column));
  const fits =
    others.length === found.parameters.length && found.parameters.every((parameter) => others.includes(parameter));
  return fits && new Set(others).size === others.length ? found : null;
}

function signature(text: string): { name: string; parameters: string[] } | null {
  const match = /^([A-Za-z_$][\w$.]*)\(([\w$, ]*)\)$/.exec(text);
  if (!match?.[1]) return null;
  return {
    name: match[1],
    parameters: (match[2] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  };
}

function fromArguments(form: Signature, columns: readonly string[], cells: readonly string[]): ClauseExample[] {
  if (cells.length !== columns.length) return [];
  const args = form.parameters.map((parameter) => bare(cells[columns.indexOf(parameter)] ?? ''));
  const value = bare(cells[form.result] ?? '');
  if (args.some((argument) => parseValue(argument) === null)) return [];
  return outcome(`${form.name}(${args.join(', ')})`, value, null);
}

function fromCall(columns: readonly string[], result: number, cells: readonly string[]): ClauseExample[] {
  if (cells.length !== columns.length) return [];
  const calls = cells.flatMap((cell, index) => {
    const text = bare(cell);
    return index !== result && callEnd(text, 0) === text.length && parseCall(text) ? [text] : [];
  });
  const [call] = calls;
  const value = bare(cells[result] ?? '');
  return calls.length === 1 && call ? outcome(call, value, columns[result] ?? null) : [];
}

function outcome(subject: string, written: string, column: string | null): ClauseExample[] {
  const thrown = /^(?:throws|raises)\s+(?:an?\s+)?`?([A-Za-z_][\w.]*)`?$/i.exec(written)?.[1];
  const error = thrown ?? (ERROR.test(column ?? '') && /^[A-Za-z_][\w.]*$/.test(written) ? written : null);
  if (error) return [{ subject, value: error, kind: 'throws', form: 'table' }];
  return isWrittenValue(written) && !ERROR.test(column ?? '')
    ? [{ subject, value: written, kind: 'returns', form: 'table' }]
    : [];
}

/** A cell without emphasis and without the code marks around the whole of it. */
function bare(cell: string): string {
  const plain = cell.trim().replace(/^(\*\*|__)(.*)\1$/, '$2');
  const code = /^(`+)\s?([^`]+?)\s?\1$/.exec(plain);
  return (code?.[2] ?? plain).trim();
}
