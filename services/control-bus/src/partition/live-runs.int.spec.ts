import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Appender, Blobs, type Bus, connectBus, type Lease, OrderedPublisher, provision } from '@reins/bus';
import { EMPTY_HEAD, type EntryDraft, sealEntries, streamJournalStore } from '@reins/journal';
import { journalPort } from '@reins/journal/bus';
import { startNats, type TestNats } from '@reins/testing';
import type { RunPorts } from '../run/run-ports.ts';
import { LiveRunIndexes } from './live-run-indexes.ts';
import { liveRuns } from './live-runs.ts';

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

/** A run that appends through the index, like its owner's actor. */
function running(liveRunIndexes: LiveRunIndexes, under: Lease, runId: string) {
  const run = runOf(runId);
  const journal = streamJournalStore(journalPort(bus, appender, blobs), { partitions: 1 });
  const ports = liveRunIndexes.of(under).track(run, { journal, alarm: () => {} } as unknown as RunPorts);
  let head = EMPTY_HEAD;
  let position = 0;
  return {
    append: async (...types: string[]): Promise<void> => {
      const drafts = types.map((type) => ({ type, data: { runId } }) as unknown as EntryDraft);
      const entries = sealEntries(head, drafts, AT);
      const appended = await ports.journal.append(run, { entries, epoch: 1 }, position);
      if (appended.outcome === 'fenced') throw new Error('fenced');
      head = { version: head.version + types.length, hash: entries.at(-1)?.hash ?? '' };
      position = appended.position;
    },
    settle: () => ports.alarm(undefined),
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
    const first = await LiveRunIndexes.open(bus, blobs, log);
    const one = lease(1);
    expect(await first.takeOver(one)).toEqual([]);
    const over = running(first, one, 'over');
    await over.append('RUN_CREATED', 'RUN_COMPLETED');
    over.settle();
    const works = running(first, one, 'works');
    await works.append('RUN_CREATED');
    works.settle();
    const sleeps = running(first, one, 'sleeps');
    await sleeps.append('RUN_CREATED', 'PROCESS_LOG');
    sleeps.settle();
    await sleepingSince('sleeps', 2);
    const wakes = running(first, one, 'wakes');
    await wakes.append('RUN_CREATED');
    wakes.settle();
    await sleepingSince('wakes', 1);
    await first.save(one);
    // After the snapshot the owner continues, and crashes.
    await wakes.append('PROCESS_LOG');
    const late = running(first, one, 'late');
    await late.append('RUN_CREATED', 'RUN_FAILED');

    const second = await LiveRunIndexes.open(bus, blobs, log);
    const two = lease(2);
    expect(ids(await second.takeOver(two))).toEqual(['late', 'wakes', 'works']);
    const index = second.of(two);
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
      const liveRunIndexes = await LiveRunIndexes.open(bus, blobs, log);
      expect(ids(await liveRunIndexes.takeOver(lease(3)))).toEqual(['wakes', 'works']);
      expect((await bucket.getMessage('KV_positions', { last_by_subj: '$KV.positions.runs.0' }))?.string()).toContain(
        'ws.sleeps',
      );
    }
  });

  test('are ready only when a snapshot exists', async () => {
    await bus.nc.request('$KV.positions.runs.0', '{}');
    const liveRunIndexes = await LiveRunIndexes.open(bus, blobs, log);
    const page = () => bus.jsm.streams.getMessage('KV_positions', { last_by_subj: '$KV.positions.runs.0' });
    const three = lease(3);
    const found = liveRunIndexes.ready(three).then(page);
    await liveRunIndexes.takeOver(three);
    expect((await found)?.string()).toContain('ws.sleeps');
  });

  test('reject a takeover whose lease was not valid at the first snapshot, even if it is renewed later', async () => {
    await bus.nc.request('$KV.positions.runs.0', '{}');
    const liveRunIndexes = await LiveRunIndexes.open(bus, blobs, log);
    let isRenewed = false;
    const late: Lease = {
      ...lease(3),
      get valid() {
        return isRenewed;
      },
    };
    const ready = liveRunIndexes.ready(late);
    await expect(liveRunIndexes.takeOver(late)).rejects.toMatchObject({ code: 'partition_moved' });
    isRenewed = true;
    await expect(ready).rejects.toMatchObject({ code: 'partition_moved' });
  });

  test('stay in the index of the newer lease when the previous lease is released', async () => {
    const liveRunIndexes = await LiveRunIndexes.open(bus, blobs, log);
    const [three, four] = [lease(3), lease(4)];
    await liveRunIndexes.takeOver(three);
    await liveRunIndexes.takeOver(four);
    await liveRunIndexes.save(three);
    expect(Object.keys(liveRunIndexes.of(four).snapshot()?.runs ?? {}).sort()).toEqual([
      'ws.sleeps',
      'ws.wakes',
      'ws.works',
    ]);
  });

  test('are taken over under a lower epoch, after the leases were restored from an earlier copy', async () => {
    const liveRunIndexes = await LiveRunIndexes.open(bus, blobs, log);
    await liveRunIndexes.takeOver(lease(9));
    const two = lease(2);
    expect(ids(await liveRunIndexes.takeOver(two))).toEqual(['wakes', 'works']);
    await liveRunIndexes.ready(two);
    expect(liveRunIndexes.of(two).snapshot()).toBeDefined();
  });

  test('are not lost through a snapshot of a previous owner that has not noticed its loss', async () => {
    const [stale, next] = [await LiveRunIndexes.open(bus, blobs, log), await LiveRunIndexes.open(bus, blobs, log)];
    const [four, five] = [lease(4), lease(5)];
    await stale.takeOver(four);
    await next.takeOver(five);
    const startedLater = running(next, five, 'started-later');
    await startedLater.append('RUN_CREATED');
    // The previous owner was paused before this append, and assumes that it has seen all earlier commits.
    const woken = running(stale, four, 'woken');
    await woken.append('RUN_CREATED');
    await stale.save(four);
    const third = await LiveRunIndexes.open(bus, blobs, log);
    expect(ids(await third.takeOver(lease(6)))).toEqual(['started-later', 'wakes', 'woken', 'works']);
    await Promise.all([startedLater.append('RUN_COMPLETED'), woken.append('RUN_COMPLETED')]);
  });

  test('may be many: their snapshot is a blob, and the previous blob is removed', async () => {
    const liveRunIndexes = await LiveRunIndexes.open(bus, blobs, log);
    const four = lease(4);
    await liveRunIndexes.takeOver(four);
    const count = async (): Promise<number> => {
      let found = 0;
      for await (const _ of (await Blobs.open(bus, 'archive')).list()) found += 1;
      return found;
    };
    const many = (from: number) =>
      Promise.all(
        Array.from({ length: 1_500 }, async (_, n) => {
          const run = running(
            liveRunIndexes,
            four,
            `a-run-with-quite-a-long-name-so-that-its-page-is-long-${from + n}`,
          );
          await run.append('RUN_CREATED');
          run.settle();
        }),
      );
    await many(0);
    await liveRunIndexes.save(four);
    await many(2_000);
    await liveRunIndexes.save(four);
    expect(await count()).toBe(1);
    expect((await (await LiveRunIndexes.open(bus, blobs, log)).takeOver(lease(5))).length).toBe(3_002);
  });
});
