/** Which state is done by what. A state that this version does not have is refused with a typed error, never faked. */
import { InquestError } from '../../errors.ts';
import type { Place } from '../run.ts';
import { announce } from './announce.ts';
import { debug } from './debug.ts';
import { publish } from './publish.ts';
import { run } from './run.ts';
import type { StateHandler } from './state.ts';
import { validate } from './validate.ts';

const HANDLERS: { readonly [Name in Place]?: StateHandler } = {
  validate,
  run,
  debug,
  publish,
  escalated: announce,
  cancelled: announce,
  failed: announce,
};

/** Throws `STATE_NOT_AVAILABLE` for strategy, impl, e2e and review. */
export function handlerOf(place: Place): StateHandler {
  const handler = HANDLERS[place];
  if (handler !== undefined) return handler;
  throw new InquestError('STATE_NOT_AVAILABLE', `The ${place} state is not available in this version.`, {
    hint: 'Set mode: report in .github/inquest.yml; it needs validate, run, debug and publish only.',
  });
}
