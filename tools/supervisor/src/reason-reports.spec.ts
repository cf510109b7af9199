import { expect, test } from '@jest/globals';
import { ReasonReports } from './reason-reports.ts';

test('a lasting reason is reported once, and a changing one every five seconds', () => {
  const reported: string[] = [];
  const reports = new ReasonReports((reason) => void reported.push(reason));
  for (let atMs = 0; atMs < 16_000; atMs += 100) {
    reports.add('a', 'no host', atMs);
    reports.add('b', `${atMs} events behind`, atMs);
  }
  expect(reported).toEqual(['no host', '5000 events behind', '10000 events behind', '15000 events behind']);
});
