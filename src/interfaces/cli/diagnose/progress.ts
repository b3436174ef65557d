/** One line of progress on stderr while something large is read; only on a terminal, and gone at the end. */
import { print, type Shell } from '../shell.ts';
import { visibleLine } from '../visible.ts';

export interface Progress {
  begin(what: string): void;
  advance(bytes: number): void;
  /** For work that has no measure. */
  say(what: string): void;
  end(): void;
}

/** Input of fewer bytes is read before anyone wonders. */
const STEP_BYTES = 16 * 1024 * 1024;

export function createProgress(shell: Shell): Progress {
  if (shell.stderr.isTTY !== true) return { begin() {}, advance() {}, say() {}, end() {} };
  let what = '';
  let bytes = 0;
  let shown = 0;
  const draw = (text: string) => void print(shell.stderr, `\r\u001b[K${text}`);
  return {
    begin(name) {
      what = visibleLine(name);
      bytes = 0;
      shown = 0;
    },
    advance(more) {
      bytes += more;
      if (bytes - shown < STEP_BYTES) return;
      shown = bytes;
      draw(`reading ${what} … ${Math.round(bytes / 1024 ** 2)} MiB`);
    },
    say(text) {
      shown = 1;
      draw(`${text} …`);
    },
    end() {
      if (shown > 0) draw('');
      shown = 0;
    },
  };
}
