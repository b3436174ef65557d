/** Runs the command line in this process, with streams of its own and a folder that is removed afterwards. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runCli } from '../../../src/interfaces/cli/program.ts';

interface World {
  /** What stdin gives; null: it is a terminal. */
  readonly stdin?: string | Uint8Array | null;
  readonly terminal?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with files, and the command line run in it. */
export class CliFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(files: Readonly<Record<string, string | Uint8Array>>): Promise<CliFolder> {
    const folder = new CliFolder(await mkdtemp(join(tmpdir(), 'inquest-cli-')));
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder.path, name)), { recursive: true });
      await writeFile(join(folder.path, name), content);
    }
    return folder;
  }

  async run(args: readonly string[], world: World = {}): Promise<CliResult> {
    const [stdout, stderr] = [new Sink(world.terminal ?? false), new Sink(world.terminal ?? false)];
    const code = await runCli(args, {
      stdin: Object.assign(Readable.from(world.stdin ? [Buffer.from(world.stdin)] : []), {
        isTTY: world.stdin === null,
      }),
      stdout,
      stderr,
      env: world.env ?? {},
      cwd: this.path,
      signal: new AbortController().signal,
    });
    return { code, out: stdout.text, err: stderr.text };
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}

class Sink extends Writable {
  readonly isTTY: boolean;
  text = '';

  constructor(isTTY: boolean) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
  }

  override _write(chunk: string | Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
