import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Appender, Blobs, type Bus, connectBus, type Lease, openBucket, provision } from '@reins/bus';
import { type AnyEvent, type CommandRunSubmit, isObject, ReinsError, type RunAddress } from '@reins/contracts';
import {
  type Entry,
  type EntryDraft,
  type JournalStore,
  loadThroughArchive,
  sealEntries,
  streamJournalStore,
} from '@reins/journal';
import { journalPort, openBusJournals, verifyBusJournal } from '@reins/journal/bus';
import { startNats, type TestNats } from '@reins/testing';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import { BusOwner, headOf, PARTITIONS, processesOf, submission } from '../testing/bus-owner.ts';
import { NO_PROGRESS } from '../testing/no-progress.ts';
import { type ArchivePorts, archiveRuns } from './archive-runs.ts';
import { archiveStreams } from './archive-streams.ts';
import { clockOf } from './clock.ts';
import { LiveRunIndex } from './live-run-index.ts';
import { OwnedJournal } from './owned-journal.ts';
import { type ArchivePosition, RunArchiver, type RunArchiverPorts } from './run-archiver.ts';

const AT = '2026-01-01T00:00:00.000Z';

let nats: TestNats;
let bus: Bus;
let appender: Appender;
let packs: Blobs;
let journal: JournalStore;
let runs = 0;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
  appender = new Appender(bus, { stream: 'JOURNAL' });
  packs = await Blobs.open(bus, 'archive');
  journal = streamJournalStore(journalPort(bus, appender, await Blobs.open(bus)), { partitions: PARTITIONS });
});

afterAll(async () => {
  appender.close();
  await bus.close();
  await nats.stop();
});

const filterOf = ({ runId }: RunAddress): string => `journal.*.ws.${runId}`;

async function messagesOf(run: RunAddress): Promise<number> {
  const { state } = await bus.jsm.streams.info('JOURNAL', { subjects_filter: filterOf(run) });
  return Object.values(state.subjects ?? {})[0] ?? 0;
}

/** Writes a run of three commits. */
async function written(ended = true): Promise<{ readonly run: RunAddress; readonly entries: readonly Entry[] }> {
  runs += 1;
  const run = { workspaceId: 'ws', runId: `written-${runs}` };
  const created = {
    workspaceId: 'ws',
    sessionId: run.runId,
    agentId: 'main',
    revision: 'a'.repeat(64),
    process: { id: 'p', codeHash: 'c' },
    inputs: null,
    session: {},
    idempotencyKey: run.runId,
  };
  const drafts: EntryDraft[] = [
    { type: 'RUN_CREATED', data: created },
    { type: 'PROCESS_LOG', data: { message: 'x'.repeat(1_000) } },
    ended ? { type: 'RUN_COMPLETED', data: { output: 1 } } : { type: 'PROCESS_LOG', data: { message: 'on' } },
  ];
  const entries = sealEntries({ version: 0, hash: '' }, drafts, AT);
  let position = 0;
  for (const entry of entries) {
    const appended = await journal.append(run, { entries: [entry], epoch: 1 }, position);
    if (appended.outcome === 'stored') position = appended.position;
  }
  return { run, entries };
}

const ports = (more: Partial<ArchivePorts> = {}): ArchivePorts => ({
  journal,
  packs,
  purge: async (run, seq) => {
    await bus.jsm.streams.purge('JOURNAL', { filter: filterOf(run), seq });
  },
  epoch: () => 1,
  clock: { now: () => new Date() },
  onFailure: (_, error) => {
    throw error;
  },
  ...more,
});

const load: JournalStore['load'] = (run) => loadThroughArchive(journal.load, (ref) => packs.get(ref))(run);

