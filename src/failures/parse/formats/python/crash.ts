/** A dying interpreter: the dump of faulthandler, from which the running test can be read. */
import type { Finding, Frame } from '../../../finding.ts';
import type { Block } from '../reading/block.ts';
import { excerptOf, finding } from '../reading/draft.ts';
import { frame, isForeign } from '../reading/frames.ts';

export interface Crash {
  /** What follows "Fatal Python error: ". */
  readonly reason: string;
  readonly block: Block;
}

const FRAME = /^\s*File "([^"]+)", line (\d+) in (\S.*)$/;
const INSTALLED = /^.*[\\/](?:site|dist)-packages[\\/]/;
const RUNNER = /[\\/](_pytest|unittest|nose|pytest)[\\/]/;

/** Frames of the thread that crashed, innermost first. */
function crashedStack(lines: readonly string[]): Frame[] {
  const from = lines.findIndex((line) => /^Current thread /.test(line));
  const frames: Frame[] = [];
  for (const line of lines.slice(from + 1)) {
    const match = FRAME.exec(line);
    if (match) frames.push(frame(match[1] ?? '', match[2], null, match[3]));
    else if (frames.length > 0) break;
  }
  return frames;
}

/** The frame of the test function: the nearest above the runner's own whose name or file says test. */
function testFrame(stack: readonly Frame[]): Frame | null {
  const runner = stack.findIndex((one) => RUNNER.test(one.file));
  const above = runner < 0 ? stack : stack.slice(0, runner);
  return (
    above.findLast(
      (one) => /^test/i.test(one.symbol ?? '') || /(?:^|[\\/])(?:test_[^\\/]*|[^\\/]*_test)\.py$/.test(one.file),
    ) ?? null
  );
}

/** Takes the prefix of an installed copy off a path, so that it reads as in the repository. */
function uninstalled(one: Frame): Frame {
  return { ...one, file: one.file.replace(INSTALLED, '') };
}

/** Reads the dump. It counts as a test's failure when a test function is on the stack. */
export function crashFinding(crash: Crash): Finding {
  const stack = crashedStack(crash.block.lines);
  const test = testFrame(stack);
  const place = test && uninstalled(test);
  const runner = stack.some((one) => /[\\/]_?pytest[\\/]/.test(one.file)) ? 'pytest' : 'python';
  const own = place ?? stack.find((one) => !isForeign(one.file)) ?? null;
  return finding({
    kind: place ? 'test' : 'diagnostic',
    runner,
    test: place ? `${place.file}::${place.symbol ?? ''}` : null,
    test_file: place?.file ?? null,
    failure_class: 'runtime_error',
    sub_class: 'crash',
    message: `Fatal Python error: ${crash.reason}`,
    location: own,
    stack: place ? stack.map(uninstalled) : stack,
    symbol: own?.symbol ?? null,
    excerpt: excerptOf(crash.block.lines),
    range: crash.block.range,
    confidence: 0.9,
  });
}
