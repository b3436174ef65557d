/** Holds the simulator to GitHub's description: an answer or payload that does not fit is a mismatch. */
import type { ErrorObject } from 'ajv';
import type { MiddlewareHandler } from 'hono';
import type { PayloadCheck } from '../webhooks/webhooks.ts';
import { type Description, loadDescription, type Operation } from './schemas.ts';

export interface OpenApiCheck {
  /** For `startGithub({ check })`. */
  readonly middleware: MiddlewareHandler;
  readonly payload: PayloadCheck;
  /** What did not fit, in words. */
  readonly mismatches: readonly string[];
  /** `get /repos/{owner}/{repo} 200` for each answer that was checked, and `event.action` for each payload. */
  readonly checked: ReadonlySet<string>;
}

/** Mismatches are collected, and an answer that does not fit is replaced by a 500, so that no test goes on with it. */
export function createOpenApiCheck(): OpenApiCheck {
  const rest = loadDescription('@octokit/openapi');
  const hooks = loadDescription('@octokit/openapi-webhooks');
  const routes = routesOf(rest);
  const mismatches: string[] = [];
  const checked = new Set<string>();

  return {
    mismatches,
    checked,
    middleware: async (c, next) => {
      await next();
      const path = c.req.path.replace(/^\/api\/v3/, '');
      const route = routeOf(routes, path, c.req.method.toLowerCase());
      const operation = route?.methods[c.req.method.toLowerCase()];
      const title = `${c.req.method.toLowerCase()} ${route?.template ?? path} ${c.res.status}`;
      const problems = await problemsOf(rest, operation, c.res);
      checked.add(title);
      if (problems.length === 0) return;
      mismatches.push(`${title}: ${problems.join('; ')}`);
      c.res = Response.json({ message: `This is not GitHub: ${title}: ${problems.join('; ')}` }, { status: 500 });
    },
    payload: (event, action, payload) => {
      const name = [event, action].filter(Boolean).join('-').replaceAll('_', '-');
      const body = hooks.webhooks[name]?.post.requestBody;
      checked.add([event, action].filter(Boolean).join('.'));
      const schema = body && jsonSchemaOf(body);
      if (!schema) {
        mismatches.push(`webhook ${name}: GitHub sends no such event`);
        return;
      }
      // As it is sent: what is undefined is not there.
      const validate = hooks.validator(schema);
      if (!validate(JSON.parse(JSON.stringify(payload)))) {
        mismatches.push(`webhook ${name}: ${sentences(validate.errors).join('; ')}`);
      }
    },
  };
}

interface Route {
  readonly template: string;
  readonly exact: RegExp;
  /** With slashes inside of the parameters that may hold some. */
  readonly loose: RegExp;
  readonly methods: Readonly<Record<string, Operation>>;
}

const LONG = new Set(['path', 'ref', 'basehead', 'branch']);

function routesOf(description: Description): Route[] {
  const routes = Object.entries(description.paths).map(([template, methods]) => ({
    template,
    exact: patternOf(template, () => '[^/]+'),
    loose: patternOf(template, (name) => (LONG.has(name) ? '.*' : '[^/]+')),
    methods,
  }));
  return routes.sort((a, b) => a.template.split('{').length - b.template.split('{').length);
}

function patternOf(template: string, parameter: (name: string) => string): RegExp {
  const parts = template.split(/(\{\w+\})/).map((part) => {
    return part.startsWith('{') ? parameter(part.slice(1, -1)) : part.replace(/[.+?^$()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Of the paths that fit, the one with the fewest parameters; slashes inside of a parameter only when nothing else fits. */
function routeOf(routes: readonly Route[], path: string, method: string): Route | undefined {
  const fits = (kind: 'exact' | 'loose') => (route: Route) =>
    method in route.methods && (route[kind].test(path) || route[kind].test(`${path}/`));
  return routes.find(fits('exact')) ?? routes.find(fits('loose'));
}

async function problemsOf(
  description: Description,
  operation: Operation | undefined,
  response: Response,
): Promise<string[]> {
  const { status } = response;
  const text = await response.clone().text();
  const json = response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as unknown) : undefined;
  const documented = operation?.responses[String(status)];
  if (!documented) {
    // Every GET may be conditional, and every path may be one that GitHub does not have.
    if (status === 304) return text === '' ? [] : ['a body where there is none'];
    if (status < 400) return ['the status is not documented'];
    return errorProblems(status, json);
  }
  const schema = jsonSchemaOf(description.resolve(documented));
  if (!schema) return [];
  if (json === undefined) return text === '' ? ['the body is missing'] : [];
  const validate = description.validator(schema);
  return validate(json) ? [] : sentences(validate.errors);
}

/** Errors that every operation can answer are described nowhere; they share one form. */
function errorProblems(status: number, json: unknown): string[] {
  if (status >= 500) return status === 502 ? [] : ['a server error'];
  const fits = typeof json === 'object' && json !== null && 'message' in json && 'documentation_url' in json;
  return fits ? [] : ['an error without message and documentation_url'];
}

function jsonSchemaOf(part: Record<string, unknown>): Record<string, unknown> | undefined {
  const content = part.content as Record<string, { schema?: Record<string, unknown> }> | undefined;
  const type = Object.keys(content ?? {}).find((name) => name.includes('json'));
  return type === undefined ? undefined : content?.[type]?.schema;
}

function sentences(errors: readonly ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).slice(0, 8).map(({ instancePath, message, params }) => {
    return `${instancePath || 'body'} ${message} ${JSON.stringify(params)}`;
  });
}