describe('ended runs', () => {
  test('leave the stream in one pack; a stub stays, reads are unchanged, and a late append is fenced', async () => {
    const all = await Promise.all([written(), written(), written()]);
    expect(
      await archiveRuns(
        ports(),
        all.map(({ run }) => run),
      ),
    ).toBe(3);
    const journals = await openBusJournals(bus, { partitions: PARTITIONS });
    const refs = new Set<string>();
    for (const { run, entries } of all) {
      expect(await messagesOf(run)).toBe(1);
      const loaded = await load(run);
      expect(loaded.entries.slice(0, 3)).toEqual(entries);
      expect(await verifyBusJournal(journals, run)).toMatchObject({ problems: [], entries: 4, isArchived: true });
      const [stub] = (await journal.load(run)).entries;
      if (stub?.type === 'RUN_ARCHIVED') refs.add(stub.data.archiveRef.sha256);
      const late = sealEntries(
        { version: 3, hash: entries[2]?.hash ?? '' },
        [{ type: 'PROCESS_LOG', data: { message: 1 } }],
        AT,
      );
      expect(await journal.append(run, { entries: late, epoch: 1 }, loaded.position - 1)).toEqual({
        outcome: 'fenced',
      });
    }
    expect(refs.size).toBe(1);
    expect(
      await archiveRuns(
        ports(),
        all.map(({ run }) => run),
      ),
    ).toBe(0);
  });

  test('stay in the stream when they have not ended, or when their journal is corrupted', async () => {
    const alive = await written(false);
    const corrupted = await written();
    const refused: string[] = [];
    const load: JournalStore['load'] = async (run) => {
      if (run.runId !== corrupted.run.runId) return journal.load(run);
      throw new ReinsError({ code: 'journal_corrupt', message: 'torn' });
    };
    const broken = { ...journal, load };
    const refuse = (run: RunAddress) => void refused.push(run.runId);
    expect(await archiveRuns(ports({ journal: broken, onFailure: refuse }), [alive.run, corrupted.run])).toBe(0);
    expect(refused).toEqual([corrupted.run.runId]);
    expect(await messagesOf(alive.run)).toBe(3);
    expect(await messagesOf(corrupted.run)).toBe(3);
  });
});

/** The calls before and after which an owner may crash. */
const PLACES = ['put', 'get', 'append', 'purge'] as const;
const DEATHS = PLACES.flatMap((place) =>
  [0, 1].flatMap((at) => [
    { place, at, done: false },
    { place, at, done: true },
  ]),
);

describe('an owner that crashes while it archives', () => {
  test.each(DEATHS)('at call $at of $place, done: $done', async ({ place, at, done }) => {
    const all = [await written(), await written()];
    let calls = 0;
    const crashAt = <A extends unknown[], R>(here: string, work: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        const dies = here === place && calls++ === at;
        if (dies && !done) throw new Error('dead');
        const result = await work(...args);
        if (dies) throw new Error('dead');
        return result;
      };
    };
    const crashing = ports({
      packs: { put: crashAt('put', (pack) => packs.put(pack)), get: crashAt('get', (ref) => packs.get(ref)) },
      journal: { load: journal.load, append: crashAt('append', journal.append) },
      purge: crashAt('purge', ports().purge),
    });
    await archiveRuns(
      crashing,
      all.map(({ run }) => run),
    ).catch(() => {});
    for (const { run, entries } of all) expect((await load(run)).entries.slice(0, 3)).toEqual(entries);
    await archiveRuns(
      ports(),
      all.map(({ run }) => run),
    );
    for (const { run, entries } of all) {
      const { entries: after } = await load(run);
      expect(after.slice(0, 3)).toEqual(entries);
      expect(after.map(({ type }) => type).filter((type) => type === 'RUN_ARCHIVED')).toHaveLength(1);
      expect(await messagesOf(run)).toBe(1);
    }
  });
});

