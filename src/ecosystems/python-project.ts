/** What Python projects have in common, whichever runner they use. */

/** Names that both runners take for a file of tests. */
export const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]+_test)\.py$/;

/** Installs the requirement files and the project itself, if it has dependencies; null when there is nothing to install. */
export function pipSetup(files: readonly string[], read: (path: string) => string | null): readonly string[] | null {
  const requirements = files.filter((file) => /^(?:dev-|test-)?requirements[^/]*\.txt$/.test(file));
  const project = /^\[project\]/m.test(read('pyproject.toml') ?? '') || files.includes('setup.py');
  if (requirements.length === 0 && !project) return null;
  return [
    'python3',
    '-m',
    'pip',
    'install',
    ...requirements.flatMap((file) => ['-r', file]),
    ...(project ? ['-e', '.'] : []),
  ];
}
