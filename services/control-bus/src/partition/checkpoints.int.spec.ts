import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Blobs, type Bus, connectBus, provision, readSubject } from '@reins/bus';
import { type AnyEvent, type CommandRunSubmit, isObject, journalSubject, type RunAddress } from '@reins/contracts';
import type { CheckpointStore } from '@reins/journal';
import { openBusJournals, openCheckpoints, verifyBusJournal } from '@reins/journal/bus';
import { startNats, type TestNats, until } from '@reins/testing';
import { BusOwner, headOf, PARTITIONS, processesOf, submission } from '../testing/bus-owner.ts';

let nats: TestNats;
let bus: Bus;
let checkpoints: CheckpointStore;

/** Two entries per step: two parts, and some entries more. */
const STEPS = 1_100;
const RUN: RunAddress = { workspaceId: 'ws', runId: 'long' };
const SUBJECT = journalSubject(RUN, PARTITIONS);

const processOf = processesOf({
  long: async (context) => {
    let sum = 0;
    for (let n = 0; n < STEPS; n += 1) sum += await context.step('add', () => n);
    await context.signal('go');
    return sum;
  },
});

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
  checkpoints = await openCheckpoints(bus);
});

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

/** Resolves with the run's next event of the type. */
function nextEvent(type: string): Promise<AnyEvent> {
  const { promise, resolve } = Promise.withResolvers<AnyEvent>();
  bus.nc.subscribe(`${type}.ws.${RUN.runId}`, { max: 1, callback: (_, message) => resolve(message.json()) });
  return promise;
}

const submit: CommandRunSubmit = submission(RUN.runId, { process: 'long' });

test('a long run gets a checkpoint; its next owner loads it, and archiving removes it', async () => {
  const first = await BusOwner.start(nats.url, processOf);
  const waits = nextEvent('runtime.request.waiting');
  await first.send(submit);
  await waits;
  const kept = await until(async () => {
    const found = await checkpoints.find(RUN);
    return found?.checkpoint.parts.length === 2 && found.checkpoint;
  });
  expect(kept.version).toBeGreaterThanOrEqual(2_048);
  await first.kill();

  // Commits before the checkpoint are not read.
  const { value: beginning } = await readSubject(bus, 'JOURNAL', SUBJECT).next();
  await bus.jsm.streams.deleteMessage('JOURNAL', beginning?.seq ?? 0);
  const journals = await openBusJournals(bus, { partitions: PARTITIONS });
  expect((await verifyBusJournal(journals, RUN)).problems).toMatchObject([{ code: 'journal_corrupt' }]);
  const next = await BusOwner.start(nats.url, processOf, { archiveAfterMs: 1 });
  const done = nextEvent('runtime.request.completed');
  await next.send({ type: 'command.signal', ...headOf(RUN.runId), idempotencyKey: 's', name: 'go', payload: 1 });
  const event = await done;
  expect(isObject(event) && event.output).toBe((STEPS * (STEPS - 1)) / 2);

  const parts = await Blobs.open(bus, 'archive');
  await until(async () => (await bus.jsm.streams.info('JOURNAL')).state.messages === 1);
  expect(await checkpoints.find(RUN)).toBeUndefined();
  for (const { sha256 } of kept.parts) expect(await parts.has(sha256)).toBe(false);
  const { entries, head } = await journals.load(RUN);
  expect(
    entries
      .slice(0, 1)
      .concat(entries.slice(-2))
      .map(({ type }) => type),
  ).toEqual(['RUN_CREATED', 'RUN_COMPLETED', 'RUN_ARCHIVED']);
  expect(head.version).toBe(entries.length);
  await next.stop();
}, 30_000);
