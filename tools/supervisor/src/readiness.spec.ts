import { expect, test } from '@jest/globals';
import { notReadyReason } from './readiness.ts';

const URL = 'http://127.0.0.1:1/readyz';

test('the reasons of the checks that are not ready are reported', () => {
  const checks = [
    { name: 'bus', ready: true },
    { name: 'runtimes', ready: false, reason: 'runtime pi is not healthy: provider a does not respond' },
    { name: 'postgres', ready: false, reason: 'Postgres does not respond' },
  ];
  expect(notReadyReason(URL, 503, JSON.stringify({ ready: false, checks }))).toBe(
    'runtime pi is not healthy: provider a does not respond; Postgres does not respond',
  );
});

test.each(['', 'not JSON', '{}', '{"checks":[]}', '{"checks":7}'])('the body %j is reported as it is', (body) => {
  expect(notReadyReason(URL, 503, body)).toBe(`${URL} responds with 503 ${body}`.trimEnd());
});