describe('a control bus', () => {
  const PROCESSES: Readonly<Record<string, BuiltInProcess['run']>> = {
    quick: (context) => context.step('add', () => 42),
    waiter: (context) => context.signal('go'),
  };
  const processOf = processesOf(PROCESSES);
  const submit = (requestId: string, process: string): CommandRunSubmit => submission(requestId, { process });

  /** Resolves when each of these runs has published an event of the type. */
  function eventsOf(type: string, ids: readonly string[]): Promise<AnyEvent[]> {
    const { promise, resolve } = Promise.withResolvers<AnyEvent[]>();
    const found: AnyEvent[] = [];
    const subscription = bus.nc.subscribe(`${type}.ws.*`, {
      callback: (_, message) => {
        const event = message.json<AnyEvent>();
        if (!ids.includes(event.requestId)) return;
        found.push(event);
        if (found.length < ids.length) return;
        subscription.unsubscribe();
        resolve(found);
      },
    });
    return promise;
  }

  async function until(condition: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + 60_000;
    while (!(await condition())) {
      if (Date.now() > end) throw new Error('condition not met in time');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Leases of all partitions under the newest epoch of these runs. */
  async function leasesOf(ids: readonly string[]): Promise<Lease[]> {
    const journals = await Promise.all(ids.map((runId) => journal.load({ workspaceId: 'ws', runId })));
    const epoch = Math.max(...journals.map((each) => each.epoch ?? 0));
    return Array.from({ length: PARTITIONS }, (_, partition): Lease => {
      return { partition, epoch, valid: true, signal: new AbortController().signal, raiseEpoch: async () => {} };
    });
  }

  const archiving = async (leases: readonly Lease[]): Promise<RunArchiver[]> => {
    const positions = await openBucket<ArchivePosition>(bus, 'positions');
    const archive: RunArchiverPorts = {
      streams: archiveStreams(bus, PARTITIONS),
      positions,
      packs,
      clock: clockOf(() => new Date()),
      log: { debug: () => {}, warn: () => {}, error: () => {} },
      archiveAfterMs: 0,
      inline: async (commit) => commit,
      removeCheckpoint: async () => {},
      onSkipped: () => {},
    };
    const liveRuns = { index: new LiveRunIndex(() => {}), ready: async () => {} };
    const owned = {
      store: journal,
      fetchPack: packs.get.bind(packs),
      liveRuns,
      checkpoints: { onAppend() {} },
      progress: NO_PROGRESS,
    };
    return leases.map((lease) => new RunArchiver(archive, new OwnedJournal({ ...owned, lease })));
  };

  test('archives ended runs only; late commands change nothing, and the next owner loads live runs only', async () => {
    let owner = await BusOwner.start(nats.url, processOf);
    const ids = Array.from({ length: 20 }, (_, n) => `quick-${n}`);
    const [done, waits] = [eventsOf('runtime.request.completed', ids), eventsOf('runtime.request.waiting', ['waits'])];
    await owner.send(submit('waits', 'waiter'), ...ids.map((id) => submit(id, 'quick')));
    expect((await done).map((event) => (isObject(event) ? event.output : undefined))).toEqual(ids.map(() => 42));
    await waits;
    const leases = await leasesOf(ids);
    const archivers = await archiving(leases);
    for (const archiver of archivers) archiver.start();
    const stubs = async (): Promise<number> => {
      const counts = await Promise.all(ids.map((runId) => messagesOf({ workspaceId: 'ws', runId })));
      return counts.filter((count) => count === 1).length;
    };
    await until(async () => (await stubs()) === ids.length);
    for (const archiver of archivers) await archiver.stop();
    expect((await journal.load({ workspaceId: 'ws', runId: 'waits' })).entries.at(-1)?.type).toBe('EFFECT_REQUESTED');
    // The position is stored, so nothing is swept twice.
    for (const archiver of await archiving(leases)) expect(await archiver.sweep()).toBe(0);

    await owner.stop();
    owner = await BusOwner.start(nats.url, processOf);
    await until(async () => owner.runs === 1);
    const again = eventsOf('runtime.request.completed', ['waits']);
    await owner.send(
      submit(ids[0] as string, 'quick'),
      { type: 'command.signal', ...headOf(ids[1] as string), idempotencyKey: 's', name: 'go', payload: 1 },
      { type: 'command.run.cancel', ...headOf(ids[2] as string), idempotencyKey: 'c' },
      { type: 'command.signal', ...headOf('waits'), idempotencyKey: 's', name: 'go', payload: 7 },
    );
    await again;
    await until(async () => (await bus.jsm.streams.info('INBOX')).state.messages === 0);
    const journals = await openBusJournals(bus, { partitions: PARTITIONS });
    for (const runId of ids.slice(0, 3)) {
      const { entries } = await journals.load({ workspaceId: 'ws', runId });
      expect(entries.map(({ type }) => type).slice(-2)).toEqual(['RUN_COMPLETED', 'RUN_ARCHIVED']);
    }
    await owner.stop();
  });
});
