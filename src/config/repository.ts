/** Reads `.github/inquest.yml` into a checked value, or says in people's words what is wrong, and on which line. */
import { type Document, isMap, LineCounter, parseDocument } from 'yaml';
import { InquestError } from '../errors.ts';
import { describeIssue } from './problem.ts';
import { type RepositoryConfig, repositorySchema } from './repository-schema.ts';

export type { RepositoryConfig, SetupConfig, SuiteConfig } from './repository-schema.ts';

/** Where the file lies in a repository. */
export const REPOSITORY_CONFIG_PATH = '.github/inquest.yml';

const MAX_BYTES = 64 * 1024;
const MAX_ALIASES = 50;
const MAX_PROBLEMS = 10;

/** The configuration of a repository that has no file. */
export function defaultRepositoryConfig(): RepositoryConfig {
  return repositorySchema.parse({});
}

/**
 * Parses the text of the file; `source` names it in messages. An empty file means the defaults.
 * Throws `CONFIG_INVALID` with every problem: file, line, key, what was expected.
 */
export function parseRepositoryConfig(text: string, source: string): RepositoryConfig {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw invalid(source, [`the file is larger than ${MAX_BYTES / 1024} KiB`]);
  }
  const lines = new LineCounter();
  const document = readYaml(text, source, lines);
  const value = toValue(document, source);
  const result = repositorySchema.safeParse(value ?? {}, { reportInput: true });
  if (result.success) return result.data;
  throw invalid(
    source,
    result.error.issues.flatMap((issue) =>
      describeIssue(issue, repositorySchema).map((problem) => {
        const line = lineOf(document, lines, problem.path);
        return `${line === null ? '' : `line ${line}: `}${problem.text}`;
      }),
    ),
  );
}

function readYaml(text: string, source: string, lineCounter: LineCounter): Document {
  let document: Document;
  try {
    document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  } catch (thrown) {
    throw invalid(source, ['the file is nested too deeply to be read'], thrown);
  }
  if (document.errors.length === 0) return document;
  throw invalid(
    source,
    document.errors.map((error) => `line ${lineCounter.linePos(error.pos[0]).line}: ${error.message.split('\n')[0]}`),
    document.errors[0],
  );
}

function toValue(document: Document, source: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown);
    throw invalid(source, [`${reason}`], thrown);
  }
}

/** The line of the key that the path names, or of the nearest thing around it that is written in the file. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | null {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = isMap(parent) ? parent.items.find((item) => keyText(item.key) === String(key)) : undefined;
    const start = startOf(pair?.key) ?? startOf(document.getIn(path.slice(0, length), true));
    if (start !== null) return lines.linePos(start).line;
  }
  const start = startOf(document.contents);
  return start === null ? null : lines.linePos(start).line;
}

function keyText(key: unknown): string {
  return typeof key === 'object' && key !== null && 'value' in key ? String(key.value) : String(key);
}

function startOf(node: unknown): number | null {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return null;
  const start: unknown = node.range[0];
  return typeof start === 'number' ? start : null;
}

function invalid(source: string, problems: readonly string[], cause?: unknown): InquestError {
  const distinct = [...new Set(problems)];
  const shown = distinct.slice(0, MAX_PROBLEMS);
  if (distinct.length > shown.length) shown.push(`and ${distinct.length - shown.length} more`);
  const list = shown.length === 1 ? ` ${shown[0]}` : shown.map((problem) => `\n  - ${problem}`).join('');
  return new InquestError('CONFIG_INVALID', `${source}:${list}`, {
    hint: 'docs/configuration.md lists every key with its default.',
    cause,
  });
}
