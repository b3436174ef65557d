// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is tested
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { redact } from '../../src/record/redact.ts';

/** Put together at run time, so that no scanner takes this file for a leak. */
const ALNUM = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';
const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.${ALNUM.slice(0, 20)}_-`;

describe('a secret without a shape', () => {
  it.each([
    ['in an environment line', 'API_KEY=apikeyvalue99', 'apikeyvalue99'],
    ['exported', 'export MY_API_KEY=apikeyvalue99 DEBUG=1', 'apikeyvalue99'],
    [
      'beside the id of its AWS key',
      'login("AKIAIOSFODNN7ABCDEFG", "wJalrXUtnFEMIK7MDENGbPxRfiCYABCDEFGHIJKL")',
      'wJalrXUtn',
    ],
  ])('goes when it stands %s', (_, text, secret) => {
    expect(redact(text)).not.toContain(secret);
    expect(redact(redact(text))).toBe(redact(text));
  });
});

describe('secrets known by their shape', () => {
  it.each([
    ['github-token', `ghp_${ALNUM.slice(0, 36)}`],
    ['github-token', `gho_${ALNUM.slice(0, 36)}`],
    ['github-token', `ghs_${ALNUM.slice(0, 36)}`],
    ['github-token', `ghu_${ALNUM.slice(0, 36)}`],
    ['github-token', `github_pat_${ALNUM.slice(0, 22)}_${ALNUM}`],
    ['aws-key', `AKIA${ALNUM.slice(0, 16).toUpperCase()}`],
    ['slack-token', `xoxb-123456789012-${ALNUM.slice(0, 24)}`],
    ['stripe-key', `sk_live_${ALNUM.slice(0, 24)}`],
    ['google-key', `AIza${ALNUM.slice(0, 35)}`],
    ['npm-token', `npm_${ALNUM.slice(0, 36)}`],
    ['pypi-token', `pypi-AgEIcHlwaS5vcmc${ALNUM}`],
    ['jwt', JWT],
    ['service-token', `glpat-${ALNUM.slice(0, 20)}`],
    ['service-token', `sk-ant-${ALNUM}`],
  ])('%s', (kind, secret) => {
    expect(redact(`before ${secret} after`)).toBe(`before [redacted:${kind}] after`);
    expect(redact(`x="${secret}",`)).toBe(`x="[redacted:${kind}]",`);
  });

  it.each([
    ['Authorization: Bearer abc', 'Authorization: Bearer [redacted:authorization]'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [redacted:authorization]'],
    [`curl -H "Authorization: token ${ALNUM}"`, 'curl -H "Authorization: token [redacted:authorization]"'],
    ['{"Authorization":"Bearer abc.def"}', '{"Authorization":"Bearer [redacted:authorization]"}'],
    ['https://bob:pa55@host/x?y', 'https://[redacted:userinfo]@host/x?y'],
    [`https://x-access-token:${ALNUM}@github.com/a/b`, 'https://[redacted:userinfo]@github.com/a/b'],
    [`https://${ALNUM}@github.com/a/b`, 'https://[redacted:userinfo]@github.com/a/b'],
    ['postgres://app:s3c@r3t@db:5432/x', 'postgres://[redacted:userinfo]@db:5432/x'],
    ['redis://:pw@host:6379', 'redis://[redacted:userinfo]@host:6379'],
    [`https://s3/x?X-Amz-Signature=${ALNUM}&y=1`, 'https://s3/x?X-Amz-Signature=[redacted:signature]&y=1'],
  ])('%s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });
});

describe('private keys', () => {
  const body = ALNUM.repeat(2).slice(0, 64);

  it('lose their body, and no line', () => {
    const pem = ['-----BEGIN RSA PRIVATE KEY-----', body, body, 'abcd==', '-----END RSA PRIVATE KEY-----', 'next'];
    const line = '[redacted:private-key]';
    expect(redact(pem.join('\n')).split('\n')).toEqual([pem[0], line, line, line, pem[4], 'next']);
  });

  it('may have something before each line', () => {
    const stamped = ['-----BEGIN PRIVATE KEY-----', body, 'ab==', '-----END PRIVATE KEY-----'].map(
      (text, n) => `2026-01-02T03:04:0${n}.0000000Z ${text}\r`,
    );
    const redacted = redact(stamped.join('\n'));
    expect(redacted).not.toContain(body);
    expect(redacted).not.toContain('ab==');
    expect(redacted.split('\n')[1]).toBe('2026-01-02T03:04:01.0000000Z [redacted:private-key]\r');
  });

  it('may stand on one line', () => {
    const text = `key = "-----BEGIN PRIVATE KEY-----\\n${body}\\n-----END PRIVATE KEY-----\\n"`;
    expect(redact(text)).toBe('key = "-----BEGIN PRIVATE KEY-----[redacted:private-key]-----END PRIVATE KEY-----\\n"');
  });

  it('may be cut off; what follows stays', () => {
    const text = `-----BEGIN EC PRIVATE KEY-----\n${body}\nnpm ERR! the end\n${'d'.repeat(40)}`;
    expect(redact(text)).toBe(
      `-----BEGIN EC PRIVATE KEY-----\n[redacted:private-key]\nnpm ERR! the end\n${'d'.repeat(40)}`,
    );
  });
});

