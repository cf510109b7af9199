import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Appender, Blobs, type Bus, connectBus, type Lease, OrderedPublisher, provision } from '@reins/bus';
import { EMPTY_HEAD, type EntryDraft, sealEntries, streamJournalStore } from '@reins/journal';
import { journalPort } from '@reins/journal/bus';
import { startNats, type TestNats } from '@reins/testing';
import { NO_PROGRESS } from '../testing/no-progress.ts';
import { liveRuns } from './live-runs.ts';
import { OwnedJournal } from './owned-journal.ts';
import { OwnedLiveRuns, openLiveRuns } from './owned-live-runs.ts';

const AT = '2026-01-01T00:00:00.000Z';
const log = { warn: () => {} };

let nats: TestNats;
let bus: Bus;
let blobs: Blobs;
let appender: Appender;
let publisher: OrderedPublisher;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 1, replicas: 1, runtimeIds: [] });
  blobs = await Blobs.open(bus);
  appender = new Appender(bus, { stream: 'JOURNAL' });
  publisher = new OrderedPublisher(bus);
});

afterAll(async () => {
  appender.close();
  await publisher.close();
  await bus.close();
  await nats.stop();
});

const runOf = (runId: string) => ({ workspaceId: 'ws', runId });
const lease = (epoch: number): Lease => ({
  partition: 0,
  epoch,
  valid: true,
  signal: new AbortController().signal,
  raiseEpoch: async () => {},
});

/** The live runs of an owner under this lease. */
const ownedUnder = async (lease: Lease): Promise<OwnedLiveRuns> =>
  new OwnedLiveRuns(await openLiveRuns(bus, blobs, log), lease);

/** A run that appends through the journal of its owner. */
function running(owned: OwnedLiveRuns, runId: string) {
  const run = runOf(runId);
  const journal = new OwnedJournal({
    lease: lease(1),
    store: streamJournalStore(journalPort(bus, appender, blobs), { partitions: 1 }),
    fetchPack: () => Promise.reject(new Error('nothing is archived')),
    liveRuns: owned,
    checkpoints: { onAppend: () => {} },
    progress: NO_PROGRESS,
  });
  let last = '';
  let head = EMPTY_HEAD;
  let position = 0;
  return {
    append: async (...types: string[]): Promise<void> => {
      const drafts = types.map((type) => ({ type, data: { runId } }) as unknown as EntryDraft);
      const entries = sealEntries(head, drafts, AT);
      const appended = await journal.append(run, { entries, epoch: 1 }, position);
      if (appended.outcome === 'fenced') throw new Error('fenced');
      head = { version: head.version + types.length, hash: entries.at(-1)?.hash ?? '' };
      position = appended.position;
      last = types.at(-1) ?? '';
    },
    settle: () => journal.settled(run, { type: last, version: head.version }),
  };
}

/** Schedules a timer for the run at this version. */
async function sleepingSince(runId: string, version: number): Promise<void> {
  const headers = { id: `${runId}.${version}`, type: 'timer.due', source: 'test', time: AT, version };
  await publisher.publishAll([{ subject: `schedule.0.ws.${runId}.e1.expiry`, data: new Uint8Array(), headers }]);
}

const ids = (runs: readonly { runId: string }[]): string[] => runs.map(({ runId }) => runId).sort();

