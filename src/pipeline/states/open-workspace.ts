/** The worktree of a run, at its exact SHA. Any visit may ask; the same run gets the same worktree. */
import type { Workspace } from '../../ports/workspace.ts';
import type { VisitContext } from './state.ts';

export async function openWorkspace({ run, parts, signal }: VisitContext): Promise<Workspace> {
  return parts.workspaces.prepare({
    run_id: run.run_id,
    repo_id: run.repo.repo_id,
    clone_url: await parts.forge.cloneUrl(run.repo),
    token: () => parts.forge.cloneToken(run.repo),
    sha: run.head_sha,
    signal,
  });
}

/** So many files of tests are looked into: they tell pytest from unittest. */
const MOST_TEST_FILES = 20;
const PYTHON_TEST = /(?:^|\/)(?:test_[^/]*|[^/]+_test)\.py$/;

/** A reader for code that looks at a few manifests and files of tests: their texts, read once. */
export async function readManifests(workspace: Workspace): Promise<(path: string) => string | null> {
  const files = await workspace.files();
  const tests = files.filter((path) => PYTHON_TEST.test(path)).slice(0, MOST_TEST_FILES);
  const texts = new Map<string, string | null>();
  for (const path of [...files.filter((file) => MANIFEST.test(file)), ...tests]) {
    texts.set(path, await workspace.read(path));
  }
  return (path) => texts.get(path) ?? null;
}

/** Files that tell which ecosystem a worktree belongs to. */
const MANIFEST =
  /^(?:[^/]+\/)?(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|conftest\.py|requirements[\w.-]*\.txt|Cargo\.toml|go\.mod|(?:jest|vitest|vite)\.config\.[cm]?[jt]s|\.mocharc\.[\w]+)$/;
