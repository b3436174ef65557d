/** Finds the failing assertion of a Python test, the call under test, and the literal it is held against. */

import { parseValue } from '../../pipeline/value/value.ts';
import { type PythonAssertion, type PythonCheck, pythonAssertionsIn } from './python-assertions.ts';
import { brief, PythonScope, plain } from './python-scope.ts';
import {
  fixturesOf,
  type PythonTest,
  partsOfName,
  preparedBy,
  pythonReplacesParts,
  pythonRowOf,
  pythonTestsIn,
} from './python-tests.ts';
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

type Missing = { readonly missing: string };
type Called = Resolved & { readonly callee: string; readonly module: string };

/** The site of the failure, or what keeps it from being found for certain. */
export function pythonSite(question: SiteQuestion): SiteAnswer {
  const { root } = question;
  if (pythonReplacesParts(root.text())) return missing('the test file replaces parts of the program or its clock');
  const test = failingTest(question);
  if (isMissing(test)) return test;
  const prepared = preparedBy(test, root);
  if (prepared) return missing(prepared);
  const [fixture] = fixturesOf(test);
  if (fixture) return missing(`the test uses the fixture \`${fixture}\``);
  const row = pythonRowOf(test, new PythonScope(root), partsOfName(question.test).parameters);
  if (row === 'unclear') return missing('which row of the table failed cannot be told from the name of the test');
  const scope = new PythonScope(root, row ?? new Map());
  const assertion = failingAssertion(test, question);
  return isMissing(assertion) ? assertion : siteOf(assertion, test, scope, root);
}

function failingTest({ root, test, lines }: SiteQuestion): PythonTest | Missing {
  const { name, holder } = partsOfName(test);
  const named = pythonTestsIn(root).filter((each) => each.name === name);
  const held = named.filter((each) => holder !== null && each.holder?.field('name')?.text() === holder);
  const fitting = held.length > 0 ? held : named;
  const atLine = fitting.filter((each) => lines.some((line) => coversLine(each.definition, line)));
  const [only, ...others] = atLine.length > 0 ? atLine : fitting;
  return only && others.length === 0
    ? only
    : missing(only ? 'several tests bear the name of the failing test' : 'the failing test was not found in its file');
}

function failingAssertion(test: PythonTest, { lines, threw }: SiteQuestion): PythonAssertion | Missing {
  const assertions = pythonAssertionsIn(test.body);
  if (assertions.length === 0) return missing('the failing test holds no assertion that is understood');
  for (const line of lines.filter((each) => coversLine(test.definition, each))) {
    const at = assertions.filter(({ node }) => coversLine(node, line));
    if (at.length > 1) return missing(`several assertions stand on line ${line}`);
    if (at[0]) return at[0];
    const statement = parts(test.body).find((each) => coversLine(each, line));
    if (threw && statement) return assertionAfter(statement, assertions);
    if (statement) return missing(`line ${line} of the test is no assertion that is understood`);
  }
  const [only, ...others] = assertions;
  return only && others.length === 0 ? only : missing('which assertion of the test failed is not printed');
}

function assertionAfter(statement: Node, assertions: readonly PythonAssertion[]): PythonAssertion | Missing {
  const next = assertions.find(({ node }) => node.range().start.index > statement.range().end.index);
  const name = findKinds(statement, ['assignment'])[0]?.field('left')?.text();
  const used = next && name && findKinds(next.node, ['identifier']).some((each) => each.text() === name);
  return next && used ? next : missing('the error did not come out of an assertion');
}

interface Sides {
  readonly call: Called;
  readonly side: Site['side'];
  readonly demand: Resolved;
}

function siteOf({ node, check }: PythonAssertion, test: PythonTest, scope: PythonScope, root: Node): SiteAnswer {
  if (check.kind === 'other') return missing(check.reason);
  const read = sidesOf(check, scope);
  if (isMissing(read)) return read;
  const disturbed = disturbance(node, test, scope, read.call, root);
  if (disturbed) return missing(disturbed);
  const outside = [...read.call.from, ...read.demand.from].filter((part) => !within(part, node));
  const shown = [node, ...outside].map(shownOf);
  const holder = read.demand.from.find((part) => !within(part, node) && part.text().includes(read.demand.text));
  const demanded = parseValue(read.demand.text);
  const tolerance =
    check.kind === 'pair' && check.tolerance && demanded?.kind === 'number' ? check.tolerance(demanded.value) : 0;
  return {
    site: {
      subject: read.call.text,
      callee: read.call.callee,
      module: read.call.module,
      relation:
        check.kind === 'pair' ? (check.tolerance ? 'near' : 'equal') : check.kind === 'named' ? 'truthy' : 'throws',
      demand: read.demand.text,
      tolerance,
      side: read.side,
      shown,
      demandIn: holder ? 1 + outside.findIndex((part) => part.id() === holder.id()) : 0,
    },
  };
}

