import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Appender, Blobs, type Bus, connectBus, provision } from '@reins/bus';
import { type JournalStore, sealEntries, streamJournalStore } from '@reins/journal';
import { journalStoreContract } from '@reins/journal/contract';
import { startNats, type TestNats } from '@reins/testing';
import { journalPort } from './journal-port.ts';

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
const newRun = () => ({ workspaceId: 'ws', runId: `run-${++runs}` });

describe('the journal on a real stream', () => {
  test.each(journalStoreContract)('$name', async ({ check }) =>
    check({ store: storeOf(0), other: storeOf(1), newRun }),
  );

  test('a commit that is too large for a message is kept whole', async () => {
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
