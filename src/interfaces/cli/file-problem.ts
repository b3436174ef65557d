/** What the file system's refusals mean, in words. */
import { InquestError } from '../../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  EISDIR: 'is a folder',
  ELOOP: 'is a link that leads round in a circle',
  ENAMETOOLONG: 'has a name that is too long',
};

/** The rest of a sentence that begins with the file's name. */
export function problemOf(error: unknown): string {
  const code = codeOf(error);
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return known ?? `cannot be read (${error instanceof Error ? error.message : String(error)})`;
}

/** Code of a system error (`ENOENT`); empty when there is none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

export function unreadable(name: string, error: unknown): InquestError {
  return new InquestError('INPUT_UNREADABLE', `${name} ${problemOf(error)}.`, { cause: error });
}
