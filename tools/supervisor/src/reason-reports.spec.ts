import { expect, test } from '@jest/globals';
import { ReasonReports } from './reason-reports.ts';

test('a lasting reason is repeated after growing times, and a changing one every five seconds', () => {
  const reported: string[] = [];
  const reports = new ReasonReports((reason, atMs) => void reported.push(`${atMs}: ${reason}`));
  for (let atMs = 0; atMs < 18_000; atMs += 100) {
    reports.add('a', 'no host', atMs);
    reports.add('b', `${atMs / 100} events behind`, atMs);
  }
  expect(reported).toEqual([
    '2000: no host',
    '2000: 20 events behind',
    '7000: no host',
    '7000: 70 events behind',
    '12000: 120 events behind',
    '17000: no host',
    '17000: 170 events behind',
  ]);
});
