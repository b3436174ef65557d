/** JUnit XML in all its dialects, read as a stream: document types and entities are never resolved, damage is reported. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { DocumentFormat, DocumentReader, ScanContext } from '../format.ts';
import { Cases, type Problem, type TestCase } from './junit/cases.ts';
import { TextLimit } from './junit/text-limit.ts';
import { bytesOf } from './reading/bytes.ts';
import { finding } from './reading/draft.ts';

const PROBLEMS = new Set(['failure', 'error', 'rerunFailure', 'rerunError', 'flakyFailure', 'flakyError']);
const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#x[\da-fA-F]{1,6}|[A-Za-z_][\w.-]{0,31});)/g;
const MAX_DAMAGE = 20;
/** A document with more errors is given up: what follows would be guesses, and each error costs time. */
const MAX_ERRORS = 5000;
const GIVEN_UP = new Error('Too many errors in one document');
const MAX_TEXT = 64 * 1024;
const MAX_DEPTH = 100;
const MAX_PROBLEMS = 50;

interface Suite {
  readonly name: string;
  readonly file: string | null;
  readonly key: string;
  /** Failures and errors that the suite's attributes announce, and those that were read in it. */
  readonly announced: number;
  readonly before: number;
}

interface Place {
  readonly line: number;
  readonly byte: number;
}

function count(value: string | undefined): number {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : 0;
}

class JunitReader implements DocumentReader {
  readonly #context: ScanContext;
  readonly #parser = new SaxesParser();
  readonly #limit = new TextLimit();
  readonly #cases: Cases;
  #suites: Suite[] = [];
  #suiteCount = 0;
  #root = '';
  #depth = 0;
  #case: TestCase | null = null;
  #problem: Problem | null = null;
  #damages = 0;
  #missing = 0;
  #seenSuite = false;
  #empty = true;
  // Where the piece being parsed stands: bytes of the input, and the parser's own position there.
  #pieceByte = 0;
  #pieceStart = 0;
  #piece = '';
  #fed = 0;
  #counted = 0;
  #countedBytes = 0;
  #newlines = 0;
  /** The end of the document, once the parser has forgotten it. */
  #ended: Place | null = null;
  #opened: Place = { line: 1, byte: 0 };

