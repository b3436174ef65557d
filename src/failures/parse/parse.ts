/** The entrance of the parsers: bytes of one CI output in, findings out. */
import type { ParseResult } from '../finding.ts';
import { Collector } from './collect.ts';
import { DOCUMENT_FORMATS, LINE_FORMATS } from './registry.ts';
import { LineScanner, planLineScan } from './scan.ts';
import { DocumentScanner, HEAD_BYTES, recogniseDocument } from './scan-document.ts';

/**
 * Reads one input to its end. Memory does not grow with its size; the result does not depend on how it is cut into chunks, and
 * a chunk may be reused by its owner as soon as the next one is asked for.
 * @param name what the input is called (a file or artifact name); it helps to recognise report files.
 */
export async function parseInput(
  name: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<ParseResult> {
  const parser = new InputParser(name);
  for await (const chunk of chunks) parser.write(chunk);
  return parser.end();
}

/** `parseInput` for bytes already in memory. */
export function parseBytes(name: string, bytes: Uint8Array): ParseResult {
  const parser = new InputParser(name);
  parser.write(bytes);
  return parser.end();
}

const PLAN = planLineScan(LINE_FORMATS);

/** Collects the head of the input, decides between report file and log, then passes the bytes on. */
class InputParser {
  private readonly name: string;
  private readonly collector = new Collector();
  private readonly head = Buffer.alloc(HEAD_BYTES);
  private headLength = 0;
  private scanner: LineScanner | DocumentScanner | null = null;

  constructor(name: string) {
    this.name = name;
  }

  write(chunk: Uint8Array): void {
    if (this.scanner !== null) {
      this.scanner.write(chunk);
      return;
    }
    const taken = Math.min(chunk.length, HEAD_BYTES - this.headLength);
    this.head.set(chunk.subarray(0, taken), this.headLength);
    this.headLength += taken;
    if (this.headLength < HEAD_BYTES) return;
    this.start().write(chunk.subarray(taken));
  }

  end(): ParseResult {
    const scanner = this.scanner ?? this.start();
    scanner.end();
    return this.collector.result(scanner.lines, scanner.bytes);
  }

  private start(): LineScanner | DocumentScanner {
    const head = this.head.subarray(0, this.headLength);
    const format = recogniseDocument(DOCUMENT_FORMATS, head, this.name);
    this.scanner =
      format === null ? new LineScanner(PLAN, this.collector) : new DocumentScanner(format, this.collector);
    this.scanner.write(head);
    return this.scanner;
  }
}
