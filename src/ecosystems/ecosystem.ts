/** The contract of an ecosystem: how its tests are found, run, and one of them run alone. One file each, listed in `registry.ts`. */

export interface TestRef {
  /** The test's full name in the runner's notation, as a packet carries it. */
  readonly name: string;
  /** Workspace-relative test file, if known. */
  readonly file: string | null;
  /** The runner that reported it (`jest`, `node-test`, `pytest`, …). */
  readonly runner: string;
}

export interface Ecosystem {
  /** `node-test`, `jest`, `vitest`, `mocha`, `pytest`, `unittest`, `go-test`, `cargo-test`. */
  readonly id: string;
  /** The command that runs all tests where nothing says another. */
  readonly plain: readonly string[];
  /**
   * Says whether the worktree uses it, from its file list and the text of a few manifests; null when not.
   * `because` is told to people: "package.json has a script `test` that runs jest".
   */
  detect(files: readonly string[], read: (path: string) => string | null): Detection | null;
  /** The command that runs one test alone, verbosely; null when the reference cannot be expressed. */
  single(test: TestRef, command: readonly string[]): readonly string[] | null;
  /** Environment and flags that make a run talk: RUST_BACKTRACE=1, --showlocals, … */
  readonly instrumentation: { readonly env: Readonly<Record<string, string>>; readonly flags: readonly string[] };
}

export interface Detection {
  readonly command: readonly string[];
  /** Suggested setup command, or null when the project has no dependencies to install. */
  readonly setup: readonly string[] | null;
  readonly because: string;
}
