/** Debug tools over a small real project in a temporary folder: files are read, tests are run by their own runners. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBuiltinDebugger } from '../../../src/agents/builtin/debugger.ts';
import { matchesAny } from '../../../src/config/glob.ts';
import { defaultRepositoryConfig } from '../../../src/config/repository.ts';
import { packetsOf } from '../../../src/failures/normalise.ts';
import type { FailurePacket } from '../../../src/failures/packet.ts';
import { parseBytes } from '../../../src/failures/parse/parse.ts';
import type { Claim } from '../../../src/pipeline/claim.ts';
import { type CheckedClaim, checkClaim } from '../../../src/pipeline/claim-check.ts';
import { clausesOf } from '../../../src/pipeline/clauses/clauses.ts';
import { renderValidate } from '../../../src/pipeline/clauses/validate-document.ts';
import type { DebugTools, EvidenceText, Rerun } from '../../../src/ports/agent.ts';

const JEST = fileURLToPath(new URL('../../../node_modules/jest/bin/jest.js', import.meta.url));

export type Runner = 'node-spec' | 'node-tap' | 'jest' | 'unittest' | 'pytest';

export interface Project {
  readonly runner: Runner;
  readonly files: Readonly<Record<string, string>>;
  readonly spec: string;
  /** Name of the spec source; default `SPEC.md`. */
  readonly source?: string;
  /** Another place for the test file of node's own runner, with the globs that `paths.tests` then has. */
  readonly tests?: { readonly file: string; readonly globs: readonly string[] };
  /** Really run every attempt alone; otherwise the first run, of a project with one failing test, stands for all. */
  readonly everyAttempt?: true;
}

export interface Judged {
  readonly claims: readonly Claim[];
  readonly checked: readonly CheckedClaim[];
  readonly failures: readonly FailurePacket[];
  readonly output: string;
}

interface Ended {
  readonly output: string;
  readonly code: number;
}

/** Writes the project, runs its tests once, and lets the builtin debugger judge what failed. */
export async function judgeProject(project: Project): Promise<Judged> {
  const root = await mkdtemp(join(tmpdir(), 'judge-'));
  try {
    for (const [path, text] of Object.entries(project.files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    const whole = await run(root, project, null);
    const failures = packets(root, 'job.log', whole.output);
    const clauses = clausesOf([{ name: project.source ?? 'SPEC.md', text: project.spec }]);
    const shown = new Map<string, EvidenceText>();
    const document = renderValidate({ sources: [{ name: 'SPEC.md' }], clauses, notes: [] });
    const tools = toolsOver(root, project, document, shown, whole);
    const globs = project.tests?.globs ?? defaultRepositoryConfig().paths.tests;
    const isTestFile = (path: string) => matchesAny(path, globs);
    const { claims } = await createBuiltinDebugger().act(
      { state: 'debug', failures, attempts: 3, isTestFile },
      tools,
      new AbortController().signal,
    );
    const checked = claims.map((claim) => checkClaim(claim, shown, clauses, isTestFile));
    return { claims, checked, failures, output: whole.output };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function toolsOver(
  root: string,
  project: Project,
  document: string,
  shown: Map<string, EvidenceText>,
  whole: Ended,
): DebugTools {
  function show(text: Omit<EvidenceText, 'evidence_id'>): EvidenceText {
    const hash = createHash('sha256')
      .update(JSON.stringify([text.kind, text.label, text.attempt, text.text]))
      .digest('hex');
    const evidence = { ...text, evidence_id: `ev_${hash.slice(0, 16)}` };
    shown.set(evidence.evidence_id, evidence);
    return evidence;
  }
  async function attempt(packet: FailurePacket, number: number): Promise<Rerun> {
    const ended = project.everyAttempt ? await run(root, project, packet) : whole;
    const found = packets(root, `attempt-${number}`, ended.output);
    const evidence = show({
      kind: 'output',
      label: project.runner,
      text: ended.output,
      first_line: 1,
      attempt: number,
      exit_code: ended.code,
    });
    return { evidence, outcome: ended.code === 0 ? 'passed' : 'failed', packets: found };
  }
  return {
    async readArtifact(name) {
      return name === 'validate.md' ? { ok: true, value: document } : { ok: false, refused: `${name} is not granted` };
    },
    async listFiles() {
      const entries = await readdir(root, { recursive: true });
      return entries.filter((path) => path in project.files).sort();
    },
    async readFile(path) {
      const text = await readFile(join(root, path), 'utf8').catch(() => null);
      if (text === null) return { ok: false, refused: `${path} is not there` };
      return {
        ok: true,
        value: show({ kind: 'source', label: path, text, first_line: 1, attempt: null, exit_code: null }),
      };
    },
    async rerun(packet, attempts) {
      const runs: Rerun[] = [];
      for (let number = 1; number <= attempts; number++) {
        const [first] = runs;
        runs.push(project.everyAttempt || !first ? await attempt(packet, number) : first);
      }
      return { ok: true, value: runs };
    },
  };
}

function packets(root: string, name: string, output: string): FailurePacket[] {
  return packetsOf(name, parseBytes(name, Buffer.from(output)), { roots: ['/workspace', root] }).filter(
    (packet) => packet.first_failing_test !== null,
  );
}

function run(root: string, project: Project, packet: FailurePacket | null): Promise<Ended> {
  const [program, args] = command(project, packet);
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    NO_COLOR: '1',
    NODE_TEST_CONTEXT: undefined,
    NODE_OPTIONS: '',
  };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ output: `${stdout}${stderr}`.replaceAll(root, '/workspace'), code });
    });
  });
}

function command({ runner, tests }: Project, packet: FailurePacket | null): [string, string[]] {
  const name = packet?.first_failing_test ?? null;
  if (runner === 'unittest')
    return [
      'python3',
      ['-m', 'unittest', ...(name === null ? ['discover', '-s', '.', '-t', '.'] : [unittestName(name)])],
    ];
  if (runner === 'pytest')
    return ['python3', ['-m', 'pytest', '-p', 'no:cacheprovider', ...(name === null ? [] : [name])]];
  if (runner === 'jest') return [process.execPath, [JEST, '--ci', '--rootDir', '.']];
  const pattern = name === null ? [] : [`--test-name-pattern=${escaped(name.split(' > ').at(-1) ?? name)}`];
  return [
    process.execPath,
    [`--test-reporter=${runner === 'node-spec' ? 'spec' : 'tap'}`, ...pattern, tests?.file ?? 'test/unit.test.js'],
  ];
}

function unittestName(name: string): string {
  const match = /^(\w+) \((.+)\)$/.exec(name);
  if (!match) return name;
  return match[2]?.endsWith(`.${match[1]}`) ? (match[2] ?? name) : `${match[2]}.${match[1]}`;
}

function escaped(name: string): string {
  return `/${name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$/`;
}
