/** Finds the failing assertion of a JavaScript or TypeScript test, the call under test, and the literal it is held against. */
import { type Assertion, assertionsIn, type Check } from './javascript-assertions.ts';
import { brief, moduleOfRequire, type Row, Scope, unwrapped } from './javascript-scope.ts';
import { hooksBefore, registers, replacesParts, rowsOf, type TestCase, testsIn, titleOf } from './javascript-tests.ts';
import {
  isMissing,
  missing,
  type Resolution,
  type Resolved,
  type Site,
  type SiteAnswer,
  type SiteQuestion,
  shownOf,
} from './site.ts';
import { coversLine, findKinds, linesOf, type Node, parts, within } from './tree.ts';

const HARMLESS = /^(?:console\.\w+|t\.(?:diagnostic|plan)|expect\.(?:assertions|hasAssertions))$/;
const LOCAL_MODULE = /^(?:\.{1,2}(?:\/|$)|[#@~]\/|#)/;

/** The site of the failure, or what keeps it from being found for certain. */
export function javascriptSite(question: SiteQuestion): SiteAnswer {
  const { root } = question;
  if (replacesParts(root.text())) return missing('the test file replaces parts of the program or its clock');
  const test = failingTest(question);
  if (isMissing(test)) return test;
  const row = failingRow(test, new Scope(root), question.test);
  if (row !== null && isMissing(row)) return row;
  const scope = new Scope(root, row ?? new Map());
  const assertion = failingAssertion(test, scope, question);
  if (isMissing(assertion)) return assertion;
  const hook = hooksBefore(test);
  if (hook)
    return missing(`line ${linesOf(hook).first} prepares something before the test that the clause may not speak of`);
  return siteOf(assertion, test, scope);
}

function failingTest({ root, test, lines }: SiteQuestion): TestCase | { readonly missing: string } {
  const tests = testsIn(root);
  const byLine = lines.flatMap((line) => tests.filter((each) => coversLine(each.call, line)).slice(-1));
  const named = tests.filter((each) => isNamed(each, test));
  const [first] = byLine;
  if (first)
    return named.length === 0 || named.includes(first)
      ? first
      : missing('the failing line stands in another test than the one named');
  const [only, ...others] = named;
  if (only && others.length === 0) return only;
  return missing(
    only ? 'several tests bear the name of the failing test' : 'the failing test was not found in its file',
  );
}

function isNamed(each: TestCase, name: string): boolean {
  const title = titleOf(each, null);
  return (
    title !== null &&
    title !== '' &&
    (name === title || name.endsWith(` ${title}`) || name.endsWith(`>${title}`) || name.includes(title))
  );
}

function failingRow(test: TestCase, scope: Scope, name: string): Row | null | { readonly missing: string } {
  const rows = rowsOf(test, scope);
  if (rows === null) return null;
  const fitting = rows.filter((row) => {
    const title = titleOf(test, row);
    return title !== null && title !== '' && (name === title || name.endsWith(title));
  });
  const [row] = rows.length === 1 ? rows : fitting;
  return row && (rows.length === 1 || fitting.length === 1)
    ? row
    : missing('which row of the table failed cannot be told from the name of the test');
}

function failingAssertion(
  test: TestCase,
  scope: Scope,
  { lines, threw }: SiteQuestion,
): Assertion | { readonly missing: string } {
  const assertions = assertionsIn(test.body, scope);
  if (assertions.length === 0) return missing('the failing test holds no assertion that is understood');
  for (const line of lines) {
    const at = assertions.filter(({ node }) => coversLine(node, line));
    if (at.length > 1) return missing(`several assertions stand on line ${line}`);
    if (at[0]) return at[0];
    const statement = statements(test.body).find((each) => coversLine(each, line));
    if (threw && statement) return assertionOf(statement, assertions);
    if (statement) return missing(`line ${line} of the test is no assertion that is understood`);
  }
  const [only, ...others] = assertions;
  return only && others.length === 0 ? only : missing('which assertion of the test failed is not printed');
}

/** The assertion that judges what a declaration before it computes: the next one, if it names the declared value. */
function assertionOf(statement: Node, assertions: readonly Assertion[]): Assertion | { readonly missing: string } {
  const next = assertions.find(({ node }) => node.range().start.index > statement.range().end.index);
  const names = parts(statement).flatMap((each) =>
    each.field('name')?.kind() === 'identifier' ? [each.field('name')?.text() ?? ''] : [],
  );
  const used = next && findKinds(next.node, ['identifier']).some((each) => names.includes(each.text()));
  return next && used ? next : missing('the error did not come out of an assertion');
}

function statements(body: Node): Node[] {
  return body.kind() === 'statement_block' ? parts(body) : [body];
}

interface Sides {
  readonly call: Called;
  readonly side: Site['side'];
  readonly demand: Resolved;
}

function siteOf(assertion: Assertion, test: TestCase, scope: Scope): SiteAnswer {
  const { check, node } = assertion;
  if (check.kind === 'other') return missing(check.reason);
  const read =
    check.kind === 'pair'
      ? pairSides(check, scope)
      : check.kind === 'named'
        ? namedSides(check, scope)
        : thrownSides(check, scope);
  if (isMissing(read)) return read;
  const disturbed = disturbance(assertion, test, scope, read.call);
  if (disturbed) return missing(disturbed);
  const shown = [
    node,
    ...read.call.from.filter((part) => !within(part, node)),
    ...read.demand.from.filter((part) => !within(part, node)),
  ].map(shownOf);
  const holder = read.demand.from.find((part) => !within(part, node) && part.text().includes(read.demand.text));
  return {
    site: {
      subject: read.call.text,
      callee: read.call.callee,
      module: read.call.module,
      relation:
        check.kind === 'pair'
          ? check.tolerance === null
            ? 'equal'
            : 'near'
          : check.kind === 'named'
            ? 'truthy'
            : 'throws',
      demand: read.demand.text,
      tolerance: (check.kind === 'pair' && check.tolerance) || 0,
      side: read.side,
      shown,
      demandIn: holder
        ? shown.findIndex((part) => part.start === holder.range().start.index && part.end === holder.range().end.index)
        : 0,
    },
  };
}

/** Which side is the call is read from the tree: one side must call the project, the other must be a literal. */
function pairSides(check: Extract<Check, { kind: 'pair' }>, scope: Scope): Sides | { readonly missing: string } {
  const calls = [subjectOf(check.first, scope), subjectOf(check.second, scope)] as const;
  const literals = [scope.literal(check.first), scope.literal(check.second)] as const;
  if (!isMissing(calls[0]) && !isMissing(literals[1])) return { call: calls[0], side: 'first', demand: literals[1] };
  if (!isMissing(calls[1]) && !isMissing(literals[0])) return { call: calls[1], side: 'second', demand: literals[0] };
  const [first, second] = calls;
  if (!isMissing(first) || !isMissing(second)) return missing('what the test demands is not a literal');
  return missing(isMissing(literals[0]) ? first.missing : second.missing);
}

function namedSides(check: Extract<Check, { kind: 'named' }>, scope: Scope): Sides | { readonly missing: string } {
  const call = subjectOf(check.value, scope);
  if (isMissing(call)) return call;
  return { call, side: 'first', demand: { text: check.name, from: [check.at] } };
}

function thrownSides(check: Extract<Check, { kind: 'throws' }>, scope: Scope): Sides | { readonly missing: string } {
  const body = unwrapped(check.body);
  let inner: Node | null = body;
  if (body.kind() === 'arrow_function' || body.kind() === 'function_expression')
    inner = onlyExpression(body.field('body'));
  const call = inner ? subjectOf(inner, scope) : missing('the function that must throw does more than one call');
  if (isMissing(call)) return call;
  const name = check.error ? errorName(check.error) : 'Error';
  if (name === null) return missing('which error the test demands is not its name alone');
  return { call, side: 'first', demand: { text: name, from: [check.error ?? check.body] } };
}

function onlyExpression(body: Node | null): Node | null {
  if (body?.kind() !== 'statement_block') return body;
  const [only, ...others] = parts(body);
  if (!only || others.length > 0 || !/^(?:expression|return)_statement$/.test(String(only.kind()))) return null;
  return parts(only)[0] ?? null;
}

/** `RangeError`, or `{ name: 'RangeError' }`. */
function errorName(error: Node): string | null {
  if (error.kind() === 'identifier' && /(?:Error|Exception)$/.test(error.text())) return error.text();
  return /^\{\s*name:\s*['"](\w+)['"],?\s*\}$/.exec(error.text())?.[1] ?? null;
}

type Called = Resolved & { readonly callee: string; readonly module: string };

/** The call under test: a call of project code with literal arguments, directly or through a constant. */
function subjectOf(expression: Node, scope: Scope, depth = 0): Called | { readonly missing: string } {
  const node = unwrapped(expression);
  if (depth > 6) return missing('the call is reached through too many names');
  if (node.kind() === 'identifier') {
    const binding = scope.lookup(node.text(), node);
    if (binding.kind !== 'value')
      return missing(binding.kind === 'opaque' ? binding.reason : `\`${node.text()}\` is no call`);
    const call = subjectOf(binding.value, scope, depth + 1);
    return isMissing(call) ? call : { ...call, from: [binding.declaration, ...call.from] };
  }
  if (node.kind() === 'member_expression') {
    const object = node.field('object');
    const property = node.field('property');
    const call = object && property ? subjectOf(object, scope, depth + 1) : missing(`\`${brief(node)}\` is no call`);
    return isMissing(call) ? call : { ...call, text: `${call.text}.${property?.text()}` };
  }
  if (node.kind() === 'new_expression') return called(node, node.field('constructor'), 'new ', scope, depth);
  if (node.kind() === 'call_expression') return called(node, node.field('function'), '', scope, depth);
  return missing(`\`${brief(node)}\` is no call of the program`);
}

function called(
  node: Node,
  callee: Node | null,
  prefix: string,
  scope: Scope,
  depth: number,
): Called | { readonly missing: string } {
  const target = callee && calleeOf(callee, scope, depth);
  if (!target || isMissing(target)) return target ?? missing(`\`${brief(node)}\` is no call of the program`);
  const args = parts(node.field('arguments')).map((argument): Resolution => scope.literal(argument));
  const lost = args.find(isMissing);
  if (lost) return missing(`an argument of \`${brief(node)}\`: ${lost.missing}`);
  const known = args.filter((each): each is Resolved => !isMissing(each));
  return {
    callee: target.callee,
    module: target.module,
    text: `${prefix}${target.text}(${known.map((each) => each.text).join(', ')})`,
    from: [node, ...target.from, ...known.flatMap((each) => each.from)],
  };
}

/** What is called: an imported function, a function of an imported module, or a method of what another call gives. */
function calleeOf(callee: Node, scope: Scope, depth: number): Called | { readonly missing: string } {
  if (callee.kind() === 'identifier') {
    const binding = scope.lookup(callee.text(), callee);
    if (binding.kind === 'opaque') return missing(binding.reason);
    if (binding.kind !== 'import') return missing(`\`${callee.text()}\` is not imported from the program`);
    if (!LOCAL_MODULE.test(binding.imported.module))
      return missing(`\`${callee.text()}\` comes from the package ${binding.imported.module}`);
    const { name } = binding.imported;
    const callName = name === 'default' || name === '*' ? callee.text() : name;
    return { text: callName, callee: callName, module: binding.imported.module, from: [] };
  }
  if (callee.kind() !== 'member_expression') return missing(`\`${brief(callee)}\` is no name of a function`);
  const object = callee.field('object');
  const method = callee.field('property')?.text();
  if (!object || !method) return missing(`\`${brief(callee)}\` is no name of a function`);
  const binding = object.kind() === 'identifier' ? scope.lookup(object.text(), object) : null;
  if (binding?.kind === 'import') {
    if (!LOCAL_MODULE.test(binding.imported.module))
      return missing(`\`${brief(callee)}\` comes from the package ${binding.imported.module}`);
    return { text: method, callee: method, module: binding.imported.module, from: [] };
  }
  const receiver = subjectOf(object, scope, depth + 1);
  return isMissing(receiver) ? receiver : { ...receiver, text: `${receiver.text}.${method}` };
}

/** Why the call may not give here what it gives by itself; null when nothing before it can matter. */
function disturbance(assertion: Assertion, test: TestCase, scope: Scope, call: Called): string | null {
  const body = statements(test.body);
  const site = body.find((statement) => within(assertion.node, statement));
  if (!site || !isDirect(assertion.node, site))
    return 'the assertion stands in a loop, a condition or a function of its own';
  const before = [...outerStatements(test), ...body.slice(0, body.indexOf(site))];
  const used = call.from.filter((node) => !within(node, assertion.node));
  const strangers = before.filter((statement) => !used.some((node) => within(node, statement)));
  for (const statement of before) {
    if (used.some((node) => within(node, statement))) {
      if (touchedAgain(statement, strangers))
        return `line ${linesOf(statement).first}: the value may be changed before it is used`;
      continue;
    }
    if (!isInert(statement, scope, call)) return `line ${linesOf(statement).first} may change what the call gives`;
  }
  return null;
}

/** Statements around the registration of the test: of the module and of the groups it is in. */
function outerStatements(test: TestCase): Node[] {
  const blocks = test.call.ancestors().filter((node) => node.kind() === 'program' || node.kind() === 'statement_block');
  return blocks.flatMap((block) =>
    parts(block).filter((statement) => !within(test.call, statement) && !registers(statement)),
  );
}

function isDirect(node: Node, statement: Node): boolean {
  const kinds = node
    .ancestors()
    .filter((each) => within(each, statement))
    .map((each) => String(each.kind()));
  return kinds.every((kind) =>
    /^(?:expression_statement|await_expression|return_statement|parenthesized_expression|call_expression|member_expression)$/.test(
      kind,
    ),
  );
}

/** A declared object or array that another statement names may not be what it was. */
function touchedAgain(declaration: Node, others: readonly Node[]): boolean {
  const names = findKinds(declaration, ['variable_declarator']).flatMap((each) => {
    const value = each.field('value');
    const plain = value && /^(?:number|string|true|false|null|undefined)$/.test(String(unwrapped(value).kind()));
    return plain ? [] : [each.field('name')?.text() ?? ''];
  });
  return others.some((statement) =>
    findKinds(statement, ['identifier', 'shorthand_property_identifier']).some((each) => names.includes(each.text())),
  );
}

/** Statements that compute nothing by the program, or only another pure-looking assertion with other arguments. */
function isInert(statement: Node, scope: Scope, call: Called): boolean {
  const kind = String(statement.kind());
  if (
    /^(?:import_statement|function_declaration|class_declaration|interface_declaration|type_alias_declaration|empty_statement|hash_bang_line)$/.test(
      kind,
    )
  )
    return true;
  if (kind === 'lexical_declaration' || kind === 'variable_declaration')
    return parts(statement).every((each) => isInertValue(each.field('value'), scope, call));
  if (kind !== 'expression_statement') return false;
  const expression = unwrapped(parts(statement)[0] ?? statement);
  if (expression.kind() === 'string') return true;
  if (expression.kind() === 'call_expression' && HARMLESS.test(expression.field('function')?.text() ?? ''))
    return !callsProgram(expression);
  const assertions = assertionsIn(statement, scope);
  return (
    assertions.length === 1 &&
    !assertions.some(({ node, check }) => check.kind === 'other' || repeats(node, scope, call))
  );
}

function isInertValue(value: Node | null, scope: Scope, call: Called): boolean {
  if (!value) return true;
  if (moduleOfRequire(value) || (value.kind() === 'member_expression' && /^require\(/.test(value.text()))) return true;
  if (/^(?:arrow_function|function_expression|class)$/.test(String(value.kind()))) return true;
  if (!isMissing(scope.literal(value))) return true;
  return !callsProgram(value) || (!isMissing(subjectOf(value, scope)) && !repeats(value, scope, call));
}

function callsProgram(node: Node): boolean {
  const calls = findKinds(node, ['call_expression', 'new_expression']);
  return (
    calls.length > 0 &&
    !calls.every((each) =>
      /^(?:console|Object|Array|JSON|Math|Number|String|Symbol|structuredClone)\b/.test(
        (each.field('function') ?? each.field('constructor'))?.text() ?? '',
      ),
    )
  );
}

/** Calls with state show it by giving another answer to the same arguments, or by taking none. */
function repeats(node: Node, scope: Scope, call: Called): boolean {
  if (/\(\s*\)/.test(call.text)) return true;
  return findKinds(node, ['call_expression', 'new_expression']).some((each) => {
    const other = subjectOf(each, scope);
    if (isMissing(other)) return false;
    return other.callee === call.callee && (other.text === call.text || /\(\s*\)/.test(other.text));
  });
}
