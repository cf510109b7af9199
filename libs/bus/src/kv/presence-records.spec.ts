import { expect, test } from '@jest/globals';
import { PresenceRecords } from './presence-records.ts';

test('a key is stale when it is not renewed for too long, and not when it is new or renewed', () => {
  let now = 0;
  const presence = new PresenceRecords<string>(100, () => now);
  presence.observe('renewed', 1);
  presence.observe('silent', 1);
  now = 90;
  presence.observe('renewed', 2);
  presence.observe('silent', 1);
  now = 150;
  expect(['renewed', 'silent', 'unknown'].map((key) => presence.isStale(key))).toEqual([false, true, false]);
  presence.forget('silent');
  presence.observe('silent', 1);
  expect(presence.isStale('silent')).toBe(false);
});
