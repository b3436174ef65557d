/** CTRF reports (Common Test Report Format, JSON): https://ctrf.io/docs/specification. */
import { z } from 'zod';
import type { DocumentFormat, DocumentReader, ScanContext } from '../format.ts';
import { bytesOf } from './reading/bytes.ts';
import { finding } from './reading/draft.ts';
import { readReportBody } from './reading/report-body.ts';

/** A larger report is not read into memory. */
const MAX_CHARS = 64 * 1024 * 1024;

const test = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  trace: z.string().nullish(),
  snippet: z.string().nullish(),
  line: z.number().int().positive().nullish().catch(null),
  suite: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  filePath: z.string().nullish().catch(null),
  retries: z.number().nullish().catch(null),
  flaky: z.boolean().nullish().catch(null),
});

const report = z.object({
  results: z.object({
    tool: z.object({ name: z.string() }).nullish().catch(null),
    tests: z.array(z.unknown()),
  }),
});

type CtrfTest = z.infer<typeof test>;

function fullName(one: CtrfTest): string {
  const suites = typeof one.suite === 'string' ? [one.suite] : (one.suite ?? []);
  const path = suites.filter((suite) => suite !== '' && suite !== one.filePath).join(' > ');
  return path === '' || one.name.startsWith(path) ? one.name : `${path} > ${one.name}`;
}

class CtrfReader implements DocumentReader {
  readonly #context: ScanContext;
  #chunks: string[] = [];
  #chars = 0;
  #bytes = 0;
  #tooLarge = false;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  write(chunk: string, start: number): void {
    this.#chars += chunk.length;
    this.#bytes = start + bytesOf(chunk);
    if (this.#chars > MAX_CHARS) {
      this.#tooLarge = true;
      this.#chunks = [];
    } else this.#chunks.push(chunk);
  }

  end(): void {
    const parsed = this.#tooLarge ? null : this.#parsed();
    if (this.#tooLarge) this.#damaged(`A CTRF report of more than ${MAX_CHARS} characters is not read`);
    if (!parsed) return;
    let failed = 0;
    for (const one of parsed.results.tests) if (this.#test(one, parsed.results.tool?.name ?? 'ctrf')) failed++;
    this.#context.summary(failed > 0 ? 'failed' : 'passed');
  }

  #parsed(): z.infer<typeof report> | null {
    try {
      const parsed = report.safeParse(JSON.parse(this.#chunks.join('')));
      if (parsed.success) return parsed.data;
      this.#damaged('No `results.tests` as CTRF has it');
    } catch (cause) {
      this.#damaged(`Not valid JSON: ${cause instanceof Error ? cause.message : 'unreadable'}`);
    }
    return null;
  }

  #damaged(what: string): void {
    this.#context.damage({ what, line: null, byte: null });
  }

  #test(value: unknown, tool: string): boolean {
    const parsed = test.safeParse(value);
    if (!parsed.success) {
      this.#damaged('A test without name or status');
      return false;
    }
    const one = parsed.data;
    if (one.status !== 'failed') return false;
    const body = readReportBody({ message: one.message ?? '', body: one.trace ?? '', type: null, element: 'failure' });
    const declared =
      one.filePath && one.line ? { file: one.filePath, line: one.line, column: null, symbol: null } : null;
    this.#context.emit(
      finding({
        ...body,
        kind: 'test',
        runner: 'ctrf',
        test: fullName(one),
        test_file: one.filePath ?? null,
        location: body.location ?? declared,
        message: body.message || `${tool}: ${one.name} failed`,
        range: { start_line: 1, end_line: 1, start_byte: 0, end_byte: this.#bytes },
        confidence: 0.95,
        flaky_signals: one.flaky || (one.retries ?? 0) > 0 ? ['retried'] : [],
      }),
    );
    return true;
  }
}

export const ctrf: DocumentFormat = {
  id: 'ctrf',
  recognises: (head) =>
    /^\s*\{/.test(head) && (/"reportFormat"\s*:\s*"CTRF"/.test(head) || /"results"\s*:\s*\{\s*"tool"\s*:/.test(head)),
  open: (context) => new CtrfReader(context),
};
