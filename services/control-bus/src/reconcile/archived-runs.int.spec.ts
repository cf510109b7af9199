import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Bus, connectBus, openBucket, provision, readSubject, type StoredMessage } from '@reins/bus';
import { HEADERS, partitionOf } from '@reins/contracts';
import { startNats, type TestNats, until } from '@reins/testing';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import { directTool } from '../processes/direct-tool.ts';
import { BusOwner, headOf, PARTITIONS, processesOf, submission } from '../testing/bus-owner.ts';
import { type ReconciledPosition, reconciledKeyOf } from './reconciler-ports.ts';

/** The shortest age that a stream allows. */
const SHORT_NANOS = 100_000_000;
const CALL = { process: 'call', input: { toolId: 'mail.send', args: {} } };
const PROCESSES: Readonly<Record<string, BuiltInProcess['run']>> = { call: directTool.run };

let nats: TestNats;
let bus: Bus;
let owner: BusOwner;

const provisionStreams = () =>
  provision(bus, {
    managed: 'self',
    partitions: PARTITIONS,
    replicas: 1,
    runtimeIds: [],
  });
const startOwner = async (): Promise<void> => {
  owner = await BusOwner.start(nats.url, processesOf(PROCESSES), { archiveAfterMs: 1 });
};

async function facts(): Promise<readonly StoredMessage[]> {
  return Array.fromAsync(readSubject(bus, 'EVENTS', 'runtime.>'));
}
const subjects = async (): Promise<readonly string[]> => (await facts()).map(({ subject }) => subject);
const messagesIn = async (stream: string): Promise<number> => (await bus.jsm.streams.info(stream)).state.messages;

/** Up to where the facts of the run's partition are known to be complete. */
async function reconciledUpTo(runId: string): Promise<number> {
  const positions = await openBucket<ReconciledPosition>(bus, 'positions');
  const record = await positions.get(reconciledKeyOf(partitionOf(runId, PARTITIONS)));
  return record?.value.anchors[0]?.journal.seq ?? 0;
}

/** Cancels a call of a tool, and archives its run. @returns the position of its stub */
async function archivedCall(runId: string): Promise<number> {
  await owner.send(submission(runId, CALL));
  await until(async () => (await subjects()).includes(`runtime.tool.direct.requested.ws.${runId}`));
  await owner.send({ type: 'command.run.cancel', ...headOf(runId), idempotencyKey: 'cancel' });
  await until(async () => (await subjects()).includes(`runtime.request.cancelled.ws.${runId}`));
  // A new owner looks for runs to archive.
  await owner.stop();
  await startOwner();
  await until(async () => (await messagesIn('JOURNAL')) === 1);
  return (await bus.jsm.streams.info('JOURNAL')).state.last_seq;
}

/** The next owner finds no valid position: it compares everything. */
async function withoutPositions(): Promise<void> {
  const positions = await openBucket<ReconciledPosition>(bus, 'positions');
  const lost = { seq: 1, created: 'lost' };
  for (let partition = 0; partition < PARTITIONS; partition += 1)
    await positions.put(reconciledKeyOf(partition), { anchors: [{ journal: lost, events: lost }] });
}

beforeEach(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provisionStreams();
  await startOwner();
});

afterEach(async () => {
  await owner.stop();
  await bus.close();
  await nats.stop();
});

test('lost requests of a run that has ended are published for the record only, those of a live run are performed', async () => {
  await archivedCall('old');
  await owner.send(submission('live', CALL));
  await until(async () => (await subjects()).includes('runtime.tool.direct.requested.ws.live'));
  await owner.stop();
  await bus.jsm.streams.delete('EVENTS');
  await provisionStreams();
  await startOwner();
  const ends = ['runtime.request.cancelled.ws.old', 'runtime.tool.direct.requested.ws.live'];
  await until(async () => (await subjects()).filter((subject) => ends.includes(subject)).length === 2);
  const requests = (await facts()).filter(({ subject }) => subject.startsWith('runtime.tool.direct.requested.'));
  const replies = new Map(
    requests.map((message) => [message.subject.split('.').at(-1), message.header(HEADERS.reply)]),
  );
  expect(replies).toEqual(
    new Map([
      ['old', undefined],
      ['live', expect.stringContaining('.live.')],
    ]),
  );
}, 60_000);

test('facts of an archived run that the event log keeps no longer are not published again', async () => {
  const stub = await archivedCall('old');
  await owner.stop();
  await bus.jsm.streams.update('EVENTS', { max_age: SHORT_NANOS, duplicate_window: SHORT_NANOS });
  await until(async () => (await messagesIn('EVENTS')) === 0);
  await withoutPositions();
  const { last_seq } = (await bus.jsm.streams.info('EVENTS')).state;
  await startOwner();
  await until(async () => (await reconciledUpTo('old')) >= stub);
  expect((await bus.jsm.streams.info('EVENTS')).state.last_seq).toBe(last_seq);
}, 60_000);

test('a run that was archived is not compared again by the next owner', async () => {
  const stub = await archivedCall('old');
  await owner.stop();
  expect(await reconciledUpTo('old')).toBe(stub);
}, 60_000);
