/** Check-run annotations as GitHub's REST API returns them: a JSON array. */
import { z } from 'zod';
import type { LogRange } from '../../finding.ts';
import type { DocumentFormat, DocumentReader, ScanContext } from '../format.ts';
import { causeOf } from './job/causes.ts';
import { bytesOf } from './reading/bytes.ts';
import { finding } from './reading/draft.ts';
import { readReportBody } from './reading/report-body.ts';

const MAX_CHARS = 32 * 1024 * 1024;

const annotation = z.object({
  path: z.string(),
  start_line: z.number().int().nullish(),
  start_column: z.number().int().nullish(),
  annotation_level: z.string().nullish(),
  message: z.string().nullish(),
  title: z.string().nullish(),
  raw_details: z.string().nullish(),
});

type Annotation = z.infer<typeof annotation>;

const EXIT = /^Process completed with exit code/;

class AnnotationsReader implements DocumentReader {
  readonly #context: ScanContext;
  #text = '';
  #bytes = 0;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  write(chunk: string, start: number): void {
    this.#bytes = start + bytesOf(chunk);
    if (this.#text.length <= MAX_CHARS) this.#text += chunk;
  }

  end(): void {
    for (const one of this.#rows()) {
      const parsed = annotation.safeParse(one);
      if (!parsed.success) this.#damaged('An annotation without a path');
      else if (parsed.data.annotation_level === 'failure') this.#failure(parsed.data);
    }
  }

  #rows(): readonly unknown[] {
    try {
      const value: unknown = JSON.parse(this.#text);
      if (Array.isArray(value)) return value;
      this.#damaged('The annotations are not a JSON array');
    } catch {
      this.#damaged('The annotations are not valid JSON');
    }
    return [];
  }

  #damaged(what: string): void {
    this.#context.damage({ what, line: null, byte: null });
  }

  #failure(one: Annotation): void {
    const message = one.message ?? one.title ?? '';
    const range = { start_line: 1, end_line: 1, start_byte: 0, end_byte: this.#bytes };
    const placed = one.path !== '.github' && one.path !== '' && (one.start_line ?? 0) > 0;
    if (placed) this.#place(one, message, range);
    else this.#job(one, message, range);
  }

  #place(one: Annotation, message: string, range: LogRange): void {
    const body = readReportBody({ message, body: one.raw_details ?? '', type: null, element: 'failure' });
    const compiled = /\berror TS\d|\b(?:syntax error|SyntaxError)\b|^error\[E\d/.test(message);
    this.#context.emit(
      finding({
        ...body,
        kind: 'diagnostic',
        runner: 'annotations',
        failure_class: compiled ? 'compile_error' : body.failure_class,
        message: body.message || message,
        location: { file: one.path, line: one.start_line ?? null, column: one.start_column ?? null, symbol: null },
        symbol: body.symbol ?? one.title ?? null,
        excerpt: [one.title, message].filter((text) => text).join('\n'),
        range,
        confidence: 0.55,
      }),
    );
  }

  /** An annotation on no real file: the job speaks. */
  #job(one: Annotation, message: string, range: LogRange): void {
    const cause = causeOf(message);
    this.#context.emit(
      finding({
        kind: 'job',
        runner: 'annotations',
        failure_class: cause?.failure_class ?? 'unknown',
        sub_class: cause?.sub_class ?? null,
        message,
        excerpt: [one.title, message].filter((text) => text).join('\n'),
        range,
        confidence: cause ? 0.45 : EXIT.test(message) ? 0.2 : 0.3,
      }),
    );
  }
}

export const annotations: DocumentFormat = {
  id: 'annotations',
  recognises: (head) => /^\s*\[/.test(head) && head.includes('"annotation_level"') && head.includes('"path"'),
  open: (context) => new AnnotationsReader(context),
};
