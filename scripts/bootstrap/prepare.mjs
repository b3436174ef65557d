// Runs the steps of the bootstrap in order and turns what went wrong into one clear line.
import { parseArgs } from 'node:util';
import { BootstrapError } from './failure.mjs';
import { prepareNpm } from './npm.mjs';
import { prepareSystem } from './system.mjs';

const PURPOSES = ['demo', 'test'];
const STEPS = ['npm', 'system'];

/** Does what `args` asks for. Returns the exit code: 0 ready, 1 not ready, 2 wrong arguments. */
export async function prepare(args) {
  try {
    const { purpose, only } = readArguments(args);
    if (only !== 'system') await prepareNpm();
    if (only !== 'npm' && purpose !== null) await prepareSystem(purpose);
    return 0;
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    console.error(error.message);
    return error.exitCode;
  }
}

function readArguments(args) {
  const options = { for: { type: 'string' }, only: { type: 'string' } };
  let values;
  try {
    ({ values } = parseArgs({ args, options }));
  } catch (error) {
    throw new BootstrapError(`bootstrap: ${error.message}`, 2);
  }
  return { purpose: oneOf('--for', PURPOSES, values.for), only: oneOf('--only', STEPS, values.only) };
}

function oneOf(flag, allowed, value) {
  if (value === undefined) return null;
  if (allowed.includes(value)) return value;
  throw new BootstrapError(`bootstrap: ${flag} is one of ${allowed.join(', ')}; got ${JSON.stringify(value)}.`, 2);
}
