import { expect, test } from '@jest/globals';
import { secretsIn } from './secrets-in.ts';

test.each<[string, unknown, readonly string[]]>([
  ['a field with a secret name', { api_key: 'abc-123' }, ['abc-123']],
  ['everything under a secret name, except plain words', { auth: { type: 'bearer', value: ['abc-123'] } }, ['abc-123']],
  ['a header, without its scheme', { headers: { Authorization: 'Bearer abc-123' } }, ['abc-123']],
  [
    'basic authentication and its password',
    { headers: { authorization: `Basic ${Buffer.from('me:hush-hush').toString('base64')}` } },
    [Buffer.from('me:hush-hush').toString('base64'), 'hush-hush'],
  ],
  ['an environment variable', { environment: { GH_TOKEN: 'abc-123' } }, ['abc-123']],
  ['arguments after secret flags', { command: ['run', '--token', 'abc-1', '--api-key=abc-123'] }, ['abc-123']],
  ['a password in a URL, raw and decoded', { url: 'https://me:p%40ss-word@x.example' }, ['p%40ss-word', 'p@ss-word']],
  ['a user without a password', { url: 'https://ghp_12345@x.example/mcp' }, ['ghp_12345']],
  ['a password in a URL of a variable', { environment: { DATABASE_URL: 'postgres://me:abc-123@db/x' } }, ['abc-123']],
  ['query values of a configured URL', { url: 'https://x.example/?key=secret&tenant=abc-123' }, ['secret', 'abc-123']],
])('finds %s', (_name, configuration, secrets) => {
  expect(secretsIn(configuration)).toEqual(secrets);
});

test.each<[string, unknown]>([
  ['ordinary headers', { headers: { Accept: 'text/plain', 'X-Region': 'europe-west' } }],
  ['ordinary variables', { environment: { LOG_LEVEL: 'verbose', GH_TOKEN_FILE: '/run/secrets/gh' } }],
  ['placeholders', { headers: { Authorization: 'Bearer {env:GH_TOKEN}', Cookie: 'session={env:SESSION}' } }],
  ['short values', { api_key: 'true', url: 'https://me:pw@x.example/?key=abc' }],
  ['plain words and numbers of a query', { url: 'https://x.example/?toolset=issues&limit=100000' }],
  ['a JSON Schema', { schema: { properties: { token: { type: 'string', default: 'abc-123' } } } }],
])('ignores %s', (_name, configuration) => {
  expect(secretsIn(configuration)).toEqual([]);
});
