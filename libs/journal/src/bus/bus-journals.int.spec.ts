import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Appender, Blobs, type Bus, connectBus, provision } from '@reins/bus';
import { startNats, type TestNats } from '@reins/testing';
import { archiveStub, packJournals } from '../archive/pack.ts';
import { extendCheckpoint } from '../checkpoint/extend-checkpoint.ts';
import { journalStoreContract } from '../contract/index.ts';
import { type Entry, type EntryDraft, sealEntries } from '../entries/entry.ts';
import { foldRun } from '../state/apply-entry.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { streamJournalStore } from '../store/stream-store.ts';
import { draft, requestedDraft } from '../testing/journals.ts';
import { openBusJournals } from './bus-journals.ts';
import { openCheckpoints } from './checkpoint-store.ts';
import { journalPort } from './journal-port.ts';
import { verifyBusJournal } from './verify-bus-journal.ts';

const PARTITIONS = 4;

let nats: TestNats;
const replicas: { readonly bus: Bus; readonly appender: Appender; readonly store: JournalStore }[] = [];
let runs = 0;

beforeAll(async () => {
  nats = await startNats();
  for (const name of ['one', 'other']) {
    const bus = await connectBus({ servers: nats.url, name });
    await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
    const appender = new Appender(bus, { stream: 'JOURNAL' });
    const store = streamJournalStore(journalPort(bus, appender, await Blobs.open(bus)), { partitions: PARTITIONS });
    replicas.push({ bus, appender, store });
  }
});

afterAll(async () => {
  for (const { appender, bus } of replicas) {
    await appender.close();
    await bus.close();
  }
  await nats.stop();
});

const storeOf = (index: number): JournalStore => (replicas[index] as (typeof replicas)[number]).store;

/** A store with a checkpoint part for every two entries, which looks up checkpoints for every journal. */
async function withCheckpoints(index: number): Promise<JournalStore> {
  const { bus, appender } = replicas[index] as (typeof replicas)[number];
  const [port, checkpoints] = [journalPort(bus, appender, await Blobs.open(bus)), await openCheckpoints(bus)];
  const store = streamJournalStore(port, { partitions: PARTITIONS, checkpoints, checkpointThreshold: 1 });
  return {
    ...store,
    append: async (run, ...rest) => {
      const answer = await store.append(run, ...rest);
      await extendCheckpoint({ port, checkpoints, partitions: PARTITIONS, every: 2 }, run);
      return answer;
    },
  };
}

const newRun = () => ({ workspaceId: 'ws', runId: `run-${++runs}` });

describe('the journal on a real stream', () => {
  test.each(journalStoreContract)('$name', async ({ check }) =>
    check({ store: storeOf(0), other: storeOf(1), newRun }),
  );

  test.each(journalStoreContract)('with checkpoints on a real bus: $name', async ({ check }) =>
    check({ store: await withCheckpoints(0), other: await withCheckpoints(1), newRun }),
  );

  test('a commit larger than a message is stored completely', async () => {
    const run = newRun();
    const created = {
      workspaceId: 'ws',
      sessionId: 's',
      agentId: 'main',
      revision: 'a'.repeat(64),
      process: { id: 'pipeline', codeHash: 'c' },
      inputs: { input: 'x'.repeat(2_000_000) },
      session: {},
      idempotencyKey: 'k',
    };
    const entries = sealEntries(
      { version: 0, hash: '' },
      [{ type: 'RUN_CREATED', data: created }],
      '2026-01-01T00:00:00.000Z',
    );
    expect(await storeOf(0).append(run, { entries, epoch: 1 }, 0)).toMatchObject({ outcome: 'stored' });
    expect((await storeOf(1).load(run)).entries).toEqual(entries);
  });
});

describe('verification of a journal on a real stream', () => {
  const AT = '2026-01-01T00:00:00.000Z';
  const created = draft('RUN_CREATED', {
    workspaceId: 'ws',
    sessionId: 's',
    agentId: 'main',
    revision: 'a'.repeat(64),
    process: { id: 'pipeline', codeHash: 'c' },
    inputs: null,
    session: {},
    idempotencyKey: 'k',
  });
  const encoder = new TextEncoder();

  /** An ended run with a result in the blobs. */
  async function ended(value: string) {
    const { bus } = replicas[0] as (typeof replicas)[number];
    const valueRef = await (await Blobs.open(bus)).put(encoder.encode(JSON.stringify(value)));
    const drafts: EntryDraft[] = [
      created,
      requestedDraft('e1', 'step', { name: 'large' }),
      draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', valueRef }),
      draft('RUN_COMPLETED', { output: 1 }),
    ];
    const run = newRun();
    const entries = sealEntries({ version: 0, hash: '' }, drafts, AT);
    const answer = await storeOf(0).append(run, { entries, epoch: 1 }, 0);
    const journals = await openBusJournals(bus, { partitions: PARTITIONS });
    return { bus, run, entries, valueRef, journals, position: answer.outcome === 'stored' ? answer.position : 0 };
  }

  test('finds no problem in a valid journal whose blobs exist', async () => {
    const { run, entries, journals } = await ended('one');
    const head = { version: 4, hash: entries.at(-1)?.hash };
    expect(await verifyBusJournal(journals, run)).toEqual({
      problems: [],
      entries: 4,
      head,
      isArchived: false,
      blobs: 1,
    });
    expect(await verifyBusJournal(journals, newRun())).toMatchObject({ problems: [], entries: 0 });
  });

  test('finds no problem when the entries are in the archive', async () => {
    const { bus, run, entries, journals, position } = await ended('two');
    const archive = await Blobs.open(bus, 'archive');
    const archiveRef = await archive.put(await packJournals([{ run, entries }]));
    const state = foldRun(run, entries);
    const stub = sealEntries(state.head, [archiveStub(state, archiveRef)], AT);
    const answer = await storeOf(0).append(run, { entries: stub, epoch: 1 }, position);
    if (answer.outcome !== 'stored') throw new Error('fenced');
    await bus.jsm.streams.purge('JOURNAL', { filter: `journal.*.ws.${run.runId}`, seq: answer.position });
    expect((await journals.load(run)).entries).toEqual([...entries, ...stub]);
    expect(await verifyBusJournal(journals, run)).toMatchObject({
      problems: [],
      entries: 5,
      isArchived: true,
      blobs: 1,
    });
    await archive.remove(archiveRef.sha256);
    expect((await verifyBusJournal(journals, run)).problems).toMatchObject([{ code: 'blob_not_found' }]);
  });

  test('names the entry that references a missing blob', async () => {
    const { run, valueRef, journals } = await ended('three');
    await journals.blobs.remove(valueRef.sha256);
    expect((await verifyBusJournal(journals, run)).problems).toEqual([
      { code: 'blob_not_found', message: expect.stringContaining(valueRef.sha256), path: 'entries[3]' },
    ]);
  });

  test('names the invalid entry of a changed commit', async () => {
    const { bus, run, entries, journals, position } = await ended('four');
    const forged = { ...(entries[0] as Entry), version: 5, prev: entries.at(-1)?.hash ?? '' } as Entry;
    const appender = replicas[0]?.appender as Appender;
    const store = streamJournalStore(journalPort(bus, appender, journals.blobs), { partitions: PARTITIONS });
    await store.append(run, { entries: [forged], epoch: 1 }, position);
    const { problems } = await verifyBusJournal(journals, run);
    expect(problems).toMatchObject([{ code: 'journal_corrupt', path: 'entries[5]' }]);
  });
});
