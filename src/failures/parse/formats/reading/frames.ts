/** Stack frames in text, whatever the language that printed them. Every pattern is linear on a clipped line. */
import type { Frame } from '../../../finding.ts';

const PATH = String.raw`((?:[A-Za-z]:[\\/])?[^\s:()"'<>|]+\.[A-Za-z][A-Za-z0-9]{0,4})`;

/** Reads one line as a frame, or null. */
type FramePattern = (line: string) => Frame | null;

/** Builds a frame; numbers come as text. */
export function frame(file: string, line?: string | null, column?: string | null, symbol?: string | null): Frame {
  return {
    file,
    line: line ? Number(line) : null,
    column: column ? Number(column) : null,
    symbol: symbol && symbol !== '' ? symbol : null,
  };
}

const PYTHON = /^\s*File "([^"]+)", line (\d+)(?:,? in (\S.*))?$/;
const AT = /^\s*at (\S.*)$/;
const JAVA = /^(?:[\w.-]+\/{1,2})?([\w.$<>]+)\.([\w$<>]+)\(([\w$.-]+\.(?:java|kt|kts|scala|groovy|clj)):(\d+)\)/;
const DOTNET = /^(.+?) in (\S.*):line (\d+)$/;
const PLACE = /^(?:file:\/\/)?(.+?):(\d+)(?::(\d+))?$/;
const GO = /^\s+(\/\S+\.go|[A-Za-z]:\S+\.go|\S+\.go):(\d+)(?: \+0x[0-9a-f]+)?$/;
const RUBY_PHP = new RegExp(String.raw`^\s*(?:#\d+ )?(?:from )?${PATH}:(\d+)(?::in [\x60'](.+)')?$`);
const WTR = /^\s*(\S*)@(\S+?):(\d+):(\d+)$/;

/** `java.lang.Foo$Bar` in `Foo.java` lies in `java/lang/Foo.java`. */
function javaFile(owner: string, base: string): string {
  const parts = owner.split('.').slice(0, -1);
  return [...parts, base].join('/');
}

function atFrame(rest: string): Frame | null {
  const java = JAVA.exec(rest);
  if (java) return frame(javaFile(java[1] ?? '', java[3] ?? ''), java[4], null, `${java[1]}.${java[2]}`);
  const net = DOTNET.exec(rest);
  if (net) return frame(net[2] ?? '', net[3], null, net[1]);
  const open = rest.endsWith(')') ? rest.lastIndexOf('(') : -1;
  const place = PLACE.exec(open >= 0 ? rest.slice(open + 1, -1) : rest);
  if (!place || /^(?:native|<anonymous>)/.test(place[1] ?? '')) return null;
  const symbol =
    open > 0
      ? rest
          .slice(0, open)
          .trim()
          .replace(/^async /, '')
      : null;
  return frame(place[1] ?? '', place[2], place[3], symbol);
}

const PATTERNS: readonly FramePattern[] = [
  (line) => {
    const match = PYTHON.exec(line);
    return match && frame(match[1] ?? '', match[2], null, match[3]);
  },
  (line) => {
    const match = AT.exec(line);
    return match && atFrame((match[1] ?? '').trimEnd());
  },
  (line) => {
    const match = GO.exec(line);
    return match && frame(match[1] ?? '', match[2]);
  },
  (line) => {
    const match = RUBY_PHP.exec(line);
    return match && frame(match[1] ?? '', match[2], null, match[3]);
  },
  (line) => {
    const match = line.includes('@') ? WTR.exec(line) : null;
    return match && frame(match[2] ?? '', match[3], match[4], match[1]);
  },
];

/** Reads one line as a stack frame of any known language. */
export function readFrame(line: string): Frame | null {
  for (const pattern of PATTERNS) {
    const found = pattern(line);
    if (found) return found;
  }
  return null;
}

/** All frames of a text, innermost first (Python's usual order is turned round). */
export function readStack(lines: readonly string[]): Frame[] {
  const frames: Frame[] = [];
  const python: Frame[] = [];
  for (const line of lines) {
    const found = readFrame(line);
    if (!found) continue;
    if (PYTHON.test(line)) python.push(found);
    else frames.push(found);
  }
  return [...python.reverse(), ...frames];
}

const FOREIGN: readonly RegExp[] = [
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\(NODE_MODULES\))[\\/]/,
  /[\\/]\.cargo[\\/](?:registry|git)[\\/]|^\/rustc\/|[\\/]rustlib[\\/]|^library\/(?:core|std|alloc|test)\//,
  /[\\/]lib[\\/]python\d|[\\/]Lib[\\/](?:unittest|importlib|asyncio|concurrent)[\\/]|^<frozen |^<string>/,
  /^node:|^internal\/|[\\/]externals[\\/]node/,
  /[\\/]pkg[\\/]mod[\\/]|[\\/]go[\d.rc]*[\\/](?:[^\\/]+[\\/])?src[\\/]|^(?:_testmain|testing)\.go$|[\\/]go\/src\/(?:testing|runtime)\//,
  /^(?:java|javax|sun|jdk|kotlin|scala|groovy)\//,
  /^com\/(?:sun|google\/common\/truth)\//,
  /^org\/(?:junit|testng|hamcrest|assertj|gradle|mockito|opentest4j|codehaus|spockframework|apache\/maven)\//,
  /^\/usr\/(?:lib|include)\//,
];

/** True for a file that is not the project's own (dependencies, standard libraries, test runners). */
export function isForeign(file: string): boolean {
  return FOREIGN.some((pattern) => pattern.test(file));
}

/** The innermost frame in the project's own code, or null. */
export function ownFrame(stack: readonly Frame[]): Frame | null {
  return stack.find((candidate) => candidate.line !== null && !isForeign(candidate.file)) ?? null;
}
