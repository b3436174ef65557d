/** The full name of a test case, in the notation of the runner that wrote the report. */

export interface CaseName {
  readonly name: string;
  readonly classname: string;
  /** Names of the enclosing suites, outermost first. */
  readonly suites: readonly string[];
  /** Name of the root `testsuites`. */
  readonly root: string;
  /** The failure's `type`. */
  readonly type: string | null;
}

const CATCH_MACRO = /^(?:REQUIRE|CHECK|FAIL|STATIC_REQUIRE)(?:_\w+)?$/;
const SCRIPT_FILE = /\.(?:spec|test|e2e|cy)\.[cm]?[jt]sx?$|^[^\s]*\/[^\s]*\.[cm]?[jt]sx?$/;
/** Failure types of `node --test`, whose class is always the word `test`. */
const NODE_TEST =
  /^(?:testCodeFailure|testTimeoutFailure|testAborted|hookFailed|subtestsFailed|cancelledByParent|parentAlreadyFinished|uncaughtException|unhandledRejection|multipleCallbackInvocations|callbackAndPromisePresent)$/;
const IDENTIFIER = /^[\w$.:<>/\\-]+$/;

/** One notation: which cases it fits, and how they are called. The first that fits is taken. */
interface Notation {
  fits(name: CaseName): boolean;
  full(name: CaseName): string;
}

const NOTATIONS: readonly Notation[] = [
  { fits: ({ classname, suites }) => classname === '' && suites.length < 2, full: ({ name }) => name },
  { fits: ({ classname }) => classname === '', full: ({ name, suites }) => [...suites, name].join(' > ') },
  {
    fits: ({ classname, type }) => classname === 'test' && type !== null && NODE_TEST.test(type),
    full: ({ name, suites }) => [...suites, name].join(' > '),
  },
  // jest-junit, ctest, mocha-junit-reporter and xunit repeat one in the other; RSpec gives its file as the class.
  { fits: ({ name, classname }) => contains(name, classname), full: ({ name }) => name },
  { fits: ({ classname }) => /^spec\..*_spec$/.test(classname), full: ({ name }) => name },
  { fits: ({ classname }) => classname.includes('\\'), full: ({ name, classname }) => `${classname}::${name}` },
  { fits: ({ type }) => type !== null && CATCH_MACRO.test(type), full: ({ name }) => name },
  {
    fits: ({ classname, root }) => root === 'nextest-run' || /^[\w-]+::[\w-]+/.test(classname),
    full: ({ name, classname }) => `${classname} ${name}`,
  },
  {
    fits: ({ classname, name }) => SCRIPT_FILE.test(classname) && name.includes(' > '),
    full: ({ name, classname }) => `${classname} > ${name}`,
  },
  { fits: ({ classname }) => SCRIPT_FILE.test(classname), full: ({ name, classname }) => `${classname} › ${name}` },
  { fits: ({ classname }) => !IDENTIFIER.test(classname), full: ({ name, classname }) => `${classname} > ${name}` },
];

/** True when the name already begins or ends with the class. */
function contains(name: string, classname: string): boolean {
  if (name === classname || name.endsWith(` ${classname}`)) return true;
  return name.startsWith(classname) && /^[ .:#]/.test(name.slice(classname.length));
}

/** Joins class and name as the runner does. */
export function fullName(name: CaseName): string {
  const notation = NOTATIONS.find((one) => one.fits(name));
  return notation ? notation.full(name) : `${name.classname}.${name.name}`;
}
