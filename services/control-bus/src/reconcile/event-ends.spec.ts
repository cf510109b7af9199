import { expect, test } from '@jest/globals';
import { EventEnds } from './event-ends.ts';

test('names the newest end of the log that is before all facts of later commits', () => {
  const ends = new EventEnds();
  expect(ends.before(10)).toBeUndefined();
  // Commit 4 was open when the log ended at 100 and at 200, and commits up to 9 and 12 were known.
  ends.add({ commit: 9, seq: 100 });
  expect(ends.before(3)).toBeUndefined();
  ends.add({ commit: 12, seq: 200 });
  expect(ends.before(8)).toBeUndefined();
  expect(ends.before(11)).toBe(100);
  expect(ends.before(12)).toBe(200);
  expect(ends.before(13)).toBe(200);
});
