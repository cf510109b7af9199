import { expect, test } from '@jest/globals';
import { LateRecords } from './late-records.ts';
import type { AcceptedRequest } from './request-records.ts';

const record: AcceptedRequest = {
  requestId: 'r1',
  bodyHash: '',
  workspaceId: 'ws',
  sessionId: 's',
  agentId: 'main',
  acceptedAt: '2026-01-31T12:00:00.000Z',
  revision: '',
};
const FULL = new Error('full');

/** A store that is full for the first attempts. */
function lateRecords(fullFor: number) {
  const logged: object[] = [];
  let attempts = 0;
  const store = async (): Promise<void> => {
    attempts += 1;
    if (attempts <= fullFor) throw FULL;
  };
  const log = { warn: (fields: object) => void logged.push(fields) };
  return { late: new LateRecords({ store, log, pausesMs: [0, 0, 0] }), logged, attempts: () => attempts };
}

test('a record is stored as soon as the store has room', async () => {
  const { late, logged, attempts } = lateRecords(2);
  await late.add(record, FULL, () => true);
  expect([attempts(), logged]).toEqual([3, []]);
});

test('a record is given up and logged after the last attempt', async () => {
  const { late, logged, attempts } = lateRecords(9);
  await late.add(record, FULL, () => true);
  expect([attempts(), logged]).toEqual([3, [{ requestId: 'r1', workspaceId: 'ws', err: FULL }]]);
});

test('a record is given up when a restore may have removed its command', async () => {
  const { late, logged, attempts } = lateRecords(0);
  await late.add(record, FULL, () => false);
  expect([attempts(), logged.length]).toEqual([0, 1]);
});

test('a record is given up when the gateway stops', async () => {
  const { late, logged, attempts } = lateRecords(0);
  const added = late.add(record, FULL, () => true);
  late.close();
  await added;
  expect([attempts(), logged.length]).toEqual([0, 1]);
});
