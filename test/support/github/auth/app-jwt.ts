/** The JSON Web Token by which an app proves who it is. */
import { verify } from 'node:crypto';
import * as z from 'zod';
import { unauthorized } from '../http/errors.ts';
import { clientIdOf } from '../json/account.ts';
import type { AppIdentity } from '../model.ts';
import type { Simulation } from '../simulation.ts';

const header = z.looseObject({ alg: z.literal('RS256') });
const claims = z.looseObject({
  iss: z.union([z.string(), z.number()]),
  iat: z.number(),
  exp: z.number(),
});

/** Seconds. GitHub accepts at most ten minutes ahead. */
const LONGEST = 600;
/** Seconds of clock drift that are forgiven. */
const DRIFT = 60;

export function verifyAppJwt(sim: Simulation, jwt: string): AppIdentity {
  const undecodable = unauthorized('A JSON web token could not be decoded');
  const [head = '', payload = '', signature = ''] = jwt.split('.');
  if (!header.safeParse(decode(head)).success) throw undecodable;
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    sim.publicKey,
    Buffer.from(signature, 'base64url'),
  );
  if (!signed) throw undecodable;
  const parsed = claims.safeParse(decode(payload));
  if (!parsed.success) throw unauthorized("Missing 'issuer' claim ('iss') in assertion");
  const { iss, iat, exp } = parsed.data;
  const now = Math.floor(sim.world.now() / 1000);
  if (exp <= now) {
    throw unauthorized(
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (exp > now + LONGEST + DRIFT) throw unauthorized("'Expiration time' claim ('exp') is too far in the future");
  if (iat > now + DRIFT) {
    throw unauthorized(
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  if (String(iss) !== String(sim.app.id) && iss !== clientIdOf(sim.app)) throw unauthorized('Integration not found');
  return sim.app;
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    // Not a token at all: the schema refuses it like any other wrong one.
    return null;
  }
}
