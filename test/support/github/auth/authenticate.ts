/** Who is calling: read from the `Authorization` header of the API, or from git's Basic credentials. */
import type { Caller } from '../http/context.ts';
import { unauthorized } from '../http/errors.ts';
import type { Simulation } from '../simulation.ts';
import { verifyAppJwt } from './app-jwt.ts';

const BAD = 'Bad credentials';

export function authenticate(sim: Simulation, authorization: string | undefined): Caller {
  if (authorization === undefined) return { kind: 'anonymous' };
  const [scheme = '', value = ''] = authorization.trim().split(/\s+/, 2);
  if (/^basic$/i.test(scheme)) return callerOfToken(sim, passwordOf(value));
  if (!/^(bearer|token)$/i.test(scheme)) throw unauthorized(BAD);
  if (value.split('.').length === 3) return { kind: 'app', app: verifyAppJwt(sim, value) };
  return callerOfToken(sim, value);
}

function passwordOf(basic: string): string {
  const text = Buffer.from(basic, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

function callerOfToken(sim: Simulation, token: string): Caller {
  const granted = sim.world.tokens.find((one) => one.token === token);
  if (granted && granted.expiresAt > sim.world.now()) return { kind: 'installation', token: granted };
  const account = sim.world.accounts.find((one) => one.type !== 'Bot' && one.token === token);
  if (account) return { kind: 'user', account };
  throw unauthorized(BAD);
}
