/** Tells errors of the operating system apart by their code. */

/** True for an error with that code (`ENOENT`, `EEXIST`, …), whichever realm it was made in. */
export function hasCode(thrown: unknown, code: string): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === code;
}
