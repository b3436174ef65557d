/** Gathers the test cases of a JUnit report: the last outcome of each name in a suite counts. */
import type { Finding, Frame, LogRange } from '../../../finding.ts';
import type { ScanContext } from '../../format.ts';
import { finding } from '../reading/draft.ts';
import { frame } from '../reading/frames.ts';
import { readReportBody } from '../reading/report-body.ts';
import { fullName } from './name.ts';

/** One problem element of a case. */
export interface Problem {
  /** The element's name: failure, error, rerunFailure, flakyFailure, … */
  readonly element: string;
  readonly message: string;
  readonly type: string | null;
  readonly file: string | null;
  readonly line: string | null;
  text: string;
}

export interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly file: string | null;
  readonly line: string | null;
  readonly suites: readonly string[];
  readonly problems: Problem[];
  range: LogRange;
}

const MAX_PENDING = 20_000;

export class Cases {
  readonly #context: ScanContext;
  readonly #pending = new Map<string, Finding>();
  #failed = 0;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  /** Failing cases read so far, retries included. */
  get failed(): number {
    return this.#failed;
  }

  /** Takes a finished case. `suiteKey` tells suites of the same name apart. */
  add(one: TestCase, suiteKey: string, root: string): void {
    const key = `${suiteKey}\u0000${one.classname}\u0000${one.name}`;
    const problem = one.problems.find(({ element }) => element === 'failure' || element === 'error');
    if (!problem) {
      this.#pending.delete(key);
      return;
    }
    this.#failed++;
    const before = this.#pending.get(key);
    if (!before && this.#pending.size >= MAX_PENDING) return;
    const result = caseFinding(one, problem, root);
    const signals = before ? [...new Set([...result.flaky_signals, 'retried'])] : result.flaky_signals;
    this.#pending.set(key, { ...result, flaky_signals: signals, range: before?.range ?? result.range });
  }

  finish(): number {
    const results = [...this.#pending.values()];
    const parents = goParents(results);
    for (const result of results) if (!parents.has(result.test)) this.#context.emit(result);
    return results.length;
  }
}

const GO_RESULT = /^\s*--- FAIL: /m;

/** Go tests that failed only because a sub-test did: reports list both. */
function goParents(results: readonly Finding[]): ReadonlySet<string | null> {
  const ancestors = new Set<string>();
  for (const { test } of results) {
    for (let at = test?.lastIndexOf('/') ?? -1; at > 0; at = test?.lastIndexOf('/', at - 1) ?? -1) {
      ancestors.add(test?.slice(0, at) ?? '');
    }
  }
  const parents = results.filter(
    ({ test, excerpt }) => test !== null && ancestors.has(test) && GO_RESULT.test(excerpt),
  );
  return new Set(parents.map(({ test }) => test));
}

function caseFinding(one: TestCase, problem: Problem, root: string): Finding {
  const element = problem.element === 'error' ? 'error' : 'failure';
  const body = readReportBody({ message: problem.message, body: problem.text, type: problem.type, element });
  const attributed = problem.file ?? one.file;
  const retried =
    one.problems.some((other) => /^(?:rerun|flaky)/.test(other.element)) || /^\s*Retry #\d/m.test(problem.text);
  const others = one.problems.filter((other) => other !== problem && /^(?:failure|error)$/.test(other.element));
  const test = fullName({ ...one, root, type: problem.type });
  return finding({
    ...body,
    kind: 'test',
    runner: 'junit-xml',
    test,
    test_file: attributed,
    location: fuller(body.location, attributed) ?? declared(problem.file, problem.line) ?? declared(one.file, one.line),
    message: body.message || `${test} failed`,
    excerpt: [body.excerpt, ...others.map((other) => other.message)].filter((text) => text !== '').join('\n'),
    range: one.range,
    confidence: body.message === '' ? 0.7 : 0.95,
    flaky_signals: retried ? ['retried'] : [],
  });
}

/** The attributes often give the declaration: taken only when the text says nothing better. */
function declared(file: string | null, line: string | null): Frame | null {
  return file && line && /^\d{1,9}$/.test(line) && Number(line) > 0 ? frame(file, line) : null;
}

/** The attribute's path where the text shows only the end of it. */
function fuller(location: Frame | null, attributed: string | null): Frame | null {
  return location && attributed?.endsWith(`/${location.file}`) ? { ...location, file: attributed } : location;
}
