import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { HeldMessage } from '@reins/bus';
import { type ParkedRun, parkedKeyOf, ReinsError } from '@reins/contracts';
import { RunNotStarted } from '../run/lifecycle/run-errors.ts';
import { clockOf } from './clock.ts';
import { HeldRuns } from './held-runs.ts';
import type { InboxMessage } from './inbox.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const RUN = { workspaceId: 'ws', runId: 'r' };
const SICK = { code: 'journal_newer', message: 'for a newer version' } as const;

const message = (seq: number, type = 'command.run.pause'): InboxMessage => ({
  subject: `inbox.0.${type}.ws.r`,
  data: new TextEncoder().encode('{}'),
  seq,
  deliveries: 1,
  event: { id: `m${seq}`, type, source: 'test', time: '' },
  clearPoisonSuspicion: async () => {},
});

/** Held runs over messages in memory. `handle` is what the owner does with each message. */
function heldRuns(handle: (seq: number) => boolean, isBusy = () => false) {
  const stored: HeldMessage[] = [];
  const records = new Map<string, ParkedRun>();
  const tries: number[] = [];
  const warnings: string[] = [];
  let reads = 0;
  const runs = new HeldRuns(
    {
      log: { warn: (_: object, text: string) => void warnings.push(text), error() {} } as never,
      clock: clockOf(() => new Date()),
      random: () => 1,
      messages: {
        add: async (_, { data, event, seq, subject }) =>
          void stored.push({ heldSeq: stored.length + 1, data, event, seq, subject }),
        read: async () => {
          reads += 1;
          return stored.toSorted((a, b) => a.seq - b.seq);
        },
        remove: async (handled) => {
          for (const each of handled) stored.splice(stored.indexOf(each), 1);
        },
        runs: async () => (stored.length > 0 ? [RUN] : []),
        deadLetter: async () => {},
      },
      parked: {
        put: async (partition, record) => void records.set(parkedKeyOf(partition, RUN), record),
        delete: async (partition) => void records.delete(parkedKeyOf(partition, RUN)),
        list: async () => [...records.values()],
      },
      quarantine: { admit: (_, work) => work.handle(async () => {}) },
    },
    {
      partition: 0,
      handle: async ({ seq }) => {
        tries.push(seq);
        return handle(seq);
      },
      giveUp: async () => {},
      isBusy,
      isOwner: () => true,
      verifyOwner: async () => true,
    },
  );
  return { runs, stored, records, tries, warnings, reads: () => reads };
}

const fail = (): never => {
  throw new ReinsError(SICK);
};

test('a run that keeps failing is parked with its reason, and tried again after growing delays', async () => {
  const { records, runs, tries } = heldRuns(fail);
  await runs.hold(RUN, message(1), SICK);
  await runs.hold(RUN, message(2), undefined);
  expect(records.get('parked.0.ws.r')).toMatchObject({ requestId: 'r', ...SICK, tries: 1 });
  await jest.advanceTimersByTimeAsync(29_999);
  expect(tries).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect([tries, records.get('parked.0.ws.r')?.tries]).toEqual([[1], 2]);
  await jest.advanceTimersByTimeAsync(59_999);
  expect(tries).toEqual([1]);
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(tries.length).toBeLessThan(13);
  runs.stop();
});

test('a submission without a place in memory is tried, although a command that waits for it is held later', async () => {
  let isBusy = true;
  const { runs, tries } = heldRuns(
    () => false,
    () => isBusy,
  );
  await runs.hold(RUN, message(1, 'command.run.submit'), undefined);
  await runs.hold(RUN, message(2), 'waits');
  isBusy = false;
  runs.onIdle('r');
  await jest.advanceTimersByTimeAsync(0);
  expect(tries).toEqual([1, 2]);
  runs.stop();
});

test('a run that keeps as many signals as it may is read after growing delays, until it takes one', async () => {
  let hasSpace = false;
  const { reads, runs, tries } = heldRuns((seq) => {
    if (hasSpace && seq === 1) return false;
    throw new ReinsError({ code: 'signals_full', message: 'full' });
  });
  await runs.hold(RUN, message(1, 'command.signal'), 'full');
  await runs.hold(RUN, message(2, 'command.signal'), undefined);
  await jest.advanceTimersByTimeAsync(61_000);
  expect(reads()).toBe(6);
  hasSpace = true;
  await jest.advanceTimersByTimeAsync(16_000);
  const before = reads();
  await jest.advanceTimersByTimeAsync(1_000);
  expect([tries.includes(1), reads() > before]).toEqual([true, true]);
  runs.stop();
});

