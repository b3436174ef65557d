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
  const document = JSON.parse(text) as Schema & Pick<Description, 'paths' | 'webhooks'>;
  const components = { schemas: asJsonSchema((document.components as Schema).schemas) };
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema({ $id: 'github', components });
  const compiled = new Map<string, ValidateFunction>();
  return {
    paths: document.paths ?? {},
    webhooks: document.webhooks ?? {},
    resolve: (value) => (typeof value.$ref === 'string' ? at(document, value.$ref) : value),
    validator: (schema) => {
      const key = JSON.stringify(schema);
      const known =
        compiled.get(key) ??
        ajv.compile(asJsonSchema(JSON.parse(key.replaceAll('"$ref":"#/', '"$ref":"github#/'))) as Schema);
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
  if (Array.isArray(value)) return value.map(asJsonSchema);
  const { nullable, allOf, ...rest } = value as Schema;
  const all = Array.isArray(allOf)
    ? { [titlesOf(allOf) === 'Simple User, Enterprise' ? 'anyOf' : 'allOf']: allOf }
    : {};
  const schema = Object.fromEntries(
    Object.entries({ ...rest, ...all }).map(([key, part]) => [key, asJsonSchema(part)]),
  );
  // A property may be called so, too; then it is no flag.
  if (nullable === undefined || nullable === false) return schema;
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : { ...schema, nullable: asJsonSchema(nullable) };
}

function titlesOf(schemas: readonly Schema[]): string {
  return schemas.map(({ title }) => title).join(', ');
}

function at(document: Schema, ref: string): Schema {
  let value: unknown = document;
  for (const part of ref.slice('#/'.length).split('/')) value = (value as Schema)[part];
  return value as Schema;
}
