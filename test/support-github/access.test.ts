import { createSign, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openShop, type Shop } from './shop.ts';

describe('access', () => {
  let shop: Shop;
  let now = Date.parse('2026-06-01T12:00:00Z');

  beforeAll(async () => {
    shop = await openShop({ clock: () => now });
  });
  afterAll(() => shop.close());

  const seconds = (): number => Math.floor(now / 1000);

  function jwt(claims: object, key = shop.github.app.privateKey): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
  }

  async function get(path: string, authorization?: string): Promise<{ status: number; message: string }> {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const response = await fetch(`${shop.github.apiUrl}${path}`, { headers });
    const body = (await response.json()) as { message?: string };
    return { status: response.status, message: body.message ?? '' };
  }

  async function token(request: object = {}): Promise<string> {
    const bearer = jwt({ iss: shop.github.app.id, iat: seconds(), exp: seconds() + 540 });
    const response = await fetch(`${shop.github.apiUrl}/app/installations/${shop.installation}/access_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      body: JSON.stringify(request),
    });
    const body = (await response.json()) as { token: string };
    return `token ${body.token}`;
  }

  it('takes a token that the app signed for the next minutes', async () => {
    const claims = { iss: String(shop.github.app.id), iat: seconds() - 60, exp: seconds() + 600 };
    expect((await get('/app', `Bearer ${jwt(claims)}`)).status).toBe(200);
  });

  const REFUSED: readonly (readonly [string, (at: number, id: number) => object, RegExp])[] = [
    ['another app', (at) => ({ iss: 1, iat: at, exp: at + 500 }), /Integration not found/],
    ['the past', (at, iss) => ({ iss, iat: at - 700, exp: at - 1 }), /'exp'.*future time/],
    ['too far ahead', (at, iss) => ({ iss, iat: at, exp: at + 3600 }), /too far in the future/],
    ['issued tomorrow', (at, iss) => ({ iss, iat: at + 600, exp: at + 650 }), /'iat'/],
    ['nobody', (at) => ({ iat: at, exp: at + 500 }), /'iss'/],
  ];

  it.each(REFUSED)('refuses a token of or for %s', async (_, claims, message) => {
    const answer = await get('/app', `Bearer ${jwt(claims(seconds(), shop.github.app.id))}`);
    expect(answer.status).toBe(401);
    expect(answer.message).toMatch(message);
  });

  it('refuses a token that another key signed', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const claims = { iss: shop.github.app.id, iat: seconds(), exp: seconds() + 500 };
    const answer = await get('/app', `Bearer ${jwt(claims, pem)}`);
    expect(answer).toEqual({ status: 401, message: 'A JSON web token could not be decoded' });
  });

  it('takes an installation token for one hour', async () => {
    const granted = await token();
    expect((await get('/repos/ada/shop', granted)).status).toBe(200);
    now += 3_599_000;
    expect((await get('/repos/ada/shop', granted)).status).toBe(200);
    now += 1000;
    expect(await get('/repos/ada/shop', granted)).toEqual({ status: 401, message: 'Bad credentials' });
  });

  it('holds a narrowed token to what was asked for', async () => {
    const granted = await token({ permissions: { contents: 'read' } });
    expect((await get('/repos/ada/shop/contents/README.md', granted)).status).toBe(200);
    expect(await get('/repos/ada/shop/issues', granted)).toEqual({
      status: 403,
      message: 'Resource not accessible by integration',
    });
  });

  it('hides a private repository from who may not see it', async () => {
    await shop.github.createRepository({ owner: 'ada', name: 'secret', private: true });
    expect((await get('/repos/ada/secret')).status).toBe(404);
    expect((await get('/repos/ada/secret', await token())).status).toBe(404);
    expect((await get('/repos/ada/secret', `token ${shop.github.tokenOf('ada')}`)).status).toBe(200);
    expect((await get('/repos/ada/secret', `token ${shop.github.tokenOf('eve')}`)).status).toBe(404);
  });

  it('says what a collaborator may do', async () => {
    const role = async (login: string): Promise<unknown> => {
      const route = `GET /repos/ada/shop/collaborators/${login}/permission`;
      return (await shop.octokit.request(route)).data.permission;
    };
    shop.github.setRole(shop.repo, 'grace', 'write');
    shop.github.tokenOf('eve');
    expect([await role('ada'), await role('grace'), await role('eve')]).toEqual(['admin', 'write', 'none']);
    await expect(role('nobody-at-all')).rejects.toMatchObject({ status: 404 });
  });

  it('never strays from the description', () => {
    expect(shop.check.mismatches).toEqual([]);
  });
});
