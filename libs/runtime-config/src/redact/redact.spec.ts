import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { isSecretKey } from './keys.ts';
import { redact } from './redact.ts';
import { isPlaceholder, REDACTED, redactUrls, secretFinder } from './text.ts';

describe('secret names', () => {
  test.each([
    'api_key',
    'apiKey',
    'X-API-Key',
    'APIKey',
    'Authorization',
    'proxy-authorization',
    'auth',
    'token',
    'accessToken',
    'GH_PAT',
    'cookie',
    'Set-Cookie',
    'credential',
    'private_key',
    'access-key',
    'X-Signature',
    'client_secret',
    'DB_PASSWORD',
  ])('%s is a secret name', (key) => {
    expect(isSecretKey(key)).toBe(true);
  });

  test.each([
    'author',
    'max_tokens',
    'token_usage',
    'tokenizer',
    'tool_id',
    'key',
    'path',
    'patch',
    'keyboard',
    'authored_by',
  ])('%s is not a secret name', (key) => {
    expect(isSecretKey(key)).toBe(false);
  });
});

describe('redaction', () => {
  it('redacts known values everywhere, also in keys and in encoded forms', () => {
    const secret = 's3cr3t/va+lue';
    const value = {
      text: `use ${secret} here`,
      nested: [{ [`x-${secret}`]: 1 }],
      encoded: encodeURIComponent(secret),
      basic: `Basic ${Buffer.from(secret).toString('base64')}`,
    };
    const text = JSON.stringify(redact(value, { secrets: [secret] }));
    expect(text).not.toContain(secret);
    expect(text).not.toContain(encodeURIComponent(secret));
    expect(text).not.toContain(Buffer.from(secret).toString('base64'));
  });

  it('redacts the longest of overlapping values', () => {
    expect(secretFinder(['abcd', 'abcdefgh'])('abcdefgh abcd')).toBe(`${REDACTED} ${REDACTED}`);
  });

  it('keeps placeholders', () => {
    const value = { api_key: '{env:KEY}', headers: { Authorization: 'Bearer {env:TOKEN}' }, token: '{setting:a.b}' };
    expect(redact(value)).toEqual(value);
    expect(isPlaceholder('Bearer sk-123{env:X}')).toBe(false);
  });

  it('keeps the names of configured headers and variables, and redacts their values unless they are public', () => {
    expect(
      redact({ headers: { 'X-Foo': 'v', Accept: 'text/plain' }, environment: { GH_PAT: 'p', HOME: '/root' } }),
    ).toEqual({
      headers: { 'X-Foo': REDACTED, Accept: 'text/plain' },
      environment: { GH_PAT: REDACTED, HOME: REDACTED },
    });
  });

  it('redacts everything under a secret name, but keeps null and empty values', () => {
    expect(redact({ password: { a: 1 }, token: ['x'], secret: '', api_key: null })).toEqual({
      password: REDACTED,
      token: REDACTED,
      secret: '',
      api_key: null,
    });
  });

  it('keeps a JSON Schema except for known values', () => {
    const schema = { properties: { token: { type: 'string', default: 'known-value' } } };
    expect(redact({ schema }, { secrets: ['known-value'] })).toEqual({
      schema: { properties: { token: { type: 'string', default: REDACTED } } },
    });
  });

  it('redacts arguments after secret flags', () => {
    const command = ['run', '--token', 'abc', '--api-key=def', 'GH_PAT=ghi', '--port', '80', '--token', '{env:T}'];
    expect(redact({ command })).toEqual({
      command: [
        'run',
        '--token',
        REDACTED,
        `--api-key=${REDACTED}`,
        `GH_PAT=${REDACTED}`,
        '--port',
        '80',
        '--token',
        '{env:T}',
      ],
    });
  });

  it('redacts userinfo everywhere, query values by name in prose, and all query values in configuration', () => {
    expect(redact({ note: 'see https://me:pw@x.example/a?q=cats&api_key=1#top' })).toEqual({
      note: `see https://${REDACTED}@x.example/a?q=cats&api_key=${REDACTED}#top`,
    });
    expect(redact({ base_url: 'https://x.example/?a=1&b={env:B}' })).toEqual({
      base_url: `https://x.example/?a=${REDACTED}&b={env:B}`,
    });
    expect(redactUrls('postgres://u:p@ss@db/x', 'all')).toBe(`postgres://${REDACTED}@db/x`);
  });

  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  })).value;

  test('property: the result contains no known value', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{8,16}$/);
    fc.assert(
      fc.property(json, secret, fc.string(), (value, known, around) => {
        const planted = { value, [around + known]: { list: [`${around}${known}`], command: ['--x', known] } };
        expect(JSON.stringify(redact(planted, { secrets: [known] }))).not.toContain(known);
      }),
    );
  });

  test('property: is idempotent and does not change the input', () => {
    fc.assert(
      fc.property(json, (value) => {
        const before = JSON.stringify(value);
        const once = redact(value);
        expect(redact(once)).toEqual(once);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });
});
