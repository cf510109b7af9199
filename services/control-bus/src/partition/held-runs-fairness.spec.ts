import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { HeldMessage } from '@reins/bus';
import { heldSubject, type ParkedRun, parkedKeyOf, ReinsError, type RunAddress } from '@reins/contracts';
import { clockOf } from './clock.ts';
import { HeldRuns } from './held-runs.ts';
import type { InboxMessage } from './inbox.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** More than are tried concurrently, by far. */
const SICK_RUNS = 100;
const HEALTHY: RunAddress = { workspaceId: 'ws', runId: 'healthy' };
const SICK: readonly RunAddress[] = Array.from({ length: SICK_RUNS }, (_, n) => ({
  workspaceId: 'ws',
  runId: `sick${n}`,
}));

let seq = 0;
const messageOf = ({ runId, workspaceId }: RunAddress): InboxMessage => ({
  subject: `inbox.0.command.run.pause.${workspaceId}.${runId}`,
  data: new TextEncoder().encode('{}'),
  seq: ++seq,
  deliveries: 1,
  event: { id: `m${seq}`, type: 'command.run.pause', source: 'test', time: '' },
  clearPoisonSuspicion: async () => {},
});

/** Held runs over messages in memory. `handle` is what a run does with its messages. */
function heldRuns(handle: (runId: string) => Promise<boolean>) {
  const stored: (HeldMessage & { readonly held: string })[] = [];
  const records = new Map<string, ParkedRun>();
  const tried: string[] = [];
  const suspects: number[] = [];
  const keyOf = (run: RunAddress): string => heldSubject(run, 1);
  const runs = new HeldRuns(
    {
      log: { warn() {}, error() {} } as never,
      clock: clockOf(() => new Date()),
      random: () => 1,
      messages: {
        add: async (run, { data, event, seq, subject }) =>
          void stored.push({ held: keyOf(run), heldSeq: stored.length + 1, data, event, seq, subject }),
        read: async (run) => stored.filter(({ held }) => held === keyOf(run)),
        remove: async (handled) => {
          for (const each of handled) stored.splice(stored.indexOf(each as (typeof stored)[number]), 1);
        },
        runs: async () => [HEALTHY],
        deadLetter: async () => {},
      },
      parked: {
        put: async (partition, record) =>
          void records.set(parkedKeyOf(partition, { workspaceId: 'ws', runId: record.requestId }), record),
        delete: async (partition, run) => void records.delete(parkedKeyOf(partition, run)),
        list: async () => [...records.values()],
      },
      quarantine: {
        admit: (heldSeq, work) => {
          suspects.push(heldSeq);
          return work.handle(async () => {});
        },
      },
    },
    {
      partition: 0,
      handle: ({ subject }) => {
        const runId = subject.split('.').at(-1) as string;
        tried.push(runId);
        return handle(runId);
      },
      giveUp: async () => {},
      isBusy: () => false,
      isOwner: () => true,
      verifyOwner: async () => true,
    },
  );
  return { runs, records, stored, suspects, tried };
}

test('a run whose handler hangs is parked until it ends, and very many of them delay others only a little', async () => {
  const ended = Promise.withResolvers<boolean>();
  const { records, runs, stored, tried } = heldRuns(async (runId) => runId !== 'healthy' && ended.promise);
  for (const run of [...SICK, HEALTHY]) await runs.hold(run, messageOf(run), undefined);
  await jest.advanceTimersByTimeAsync(15_000);
  expect([tried.includes('healthy'), stored.length, records.size]).toEqual([true, SICK_RUNS, SICK_RUNS]);
  expect(records.get('parked.0.ws.sick0')).toMatchObject({ code: 'delivery_hangs', tries: 1 });

  await jest.advanceTimersByTimeAsync(600_000);
  expect(tried.length).toBe(SICK_RUNS + 1);
  ended.resolve(false);
  await jest.advanceTimersByTimeAsync(0);
  expect([stored, records.size]).toEqual([[], 0]);
  runs.stop();
});

test('a held run is tried as often as a message of the inbox before it is parked', async () => {
  const { records, runs, tried } = heldRuns(async () => {
    throw new ReinsError({ code: 'bus_unavailable', message: 'no response' });
  });
  await runs.hold(HEALTHY, messageOf(HEALTHY), undefined);
  await jest.advanceTimersByTimeAsync(100 + 1_000 + 5_000 + 15_000);
  expect([tried.length, records.size]).toEqual([5, 0]);
  await jest.advanceTimersByTimeAsync(30_000);
  expect([tried.length, records.get('parked.0.ws.healthy')]).toEqual([6, expect.objectContaining({ tries: 1 })]);
  runs.stop();
});

test('messages that are held after a takeover are not suspected of a crash', async () => {
  const { runs, stored, suspects, tried } = heldRuns(async () => {
    if (tried.length === 1) await runs.hold(HEALTHY, messageOf(HEALTHY), undefined);
    return false;
  });
  stored.push({ ...messageOf(HEALTHY), heldSeq: 1, held: heldSubject(HEALTHY, 1) });
  await runs.start();
  await jest.advanceTimersByTimeAsync(0);
  expect([tried.length, suspects, stored]).toEqual([2, [1], []]);
  runs.stop();
});