describe('values of names that say secret', () => {
  it.each([
    ['password=hunter2', 'password=[redacted:password]'],
    ['DB_PASSWORD=letmein', 'DB_PASSWORD=[redacted:password]'],
    ['export API_KEY=abcdef123456', 'export API_KEY=[redacted:token]'],
    ['Password: hunter2', 'Password: [redacted:password]'],
    ['password = hunter2', 'password = [redacted:password]'],
    ["{ password: 'correct horse 1' }", "{ password: '[redacted:password]' }"],
    ['{"password":"hunter2","user":"bob"}', '{"password":"[redacted:password]","user":"bob"}'],
    ['{\\"password\\":\\"hunter2\\"}', '{\\"password\\":\\"[redacted:password]\\"}'],
    ['password: "a\\"b c1"', 'password: "[redacted:password]"'],
    ['<password>hunter2</password>', '<password>[redacted:password]</password>'],
    ['mysql --password hunter2 -v', 'mysql --password [redacted:password] -v'],
    ['mysql --password=letmein -v', 'mysql --password=[redacted:password] -v'],
    ['Server=db;Password=Pa$$w0rd;Encrypt=1', 'Server=db;Password=[redacted:password];Encrypt=1'],
    ['user=bob password=letmein host=x', 'user=bob password=[redacted:password] host=x'],
    ['https://x/y?token=abc123&z=1', 'https://x/y?token=[redacted:token]&z=1'],
    ['token: 0123456789abcdef', 'token: [redacted:token]'],
    ['x-api-key: 0123456789abcdef', 'x-api-key: [redacted:token]'],
    ['AccountKey=abc/def+ghi12345==;', 'AccountKey=[redacted:token];'],
    [`aws_secret_access_key = ${ALNUM}`, 'aws_secret_access_key = [redacted:password]'],
    ["'client_secret' => 'zzzzzz'", "'client_secret' => '[redacted:password]'"],
  ])('%s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });
});

describe('what is no secret stays', () => {
  it.each([
    'token: string',
    'password: string;',
    'const token = await getToken();',
    'if (password === other) {',
    'secret: Uint8Array',
    'password = data.password',
    'this.secret=value;',
    'connect(user=user, password=pw)',
    'webhookSecret: this.#state.webhookSecret,',
    'def login(password: str = "") -> str:',
    'password: z.string().min(8)',
    'let token = tokens[i + 1];',
    'Unexpected token: }',
    'token => token.id',
    'placeholder: "Enter your password"',
    '<label>Password</label>',
    'autocomplete="current-password"',
    'const url = `https://${user}:${password}@${host}`;',
    'headers: { Authorization: `Bearer ${token}` },',
    'password: ${{ secrets.DB_PASSWORD }}',
    'PASSWORD=$PASSWORD',
    'api_key = os.environ["API_KEY"]',
    'persist-credentials: true',
    'token: ***',
    'AWS_SECRET_ACCESS_KEY: ***',
    'git+ssh://git@github.com/a/b.git',
    'https://github.com/a/b/blob/3b18e512dba79e4c8300dd08aeb37f8e728b8dad/x.ts#L3',
    'commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad',
    '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
    'PWD=/home/runner/work',
    '-----BEGIN CERTIFICATE-----',
    "if (text.includes('-----BEGIN PRIVATE KEY-----')) {\n  return value",
    '@@ -1,3 +1,4 @@\n-const passwordLength = 12;\n+const passwordLength = 16;',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('configured secrets', () => {
  const secret = 'Zebra/Crossing?é 7';
  const encoded = (text: string) => Buffer.from(text, 'utf8').toString('base64');

  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ x: secret })],
    ['URL-encoded', encodeURIComponent(secret)],
    ['form-encoded', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['as hexadecimal', Buffer.from(secret, 'utf8').toString('hex')],
    ['as Base64', encoded(secret)],
    ['inside longer Base64', encoded(`bob:${secret}`)],
    ['inside Base64, one byte further', encoded(`bobs:${secret}!`)],
    ['inside Base64, two bytes further', encoded(`bobby:${secret}`)],
  ])('are found %s', (_, text) => {
    const redacted = redact(`before ${text} after`, [secret]);
    expect(redacted).toContain('[redacted:secret]');
    expect(redacted).not.toContain('Crossing');
    expect(redacted).not.toContain(encoded('Crossing').slice(3, -4));
  });

  it('are found line by line when they have several', () => {
    expect(redact('a first-line b\nsecond-line c', ['first-line\nsecond-line'])).toBe(
      'a [redacted:secret] b\n[redacted:secret] c',
    );
  });

  it('do not eat the marks when they are part of one', () => {
    const once = redact('redacted token: 0123456789abcdef', ['redacted', 'token']);
    expect(redact(once, ['redacted', 'token'])).toBe(once);
  });

  it('are ignored when they are so short that any text has them', () => {
    expect(redact('abc abc', ['abc', '', ' '])).toBe('abc abc');
  });

  it('are taken as text, not as patterns', () => {
    expect(redact('a.c+ abc+ (x|y)[0]', ['a.c+', '(x|y)[0]'])).toBe('[redacted:secret] abc+ [redacted:secret]');
  });
});

/** Beginnings of secrets that never come to their end, and ends without beginnings. */
const HOSTILE_UNITS = [
  'a',
  'A',
  '-',
  ' ',
  '\\',
  '"',
  'eyJ',
  'eyJaaaaaaaaaa.',
  'ghp_',
  'github_pat_',
  'xoxb-',
  'pypi-',
  'sk-',
  'SG.',
  'AKIA',
  'AIza',
  '://',
  '://a:b',
  '://a@',
  'a@',
  'password',
  'password=',
  'password="',
  'password=\\"',
  'password:"\\',
  'password: ',
  'password \t',
  'password=(',
  '<password>',
  '--password ',
  'token=a',
  'token.a?.',
  'token=a.',
  'secret_',
  'client_',
  'Bearer ',
  'Bearer a',
  'authorization: ',
  'authorization: "Bearer ',
  '?sig=',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----BEGIN PRIVATE KEY-----\\n',
  '-----BEGIN A PRIVATE KEY-----aaaaaaaaaaaaaaaaaaaa\n',
  '-----END ',
  '[redacted:',
  '[redacted:a]',
  'hooks.slack.com/services/',
  '1234567890:AA',
];

describe('redact, whatever the text', () => {
  const parts = fc.constantFrom(
    ...['password', 'token', '=', ': ', '"', "'", '\\', '\n', '\r\n', ' ', 'hunter2', '://', 'a:b@', '[redacted:', ']'],
    ...['ghp_', 'eyJ', '.', 'AKIA', ALNUM, JWT, 'Bearer ', 'Authorization', '-----BEGIN PRIVATE KEY-----', '-----END '],
    ...['***', '${x}', '<', '>', '--', '(', ';', '%', 'xox', 'b-', '/', 'é', '\ud800'],
  );
  const hostile = fc.oneof(
    fc.array(parts, { maxLength: 40 }).map((words) => words.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(hostile, fc.array(hostile, { maxLength: 2 }), (text, secrets) => {
        const once = redact(text, secrets);
        expect(redact(once, secrets)).toBe(once);
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });

  it('keeps the number of lines', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(redact(text).split('\n')).toHaveLength(text.split('\n').length);
      }),
      { seed: 7, numRuns: 1_000 },
    );
  });

  it('leaves no configured secret', () => {
    const secret = fc.string({ minLength: 6, maxLength: 20 }).filter((text) => text.trim().length > 5);
    fc.assert(
      fc.property(secret, hostile, hostile, (literal, before, after) => {
        const text = redact(`${before}\u0000${literal}\u0000${after}`, [literal]);
        expect(text.replaceAll(/\[redacted:[a-z-]+\]/g, '')).not.toContain(literal);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  /** With anything worse than linear time, half a megabyte of these would run into the time limit of the test. */
  it.each(HOSTILE_UNITS)('reads half a megabyte of %j in time', (unit) => {
    const text = unit.repeat(Math.ceil(500_000 / unit.length));
    expect(redact(text).split('\n')).toHaveLength(text.split('\n').length);
  });
});
