/** Writes `docs/configuration.md` from the two schemas. Pure. */
import { z } from 'zod';
import { repositorySchema } from './repository-schema.ts';
import { VARIABLES } from './service-table.ts';

interface SchemaNode {
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | false;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The whole page, as it is to lie in the repository. */
export function configurationReference(): string {
  const schema = z.toJSONSchema(repositorySchema, { io: 'input' }) as SchemaNode;
  const keys = rowsOf(schema, '');
  return `${INTRODUCTION}
| key | value | default | |
| --- | --- | --- | --- |
${keys.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

${SERVICE}
| variable | value | default | |
| --- | --- | --- | --- |
${Object.values(VARIABLES)
  .map(({ name, form, fallback, description }) => `| \`${name}\` | ${form} | ${fallback} | ${description} |`)
  .join('\n')}
`;
}

const INTRODUCTION = `<!-- Generated from src/config by \`npm run docs:config\`. Do not edit. -->
# Configuration

## The repository: \`.github/inquest.yml\`

Every key is optional, but where the table says *required*. A key that is not in the table is refused, with the name that was probably meant.

\`\`\`yaml
mode: report
spec: [docs/spec.md]
setup:
  command: npm ci
tests:
  - name: unit
    command: npm test
  - name: api
    command: [python3, -m, pytest, api]
    single: python3 -m pytest {test}
\`\`\`

A command is a list of program and arguments, or a string that is split into words at spaces, with quotes respected. No shell reads it: where you
want one, say so, as in \`[sh, -c, "npm run build && npm test"]\`. Tests run in a sandbox without network; only \`setup\` can have it.
`;

const SERVICE = `## The service: environment variables

An empty value counts as missing. All problems are reported at once when the service starts.
`;

function rowsOf(node: SchemaNode, prefix: string): readonly (readonly string[])[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const key = `${prefix}${name}`;
    const nested = child.items?.properties === undefined ? child : child.items;
    const path = nested === child ? `${key}.` : `${key}[].`;
    const required = node.required?.includes(name) ?? false;
    const leaf = nested.properties === undefined;
    const fallback = required ? '*required*' : leaf || child.items !== undefined ? defaultOf(child) : '';
    return [[`\`${key}\``, formOf(child), fallback, cell(child.description ?? '')], ...rowsOf(nested, path)];
  });
}

function defaultOf(node: SchemaNode): string {
  if (node.default === undefined) return 'none';
  if (!Array.isArray(node.default))
    return cell(`\`${typeof node.default === 'string' ? node.default : JSON.stringify(node.default)}\``);
  return node.default.length === 0 ? '`[]`' : node.default.map((item) => `\`${item}\``).join(' ');
}

function formOf(node: SchemaNode): string {
  if (node.enum !== undefined) return node.enum.map((word) => `\`${word}\``).join(', ');
  if (node.anyOf !== undefined) return node.anyOf.map(formOf).join(' or ');
  if (node.type === 'array') return node.items?.type === 'string' ? 'list of texts' : 'list';
  if (node.type === 'object') return node.properties === undefined ? 'map of texts' : '';
  if (node.type === 'integer' || node.type === 'number') return `number, ${node.minimum} to ${node.maximum}`;
  return WORDS[node.type ?? ''] ?? '';
}

const WORDS: Readonly<Record<string, string>> = { string: 'text', boolean: '`true`, `false`' };

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
