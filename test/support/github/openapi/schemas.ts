/** GitHub's own descriptions of its API and webhooks, made into validators. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

type Schema = { [key: string]: unknown };

export interface Operation {
  readonly responses: Readonly<Record<string, Schema>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Schema } }>>;
  /** The validator of a schema that lies in the description. */
  validator(schema: Schema): ValidateFunction;
  /** Follows a `$ref` into the description. */
  resolve(value: Schema): Schema;
}

const from = createRequire(import.meta.url);

export function loadDescription(library: '@octokit/openapi' | '@octokit/openapi-webhooks'): Description {
  const folder = dirname(from.resolve(library));
  const text = readFileSync(join(folder, 'generated', 'api.github.com.json'), 'utf8');
  const document = JSON.parse(text, (_, value) => asJsonSchema(value)) as Schema &
    Pick<Description, 'paths' | 'webhooks'>;
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  formats.default(ajv);
  ajv.addSchema({ $id: 'github', components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  return {
    paths: document.paths ?? {},
    webhooks: document.webhooks ?? {},
    resolve: (value) => (typeof value.$ref === 'string' ? at(document, value.$ref) : value),
    validator: (schema) => {
      const key = JSON.stringify(schema);
      const known = compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"$ref":"#/', '"$ref":"github#/')));
      compiled.set(key, known);
      return known;
    },
  };
}

/**
 * OpenAPI 3.0 says `nullable: true` where JSON Schema says that the type may be null. And one place of GitHub's
 * description asks for a user that is an enterprise at the same time, where it means either.
 */
function asJsonSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('allOf' in value && Array.isArray(value.allOf) && titlesOf(value.allOf) === 'Simple User, Enterprise') {
    const { allOf, ...rest } = value;
    return asJsonSchema({ ...rest, anyOf: allOf });
  }
  if (!('nullable' in value) || value.nullable !== true) return value;
  const { nullable: _, ...schema } = value;
  return { anyOf: [schema, { type: 'null' }] };
}

function titlesOf(schemas: readonly Schema[]): string {
  return schemas.map(({ title }) => title).join(', ');
}

function at(document: Schema, ref: string): Schema {
  let value: unknown = document;
  for (const part of ref.slice('#/'.length).split('/')) value = (value as Schema)[part];
  return value as Schema;
}
