/** validate: what the run is about, and what the spec says, as numbered clauses. */
import { matchesAny } from '../../config/glob.ts';
import { InquestError } from '../../errors.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { redact } from '../../record/redact.ts';
import type { SpecSource } from '../clauses/clause.ts';
import { readSpec } from '../clauses/clauses.ts';
import { renderValidate } from '../clauses/validate-document.ts';
import { openWorkspace } from './open-workspace.ts';
import { issueSources, specChanges } from './spec-sources.ts';
import type { StateResult, VisitContext } from './state.ts';
import { readSubject, SUBJECT, type Subject } from './subject.ts';

/** Title of Inquest's check run while it works. */
const WORKING = 'Looking for the cause';

export async function validate(context: VisitContext): Promise<StateResult> {
  const { run, parts } = context;
  const [subject, workspace] = await Promise.all([
    readSubject(parts.forge, run),
    openWorkspace(context),
    announceStart(context),
  ]);
  const files = await specFiles(workspace, subject);
  const issues = issueSources(subject.issues);
  const sources = [...files.sources, ...issues.sources];
  const { clauses, cuts } = readSpec(sources);
  const notes = [...(await notesOf(context, subject, files.paths)), ...issues.notes, ...cuts];
  return {
    sets: {
      // Who asks for an investigation gets one, whatever the repository does about failing checks.
      ...(run.slots.entry === 'command' ? {} : { mode: subject.config.mode }),
      requirement: clauses.some((clause) => clause.examples.length > 0) ? 'checkable' : 'not_checkable',
    },
    artifacts: [
      { name: SUBJECT, content: JSON.stringify({ ...subject, notes }) },
      {
        name: 'validate.md',
        content: renderValidate({ sources, clauses, notes: [`Configuration: ${subject.config_source}.`, ...notes] }),
      },
    ],
  };
}

async function announceStart({ run, parts, record }: VisitContext): Promise<void> {
  const check = await parts.forge.upsertCheckRun(run.repo, {
    external_id: run.run_id,
    head_sha: run.head_sha,
    status: 'in_progress',
    conclusion: null,
    title: WORKING,
    summary: 'Inquest reads the failing checks, runs the failing tests again and compares them with the spec.',
    annotations: [],
  });
  record('github_write', { what: 'check_run', id: check.id, url: check.url });
}

interface SpecFiles {
  readonly paths: readonly string[];
  /** Those of them that are text. */
  readonly sources: readonly SpecSource[];
}

async function specFiles(workspace: Workspace, subject: Subject): Promise<SpecFiles> {
  const paths = (await workspace.files()).filter((path) => matchesAny(path, subject.config.spec));
  const sources: SpecSource[] = [];
  for (const path of paths) {
    const text = await workspace.read(path);
    if (text !== null) sources.push({ name: path, text: redact(text) });
  }
  return { paths, sources };
}

/** What a reader of validate.md should know about where the clauses come from. */
async function notesOf(context: VisitContext, subject: Subject, present: readonly string[]): Promise<string[]> {
  const { run, parts } = context;
  const notes: string[] = [];
  if (present.length === 0) notes.push(`No spec file matches ${subject.config.spec.join(', ')}.`);
  if (subject.pull_request === null) return notes;
  try {
    const changed = await parts.workspaces.changedFiles(run.repo.repo_id, subject.pull_request.base_sha, run.head_sha);
    notes.push(...specChanges(changed, subject.config.spec, present));
  } catch (error) {
    if (!(error instanceof InquestError) || error.code !== 'GIT_FAILED') throw error;
    notes.push('Whether this pull request changes the spec could not be told: its base commit is not at hand.');
  }
  return notes;
}
