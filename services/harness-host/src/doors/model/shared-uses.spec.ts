import { expect, test } from '@jest/globals';
import { NO_USES, totalOf, type Uses, usesAfter, writtenBy } from './shared-uses.ts';

const NONE = { tokens: 0, costUsd: 0 };
const tokens = (count: number) => ({ tokens: count, costUsd: 0 });
const after = (uses: Uses, runId: string, added: number, used = 0) =>
  usesAfter(uses, { runId, added: tokens(added), used: tokens(used) });
const manyRuns = (count: number): Uses =>
  Array.from({ length: count }, (_, n) => `run${n}`).reduce((uses, runId) => after(uses, runId, 10), NO_USES);

test('the value does not grow with the runs of a request', () => {
  const [some, many] = [manyRuns(1000), manyRuns(2000)];
  expect(totalOf(many)).toEqual(tokens(20_000));
  expect(JSON.stringify(many).length).toBeLessThan(JSON.stringify(some).length + 500);
});

test('the value has the last writes of the last writers', () => {
  const written = Array.from({ length: 2000 }, (_, n) => n).reduce((uses, n) => writtenBy(uses, `w${n}`, n), NO_USES);
  expect(Object.keys(written.writes).length).toBeLessThan(600);
  expect(writtenBy(written, 'w1999', 7).writes).toMatchObject({ w1998: 1998, w1999: 7 });
});

test('a run that is not listed any more counts once', () => {
  const many = manyRuns(1000);
  const settled = usesAfter(many, { runId: 'run0', added: tokens(-4) });
  expect(totalOf(settled)).toEqual(tokens(9996));
  // Its next stage has the usage of its first one from the control bus.
  expect(totalOf(after(settled, 'run0', 10, 6))).toEqual(tokens(10_006));
});

test('a listed run counts what the control bus knows of it', () => {
  const uses = after(NO_USES, 'a', 10, 300);
  expect(totalOf(uses)).toEqual(tokens(310));
  expect(totalOf(after(uses, 'a', 10, 310))).toEqual(tokens(320));
  expect(totalOf(after(uses, 'b', 1))).toEqual(tokens(311));
  expect(uses.earlier).toEqual(NONE);
});
