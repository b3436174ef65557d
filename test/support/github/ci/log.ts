/** A job's log as GitHub Actions dresses it: a time on each line, groups, commands of the workflow turned into marks. */
import type { Annotation } from '../model.ts';

/** Bytes of one job's log; what is over is dropped, and said. */
const LARGEST = 16 * 1024 * 1024;

export class JobLog {
  readonly annotations: Annotation[] = [];
  readonly #now: () => number;
  readonly #lines: string[] = [];
  #stepStart = 0;
  #size = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** One line, with the time in front: seven digits after the point, as .NET writes it. */
  line(text: string): void {
    if (this.#size > LARGEST) return;
    const stamped = `${new Date(this.#now()).toISOString().slice(0, -1)}${this.#ticks()}Z ${text}`;
    this.#size += stamped.length;
    this.#lines.push(this.#size > LARGEST ? `${stamped.slice(0, 29)}##[warning]The log is too large.` : stamped);
  }

  group(title: string, lines: readonly string[]): void {
    this.line(`##[group]${title}`);
    for (const one of lines) this.line(one);
    this.line('##[endgroup]');
  }

  /** A line of a program: `::error::` and its kin become marks and annotations. */
  output(text: string): void {
    const command = /^::([a-z-]+)(?: ([^:]{0,1000}))?::(.{0,65000})$/.exec(text);
    if (!command) {
      this.line(text);
      return;
    }
    const [, name = '', properties = '', message = ''] = command;
    const mark = MARKS[name];
    if (mark !== undefined) this.line(mark + decoded(message));
    const level = LEVELS[name];
    if (level !== undefined) this.annotations.push(annotationOf(level, properties, decoded(message)));
  }

  /** An error of the runner itself: marked in the log, and an annotation that points at it. */
  error(message: string): void {
    this.line(`##[error]${message}`);
    const at = this.#lines.length - this.#stepStart;
    this.annotations.push({ ...BLANK, path: '.github', start_line: at, end_line: at, message });
  }

  /** The lines since the last call: one step's part. */
  endStep(): string {
    const part = this.#lines.slice(this.#stepStart);
    this.#stepStart = this.#lines.length;
    return part.map((line) => `${line}\n`).join('');
  }

  /** The whole log; it begins with a byte order mark, as GitHub's do. */
  bytes(): Uint8Array {
    return Buffer.from(`\ufeff${this.#lines.map((line) => `${line}\n`).join('')}`);
  }

  /** The four digits below the millisecond: they only ever grow from line to line. */
  #ticks(): string {
    return String(this.#lines.length % 10_000).padStart(4, '0');
  }
}

const MARKS: Readonly<Record<string, string>> = {
  group: '##[group]',
  endgroup: '##[endgroup]',
  error: '##[error]',
  warning: '##[warning]',
  notice: '##[notice]',
};

const LEVELS: Readonly<Record<string, Annotation['annotation_level']>> = {
  error: 'failure',
  warning: 'warning',
  notice: 'notice',
};

/** As the runner annotates a job that no line of a file explains. */
export const BLANK: Annotation = {
  path: '.github',
  start_line: 1,
  end_line: 1,
  start_column: null,
  end_column: null,
  annotation_level: 'failure',
  title: null,
  message: '',
  raw_details: null,
};

function annotationOf(level: Annotation['annotation_level'], properties: string, message: string): Annotation {
  const values = new Map(
    properties.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1)]),
  );
  const start = Number(values.get('line')) || 1;
  return {
    ...BLANK,
    path: values.get('file') ?? '.github',
    start_line: start,
    end_line: Number(values.get('endLine')) || start,
    annotation_level: level,
    title: values.has('title') ? decoded(values.get('title') ?? '') : null,
    message,
  };
}

function decoded(text: string): string {
  return text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');
}