test('reads and reports nothing after it has stopped', async () => {
  const { reads, runs, stored, warnings } = heldRuns(() => false);
  stored.push({ ...message(1), heldSeq: 1 });
  const started = runs.start();
  runs.stop();
  await started;
  await jest.advanceTimersByTimeAsync(60_000);
  expect([reads(), warnings]).toEqual([0, []]);
});

test('an operator unparks it: its messages are handled in the order of the inbox, and the record is removed', async () => {
  let isFixed = false;
  const { records, runs, stored, tries } = heldRuns(() => isFixed || fail());
  await runs.hold(RUN, message(3), SICK);
  await runs.hold(RUN, message(1), undefined);
  expect(runs.holds(RUN, 'command.run.pause')).toBe(true);
  isFixed = true;
  runs.release(RUN);
  await jest.advanceTimersByTimeAsync(0);
  expect([tries, stored, records.size]).toEqual([[1], [], 0]);
  expect(runs.holds(RUN, 'command.run.pause')).toBe(false);
  runs.stop();
});

test('stays parked with its next owner, which tries it again soon', async () => {
  const before = heldRuns(fail);
  await before.runs.hold(RUN, message(1), SICK);
  before.runs.stop();
  const next = heldRuns(fail);
  next.stored.push(...before.stored);
  for (const [key, record] of before.records) next.records.set(key, record);
  await next.runs.start();
  expect([next.runs.holds(RUN, 'command.run.pause'), next.tries]).toEqual([true, []]);
  await jest.advanceTimersByTimeAsync(30_000);
  expect([next.tries, next.records.get('parked.0.ws.r')?.tries]).toEqual([[1], 2]);
  next.runs.stop();
});

test('messages that start or end a run are not held behind others', async () => {
  const { runs, tries } = heldRuns(() => false);
  await runs.hold(RUN, message(1), 'waits');
  expect(runs.holds(RUN, 'command.run.cancel')).toBe(false);
  await jest.advanceTimersByTimeAsync(600_000);
  expect(tries).toEqual([]);
  await runs.hold(RUN, message(2, 'command.run.submit'), undefined);
  await jest.advanceTimersByTimeAsync(0);
  expect(tries).toEqual([2, 1]);
  runs.stop();
});

test('a resumption goes before the signals of its run, also before those that were read already', async () => {
  let isBusy = true;
  let sent = false;
  const held = heldRuns(
    (seq) => {
      if (seq === 1) {
        sent = true;
        void held.runs.hold(RUN, message(101, 'command.run.resume'), undefined);
      }
      return false;
    },
    () => isBusy,
  );
  for (let seq = 1; seq <= 100; seq += 1) await held.runs.hold(RUN, message(seq, 'command.signal'), undefined);
  isBusy = false;
  held.runs.onIdle('r');
  await jest.advanceTimersByTimeAsync(0);
  expect([sent, held.tries.length, held.stored]).toEqual([true, 101, []]);
  // It was sent during the first turn, which handles 32 messages.
  expect(held.tries.indexOf(101)).toBe(32);
  expect(held.tries.filter((seq) => seq !== 101)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  held.runs.stop();
});

test('pauses and resumptions go before signals only, in their order', async () => {
  const { runs, stored, tries } = heldRuns(() => false);
  const types = ['signal', 'run.assign', 'signal', 'run.pause', 'signal', 'run.resume', 'run.answer', 'run.resume'];
  stored.push(...types.map((type, index) => ({ ...message(index, `command.${type}`), heldSeq: index })));
  await runs.start();
  await jest.advanceTimersByTimeAsync(0);
  expect(tries.map((seq) => `${seq} ${types[seq]}`)).toEqual([
    '0 signal',
    '1 run.assign',
    '3 run.pause',
    '5 run.resume',
    '2 signal',
    '4 signal',
    '6 run.answer',
    '7 run.resume',
  ]);
  runs.stop();
});

test('a cancellation does not wait in front of the submission that it needs', async () => {
  let hasStarted = false;
  const { runs, stored, tries } = heldRuns((seq) => {
    if (seq === 2) hasStarted = true;
    if (!hasStarted) throw new RunNotStarted('the request is about to start');
    return false;
  });
  stored.push({ ...message(1, 'command.run.cancel'), heldSeq: 1 });
  stored.push({ ...message(2, 'command.run.submit'), heldSeq: 2 });
  await runs.start();
  await jest.advanceTimersByTimeAsync(0);
  expect(tries).toEqual([2, 1]);
  runs.stop();
});
