/** What the exit code of `inquest` means. */

export const EXIT = {
  /** Everything that was read says that nothing failed; or the command did what it was asked. */
  ok: 0,
  /** Failures were found. */
  failures: 1,
  /** The command line is wrong, or something it names cannot be read and nothing else failed. */
  unusable: 2,
  /** A defect of Inquest. Never confused with "failures found". */
  defect: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How a command says what its exit code is. */
export type Finish = (code: ExitCode) => void;