function sidesOf(check: Exclude<PythonCheck, { kind: 'other' }>, scope: PythonScope): Sides | Missing {
  if (check.kind === 'pair') return pairSides(check, scope);
  if (check.kind === 'named') {
    const call = subjectOf(check.value, scope);
    return isMissing(call) ? call : { call, side: 'first', demand: { text: check.name, from: [check.at] } };
  }
  const call =
    'callee' in check.body ? applied(check.body.callee, check.body.args, scope) : subjectOf(check.body, scope);
  if (isMissing(call)) return call;
  if (!/^[\w.]+(?:Error|Exception)$/.test(check.error.text()))
    return missing('which error the test demands is not its name alone');
  return { call, side: 'first', demand: { text: check.error.text(), from: [check.error] } };
}

function pairSides(check: Extract<PythonCheck, { kind: 'pair' }>, scope: PythonScope): Sides | Missing {
  const calls = [subjectOf(check.first, scope), subjectOf(check.second, scope)] as const;
  const literals = [scope.literal(check.first), scope.literal(check.second)] as const;
  if (!isMissing(calls[0]) && !isMissing(literals[1])) return { call: calls[0], side: 'first', demand: literals[1] };
  if (!isMissing(calls[1]) && !isMissing(literals[0])) return { call: calls[1], side: 'second', demand: literals[0] };
  const [first, second] = calls;
  if (!isMissing(first) || !isMissing(second)) return missing('what the test demands is not a literal');
  return missing(isMissing(literals[0]) ? first.missing : second.missing);
}

/** The call under test: a call of project code with literal arguments, directly or through a name assigned once. */
function subjectOf(expression: Node, scope: PythonScope, depth = 0): Called | Missing {
  const node = plain(expression);
  if (depth > 6) return missing('the call is reached through too many names');
  if (node.kind() === 'identifier') {
    const binding = scope.lookup(node.text(), node);
    if (binding.kind !== 'value')
      return missing(binding.kind === 'opaque' ? binding.reason : `\`${node.text()}\` is no call`);
    const call = subjectOf(binding.value, scope, depth + 1);
    return isMissing(call) ? call : { ...call, from: [binding.declaration, ...call.from] };
  }
  if (node.kind() === 'attribute') {
    const object = node.field('object');
    const call = object ? subjectOf(object, scope, depth + 1) : missing('an attribute of nothing');
    return isMissing(call) ? call : { ...call, text: `${call.text}.${node.field('attribute')?.text()}` };
  }
  const callee = node.kind() === 'call' ? node.field('function') : null;
  if (!callee) return missing(`\`${brief(node)}\` is no call of the program`);
  const call = applied(callee, parts(node.field('arguments')), scope, depth);
  return isMissing(call) ? call : { ...call, from: [node, ...call.from] };
}

function applied(callee: Node, args: readonly Node[], scope: PythonScope, depth = 0): Called | Missing {
  const target = calleeOf(callee, scope, depth);
  if (isMissing(target)) return target;
  const resolved = args.map((argument) => argumentOf(argument, scope));
  const lost = resolved.find(isMissing);
  if (lost) return missing(`an argument of \`${brief(callee)}\`: ${lost.missing}`);
  const known = resolved.filter((each): each is Resolved => !isMissing(each));
  return {
    ...target,
    text: `${target.text}(${known.map((each) => each.text).join(', ')})`,
    from: [...target.from, ...known.flatMap((each) => each.from)],
  };
}

function argumentOf(node: Node, scope: PythonScope): Resolution {
  if (node.kind() !== 'keyword_argument') return scope.literal(node);
  const value = node.field('value');
  const resolved = value ? scope.literal(value) : missing('an argument has no value');
  return isMissing(resolved) ? resolved : { ...resolved, text: `${node.field('name')?.text()}=${resolved.text}` };
}