  constructor(context: ScanContext) {
    this.#context = context;
    this.#cases = new Cases(context);
    this.#parser.on('error', (error) => {
      this.#damaged(error.message.replace(/^\d+:\d+: /, ''));
      if (this.#damages > MAX_ERRORS) throw GIVEN_UP;
    });
    this.#parser.on('opentag', (tag) => this.#open(tag));
    this.#parser.on('closetag', (tag) => this.#close(tag));
    this.#parser.on('text', (text) => this.#text(text));
    this.#parser.on('cdata', (text) => this.#text(text));
  }

  write(chunk: string, start: number): void {
    if (chunk.trim() !== '') this.#empty = false;
    let byte = start;
    let at = 0;
    for (const piece of this.#limit.pieces(chunk)) {
      if (piece.at > at) byte += bytesOf(chunk.slice(at, piece.at));
      else if (piece.at < 0) byte = start + piece.at;
      this.#newlines += newlinesIn(chunk.slice(at, Math.max(at, piece.at)));
      if (piece.markup && piece.text.includes('&')) this.#feedEntities(piece.text, byte);
      else this.#feed(piece.text, byte);
      byte += bytesOf(piece.text);
      at = Math.max(0, piece.at + piece.text.length);
    }
    this.#newlines += newlinesIn(chunk.slice(at)) - newlinesIn(this.#limit.rest());
  }

  end(): void {
    this.#feedEntities(this.#limit.rest(), this.#pieceByte + bytesOf(this.#piece));
    if (this.#empty) this.#damaged('The file is empty');
    const open = this.#depth > 0;
    if (open) this.#damaged('The document is cut: elements are still open at its end');
    while (this.#suites.length > 0) this.#endSuite();
    this.#ended = this.#place();
    if (!this.#empty && !open) this.#parser.close();
    if (this.#damages > MAX_ERRORS)
      this.#context.damage({ what: `Given up after ${MAX_ERRORS} errors`, ...this.#ended });
    if (this.#limit.cuts > 0) this.#damaged(`${this.#limit.cuts} very long texts were cut`);
    this.#finish();
  }

  /** Gives the parser a text; `source` is what stands for it in the document. */
  #feed(text: string, byte: number, source: string = text): void {
    if (text === '') return;
    this.#pieceByte = byte;
    this.#pieceStart += this.#fed;
    this.#fed = text.length;
    this.#piece = source;
    this.#counted = 0;
    this.#countedBytes = 0;
    if (this.#damages <= MAX_ERRORS) this.#write(text);
  }

  #write(text: string): void {
    try {
      this.#parser.write(text);
    } catch (thrown) {
      if (thrown !== GIVEN_UP) throw thrown;
    }
  }

  /** A bare `&` would make the parser look for its `;` through the rest of the document. */
  #feedEntities(text: string, byte: number): void {
    let from = 0;
    let at = byte;
    for (const match of text.matchAll(BARE_AMPERSAND)) {
      const before = text.slice(from, match.index);
      this.#feed(before, at);
      at += bytesOf(before);
      this.#damaged('A bare & that begins no entity');
      this.#feed('&amp;', at, '&');
      at += 1;
      from = match.index + 1;
    }
    this.#feed(text.slice(from), at);
  }

  /** Where the parser stands. It only moves forward, so the bytes of a piece are counted once. */
  #place(): Place {
    if (this.#ended) return this.#ended;
    const within = Math.max(this.#counted, Math.min(this.#piece.length, this.#parser.position - this.#pieceStart));
    this.#countedBytes += bytesOf(this.#piece.slice(this.#counted, within));
    this.#counted = within;
    return { line: this.#parser.line + Math.max(0, this.#newlines), byte: this.#pieceByte + this.#countedBytes };
  }

  #damaged(what: string): void {
    this.#damages++;
    if (this.#damages > MAX_DAMAGE) return;
    this.#context.damage({
      what: this.#damages === MAX_DAMAGE ? `${what} (further damage is not listed)` : what,
      ...this.#place(),
    });
  }

  #open(tag: SaxesTagPlain): void {
    if (++this.#depth > MAX_DEPTH) return;
    const { attributes, name } = tag;
    if (name === 'testsuites') {
      this.#seenSuite = true;
      this.#root = attributes.name ?? '';
    } else if (name === 'testsuite') this.#openSuite(attributes);
    else if (name === 'testcase') this.#openCase(attributes);
    else if (PROBLEMS.has(name)) this.#openProblem(name, attributes);
    else if (name === 'property' && /^(?:test\.fileName|file)$/.test(attributes.name ?? ''))
      this.#suiteFile(attributes.value);
  }

  #openSuite(attributes: Record<string, string>): void {
    this.#seenSuite = true;
    this.#suiteCount++;
    this.#suites.push({
      name: attributes.name ?? '',
      file: attributes.file ?? attributes.filepath ?? null,
      key: `${this.#suiteCount}`,
      announced: count(attributes.failures) + count(attributes.errors),
      before: this.#cases.failed,
    });
  }

  #suiteFile(file: string | undefined): void {
    const suite = this.#suites.at(-1);
    if (suite && file && !this.#case) this.#suites[this.#suites.length - 1] = { ...suite, file };
  }

  #openCase(attributes: Record<string, string>): void {
    this.#opened = this.#place();
    const suite = this.#suites.at(-1);
    this.#case = {
      name: attributes.name ?? '',
      classname: classOf(attributes),
      file: attributes.file ?? attributes.filename ?? suite?.file ?? null,
      line: attributes.line ?? attributes.lineno ?? null,
      suites: this.#suites.map(({ name }) => name).filter((name) => name !== ''),
      problems: [],
      range: {
        start_line: this.#opened.line,
        end_line: this.#opened.line,
        start_byte: this.#opened.byte,
        end_byte: this.#opened.byte,
      },
    };
  }

  #openProblem(element: string, attributes: Record<string, string>): void {
    if (!this.#case) {
      const suite = this.#suites.at(-1);
      if (!suite) return;
      // A suite that failed as a whole: it stands for its test.
      this.#openCase({ name: suite.name, ...(suite.file ? { file: suite.file } : {}) });
    }
    const problem: Problem = {
      element,
      message: attributes.message ?? '',
      type: attributes.type ?? null,
      file: attributes.file ?? null,
      line: attributes.line ?? null,
      text: '',
    };
    this.#problem = problem;
    if (this.#case && this.#case.problems.length < MAX_PROBLEMS) this.#case.problems.push(problem);
  }

  #text(text: string): void {
    const problem = this.#problem;
    if (problem && problem.text.length < MAX_TEXT) problem.text += text.slice(0, MAX_TEXT - problem.text.length);
  }

  #close(tag: SaxesTagPlain): void {
    this.#depth--;
    if (PROBLEMS.has(tag.name)) this.#problem = null;
    else if (tag.name === 'testcase') this.#endCase();
    else if (tag.name === 'testsuite') this.#endSuite();
  }

  #endCase(): void {
    const one = this.#case;
    const suite = this.#suites.at(-1);
    this.#case = null;
    this.#problem = null;
    if (!one) return;
    const end = this.#place();
    one.range = { ...one.range, end_line: end.line, end_byte: end.byte };
    this.#cases.add(one, suite?.key ?? '', this.#root);
  }

  #endSuite(): void {
    if (this.#case && this.#case.problems.length > 0) this.#endCase();
    const suite = this.#suites.pop();
    if (!suite || suite.announced === 0 || this.#cases.failed > suite.before) return;
    this.#missing = Math.max(this.#missing, suite.announced);
    this.#damaged(
      `The suite "${suite.name}" announces ${suite.announced} failures, but none of its test cases that were read failed`,
    );
  }

  #finish(): void {
    const failed = this.#cases.finish();
    if (failed > 0) this.#context.summary('failed');
    else if (this.#missing > 0)
      this.#unknown(`The report announces ${this.#missing} failed tests that could not be read`);
    else if (!this.#seenSuite && this.#damages > 0)
      this.#unknown('The report could not be read: it is damaged or no JUnit report');
    else if (this.#seenSuite && this.#damages === 0) this.#context.summary('passed');
  }

  #unknown(message: string): void {
    const { line, byte } = this.#place();
    this.#context.emit(
      finding({
        kind: 'job',
        runner: 'junit-xml',
        failure_class: 'unknown',
        message,
        range: { start_line: 1, end_line: line, start_byte: 0, end_byte: byte },
        confidence: 0.6,
      }),
    );
  }
}

/** PHPUnit writes its class with dots into `classname`, and as it is into `class`. */
function classOf(attributes: Record<string, string>): string {
  if (attributes.class?.includes('\\')) return attributes.class;
  return attributes.classname ?? attributes.class ?? '';
}

function newlinesIn(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found++;
  return found;
}

const OTHER_REPORT =
  /<(?:TestRun|assemblies|test-run|coverage|checkstyle|html|svg|project|plist|pmd|FindBugs|BugCollection|cobertura)\b/i;

export const junitXml: DocumentFormat = {
  id: 'junit-xml',
  recognises: (head, name) => {
    if (/<testsuites?\b/.test(head) && /^\s*</.test(head)) return true;
    return /\.xml$/i.test(name) && (head.trim() === '' || (/^\s*</.test(head) && !OTHER_REPORT.test(head)));
  },
  open: (context) => new JunitReader(context),
};