describe('live runs of a new owner', () => {
  test('come from the snapshot and from later commits, including ends that may not have been published', async () => {
    const first = await ownedUnder(lease(1));
    expect(await first.takeOver()).toEqual([]);
    const over = running(first, 'over');
    await over.append('RUN_CREATED', 'RUN_COMPLETED');
    over.settle();
    const works = running(first, 'works');
    await works.append('RUN_CREATED');
    works.settle();
    const sleeps = running(first, 'sleeps');
    await sleeps.append('RUN_CREATED', 'PROCESS_LOG');
    sleeps.settle();
    await sleepingSince('sleeps', 2);
    const wakes = running(first, 'wakes');
    await wakes.append('RUN_CREATED');
    wakes.settle();
    await sleepingSince('wakes', 1);
    await first.save();
    // After the snapshot the owner continues, and crashes.
    await wakes.append('PROCESS_LOG');
    const late = running(first, 'late');
    await late.append('RUN_CREATED', 'RUN_FAILED');

    const second = await ownedUnder(lease(2));
    expect(ids(await second.takeOver())).toEqual(['late', 'wakes', 'works']);
    const { index } = second;
    expect(['over', 'works', 'sleeps', 'wakes', 'late'].filter((runId) => index.has(runOf(runId)))).toEqual([
      'works',
      'sleeps',
      'wakes',
      'late',
    ]);
    expect(index.snapshot()?.runs).toEqual({ 'ws.works': 1, 'ws.sleeps': 2, 'ws.wakes': 0, 'ws.late': 0 });
  });

  test('are found without a snapshot by reading every journal', async () => {
    const { owned, open } = await liveRuns(bus, blobs, 0, undefined);
    expect(ids(owned)).toEqual(['wakes', 'works']);
    expect([...open.keys()].sort()).toEqual(['ws.sleeps', 'ws.wakes', 'ws.works']);
  });

  test('are found when the snapshot is corrupted or belongs to another stream', async () => {
    const bucket = bus.jsm.streams;
    for (const text of ['{"stream":"another","page":{"seq":1,"runs":{}}}', '{"stream":', '{}']) {
      await bus.nc.request('$KV.positions.runs.0', text);
      expect(ids(await (await ownedUnder(lease(3))).takeOver())).toEqual(['wakes', 'works']);
      expect((await bucket.getMessage('KV_positions', { last_by_subj: '$KV.positions.runs.0' }))?.string()).toContain(
        'ws.sleeps',
      );
    }
  });

  test('are ready only when a snapshot exists', async () => {
    await bus.nc.request('$KV.positions.runs.0', '{}');
    const owned = await ownedUnder(lease(3));
    const page = () => bus.jsm.streams.getMessage('KV_positions', { last_by_subj: '$KV.positions.runs.0' });
    const found = owned.ready().then(page);
    await owned.takeOver();
    expect((await found)?.string()).toContain('ws.sleeps');
  });

  test('reject a takeover whose lease was not valid at the first snapshot, even if it is renewed later', async () => {
    await bus.nc.request('$KV.positions.runs.0', '{}');
    let isRenewed = false;
    const late: Lease = {
      ...lease(3),
      get valid() {
        return isRenewed;
      },
    };
    const owned = await ownedUnder(late);
    const ready = owned.ready();
    await expect(owned.takeOver()).rejects.toMatchObject({ code: 'partition_moved' });
    isRenewed = true;
    await expect(ready).rejects.toMatchObject({ code: 'partition_moved' });
  });

  test('stay in the index of the newer lease when the previous lease is released', async () => {
    const [previous, next] = [await ownedUnder(lease(3)), await ownedUnder(lease(4))];
    await previous.takeOver();
    await next.takeOver();
    await previous.save();
    expect(Object.keys(next.index.snapshot()?.runs ?? {}).sort()).toEqual(['ws.sleeps', 'ws.wakes', 'ws.works']);
  });

  test('are taken over under a lower epoch, after the leases were restored from an earlier copy', async () => {
    await (await ownedUnder(lease(9))).takeOver();
    const two = await ownedUnder(lease(2));
    expect(ids(await two.takeOver())).toEqual(['wakes', 'works']);
    await two.ready();
    expect(two.index.snapshot()).toBeDefined();
  });

  test('are not lost through a snapshot of a previous owner that has not noticed its loss', async () => {
    const [stale, next] = [await ownedUnder(lease(4)), await ownedUnder(lease(5))];
    await stale.takeOver();
    await next.takeOver();
    const startedLater = running(next, 'started-later');
    await startedLater.append('RUN_CREATED');
    // The previous owner was paused before this append, and assumes that it has seen all earlier commits.
    const woken = running(stale, 'woken');
    await woken.append('RUN_CREATED');
    await stale.save();
    const third = await ownedUnder(lease(6));
    expect(ids(await third.takeOver())).toEqual(['started-later', 'wakes', 'woken', 'works']);
    await Promise.all([startedLater.append('RUN_COMPLETED'), woken.append('RUN_COMPLETED')]);
  });

  test('may be many: their snapshot is a blob, and the previous blob is removed', async () => {
    const owned = await ownedUnder(lease(4));
    await owned.takeOver();
    const count = async (): Promise<number> => {
      let found = 0;
      for await (const _ of (await Blobs.open(bus, 'archive')).list()) found += 1;
      return found;
    };
    const many = (from: number) =>
      Promise.all(
        Array.from({ length: 1_500 }, async (_, n) => {
          const run = running(owned, `a-run-with-quite-a-long-name-so-that-its-page-is-long-${from + n}`);
          await run.append('RUN_CREATED');
          run.settle();
        }),
      );
    await many(0);
    await owned.save();
    await many(2_000);
    await owned.save();
    expect(await count()).toBe(1);
    expect((await (await ownedUnder(lease(5))).takeOver()).length).toBe(3_002);
  });
});