/** What is called: an imported function or class, a function of an imported module, or a method of what another call gives. */
function calleeOf(callee: Node, scope: PythonScope, depth: number): Called | Missing {
  if (callee.kind() === 'identifier') {
    const binding = scope.lookup(callee.text(), callee);
    if (binding.kind === 'opaque') return missing(binding.reason);
    if (binding.kind !== 'import' || binding.imported.name === null)
      return missing(`\`${callee.text()}\` is not imported from the program`);
    const { name, module } = binding.imported;
    return { text: name, callee: name, module, from: [] };
  }
  const object = callee.kind() === 'attribute' ? callee.field('object') : null;
  const method = callee.field('attribute')?.text();
  if (!object || !method) return missing(`\`${brief(callee)}\` is no name of a function`);
  const binding = object.kind() === 'identifier' ? scope.lookup(object.text(), object) : null;
  if (binding?.kind === 'import') {
    const { module, name } = binding.imported;
    return { text: method, callee: method, module: name === null ? module : `${module}.${name}`, from: [] };
  }
  const receiver = subjectOf(object, scope, depth + 1);
  return isMissing(receiver) ? receiver : { ...receiver, text: `${receiver.text}.${method}` };
}

/** Why the call may not give here what it gives by itself; null when nothing before it can matter. */
function disturbance(node: Node, test: PythonTest, scope: PythonScope, call: Called, root: Node): string | null {
  const body = parts(test.body);
  const site = body.find((statement) => within(node, statement));
  if (!site || !/^(?:expression_statement|assert_statement|with_statement)$/.test(String(site.kind())))
    return 'the assertion stands in a loop, a condition or a block of its own';
  if (site.kind() === 'with_statement' && site.id() !== node.id())
    return 'the assertion stands in a loop, a condition or a block of its own';
  const before = [
    ...parts(root).filter((statement) => !within(node, statement)),
    ...body.slice(
      0,
      body.findIndex((each) => each.id() === site.id()),
    ),
  ];
  const used = call.from.filter((part) => !within(part, node));
  const strangers = before.filter((statement) => !used.some((part) => within(part, statement)));
  for (const statement of before) {
    if (strangers.includes(statement)) {
      if (!isInert(statement, scope, call)) return `line ${linesOf(statement).first} may change what the call gives`;
    } else if (touchedAgain(statement, strangers))
      return `line ${linesOf(statement).first}: the value may be changed before it is used`;
  }
  return null;
}

function touchedAgain(statement: Node, others: readonly Node[]): boolean {
  const assignment = findKinds(statement, ['assignment'])[0];
  const name = assignment?.field('left')?.text();
  const fixed = /^(?:integer|float|string|true|false|none)$/.test(String(assignment?.field('right')?.kind()));
  if (!name || fixed) return false;
  return others.some(
    (other) =>
      !/^(?:function_definition|class_definition|decorated_definition)$/.test(String(other.kind())) &&
      findKinds(other, ['identifier']).some((each) => each.text() === name),
  );
}

function isInert(statement: Node, scope: PythonScope, call: Called): boolean {
  const kind = String(statement.kind());
  if (
    /^(?:import_statement|import_from_statement|future_import_statement|function_definition|class_definition|decorated_definition|pass_statement)$/.test(
      kind,
    )
  )
    return true;
  if (kind === 'if_statement') return /^if __name__\s*==/.test(statement.text());
  if (kind === 'assert_statement' || kind === 'with_statement') return isOtherAssertion(statement, scope, call);
  if (kind !== 'expression_statement') return false;
  const expression = parts(statement)[0];
  if (!expression || expression.kind() === 'string') return true;
  if (expression.kind() === 'assignment') return isInertValue(expression.field('right'), scope, call);
  if (/^(?:print|sys\.path\.(?:insert|append))\(/.test(expression.text())) return true;
  return isOtherAssertion(statement, scope, call);
}

function isOtherAssertion(statement: Node, scope: PythonScope, call: Called): boolean {
  const assertions = pythonAssertionsIn(statement);
  return (
    assertions.length === 1 &&
    !assertions.some(({ check }) => check.kind === 'other') &&
    !repeats(statement, scope, call)
  );
}

function isInertValue(value: Node | null, scope: PythonScope, call: Called): boolean {
  if (!value || !isMissing(scope.literal(value)) || value.kind() === 'lambda') return true;
  return (
    findKinds(value, ['call']).length === 0 || (!isMissing(subjectOf(value, scope)) && !repeats(value, scope, call))
  );
}

/** Calls with state show it by giving another answer to the same arguments, or by taking none. */
function repeats(node: Node, scope: PythonScope, call: Called): boolean {
  if (/\(\s*\)/.test(call.text)) return true;
  return findKinds(node, ['call']).some((each) => {
    const other = subjectOf(each, scope);
    return (
      !isMissing(other) && other.callee === call.callee && (other.text === call.text || /\(\s*\)/.test(other.text))
    );
  });
}
