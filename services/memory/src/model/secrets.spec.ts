import { expect, test } from '@jest/globals';
import { secretIn } from './secrets.ts';

test.each([
  '-----BEGIN OPENSSH PRIVATE KEY-----\nabc',
  'use sk-proj-abcdefghijklmnop1234 for the tests',
  'rk_0a_5ec2e75ec2e75ec2e7',
  'AKIAIOSFODNN7EXAMPLE',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'xoxb-123456789012-abcdef',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
  'Authorization: Bearer abcdefghijklmnop123',
  'postgres://reins:hunter2@db:5432/reins',
  'the password is hunter2!',
  'API_KEY=a1b2c3d4e5',
])('%j contains a secret', (text) => {
  expect(secretIn(text)).toEqual(expect.any(String));
});

test.each([
  'The password is stored in the vault.',
  'Passwords expire after 90 days.',
  'The secret is to use fewer words.',
  'See https://example.com/a:b@c and ask Ann.',
  'The task sk-12 is done; the bearer of news left.',
  'postgres://reins@127.0.0.1:5432/reins has no password',
])('%j contains none', (text) => {
  expect(secretIn(text)).toBeUndefined();
});
