import { expect, test } from '@jest/globals';
import { Sightings } from './sightings.ts';

test('a key that is not renewed for too long is a ghost; one that is renewed, or new, is none', () => {
  let now = 0;
  const sightings = new Sightings<string>(100, () => now);
  sightings.saw('renewed', 1);
  sightings.saw('silent', 1);
  now = 90;
  sightings.saw('renewed', 2);
  sightings.saw('silent', 1);
  now = 150;
  expect(['renewed', 'silent', 'unknown'].map((key) => sightings.isGhost(key))).toEqual([false, true, false]);
  sightings.forget('silent');
  sightings.saw('silent', 1);
  expect(sightings.isGhost('silent')).toBe(false);
});
