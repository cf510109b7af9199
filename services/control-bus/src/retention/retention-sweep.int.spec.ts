import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Blobs, type Bus, connectBus, openBucket, provision } from '@reins/bus';
import { deadSubject, inboxSubject, type RequestRecord, type SessionRecord } from '@reins/contracts';
import { openBusJournals } from '@reins/journal/bus';
import { startNats, type TestNats, until } from '@reins/testing';
import { BusOwner, headOf, PARTITIONS, processesOf, submission } from '../testing/bus-owner.ts';
import { busRetentionPorts, journalOf } from './bus-retention-ports.ts';
import { RETENTION_KEY, type RetentionRecord, retentionSweep } from './retention-sweep.ts';
import { whyKept } from './why-kept.ts';

const RUNS_MS = 60 * 60_000;

let nats: TestNats;
let bus: Bus;
let owner: BusOwner;
let blobs: Blobs;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
  blobs = await Blobs.open(bus);
  const processes = processesOf({
    done: async () => 'done',
    waits: (ctx) => ctx.breakpoint({ question: 'Go on?' }),
    parent: async (ctx) => ctx.child('done', { input: 1 }),
  });
  owner = await BusOwner.start(nats.url, processes, { archiveAfterMs: 1 });
});
afterAll(async () => {
  await owner.stop();
  await bus.close();
  await nats.stop();
});

const run = (runId: string) => ({ workspaceId: 'ws', runId });
const stateOf = (runId: string) => journalOf(bus, run(runId), PARTITIONS);
const isArchived = (runId: string) => until(async () => (await stateOf(runId)) === 'archived');

async function archived(requestId: string, process = 'done', more: object = {}): Promise<void> {
  await owner.send(submission(requestId, { process, ...more }));
  await isArchived(requestId);
}

async function portsAfter(ms: number) {
  const clock = { now: () => new Date(Date.now() + ms) };
  const journals = await openBusJournals(bus, { partitions: PARTITIONS });
  const options = { bus, blobs, journals, partitions: PARTITIONS, clock, runsMs: RUNS_MS, isStopped: () => false };
  return busRetentionPorts(options);
}

/** A sweep at a later time. */
const sweepAfter = async (ms: number): Promise<RetentionRecord | undefined> => retentionSweep(await portsAfter(ms));

/** The events have left the log by their age. */
const withoutEvents = () => bus.jsm.streams.purge('EVENTS');

const requestOf = async (id: string) =>
  (await (await openBucket<RequestRecord>(bus, 'requests')).get(`run.${id}`))?.value;
const sessionOf = async (id: string) =>
  (await (await openBucket<SessionRecord>(bus, 'sessions')).get(`ws.${id}`))?.value;

test('a run expires whole with its session, after its age and its events', async () => {
  await archived('old');
  await sweepAfter(RUNS_MS / 2);
  expect(await stateOf('old')).toBe('archived');
  expect((await sweepAfter(2 * RUNS_MS))?.runs).toEqual({ expired: 0, kept: { events: 1 } });
  await withoutEvents();
  const swept = await sweepAfter(2 * RUNS_MS);
  expect(swept).toMatchObject({ runs: { expired: 1, kept: {} }, sessions: 1 });
  expect(await stateOf('old')).toBe('none');
  expect(await requestOf('old')).toMatchObject({ requestId: 'old', sessionId: 'old', expiredAt: expect.any(String) });
  expect(await sessionOf('old')).toEqual({ state: {}, queued: [], expiredAt: expect.any(String) });
  const record = await (await openBucket<RetentionRecord>(bus, 'positions')).get(RETENTION_KEY);
  expect(record?.value).toEqual(swept);
});

test('a request that continues an expired session fails', async () => {
  await archived('first', 'done', { sessionId: 'talk' });
  await withoutEvents();
  await sweepAfter(2 * RUNS_MS);
  await archived('second', 'done', { sessionId: 'talk' });
  const { entries } = await (await openBusJournals(bus, { partitions: PARTITIONS })).load(run('second'));
  expect(entries.find(({ type }) => type === 'RUN_FAILED')?.data).toMatchObject({ error: { code: 'session_expired' } });
});

test('a session with an open request is kept, with what it inherited', async () => {
  await archived('turn-1', 'done', { sessionId: 'open' });
  await owner.send(submission('turn-2', { sessionId: 'open', process: 'waits' }));
  await until(async () => (await stateOf('turn-2')) === 'open');
  await withoutEvents();
  await sweepAfter(2 * RUNS_MS);
  expect(await stateOf('turn-2')).toBe('open');
  expect(await sessionOf('open')).toMatchObject({ running: { requestId: 'turn-2' } });
  await owner.send({ type: 'command.run.cancel', ...headOf('turn-2'), sessionId: 'open', idempotencyKey: 'cancel' });
  await isArchived('turn-2');
});

test('a child run expires after its parent, in the same sweep', async () => {
  await archived('family', 'parent');
  await withoutEvents();
  const swept = await sweepAfter(2 * RUNS_MS);
  expect(swept?.runs.expired).toBeGreaterThanOrEqual(2);
  expect(await stateOf('family')).toBe('none');
  expect((await bus.jsm.streams.info('JOURNAL')).state.messages).toBe(0);
});

test('a run is kept for a waiting fork, and for a dead letter', async () => {
  await archived('origin');
  await archived('poisoned');
  const fork = submission('fork', { sessionId: 'busy', fork: { requestId: 'origin', at: 1 } });
  await owner.send(submission('busy', { sessionId: 'busy', process: 'waits' }));
  await until(async () => (await stateOf('busy')) === 'open');
  await owner.send(fork);
  await until(async () => ((await sessionOf('busy'))?.queued ?? []).length === 1);
  const letter = deadSubject(
    'INBOX',
    inboxSubject({ type: 'command.run.submit', workspaceId: 'ws', runId: 'poisoned' }, PARTITIONS),
  );
  await bus.js.publish(letter, '{}');
  await withoutEvents();
  expect((await sweepAfter(2 * RUNS_MS))?.runs).toEqual({ expired: 0, kept: { needed: 2 } });
  await bus.jsm.streams.purge('DEAD');
  expect((await sweepAfter(2 * RUNS_MS))?.runs).toEqual({ expired: 1, kept: { needed: 1 } });
  expect(await stateOf('origin')).toBe('archived');
  await owner.send({ type: 'command.run.cancel', ...headOf('busy'), idempotencyKey: 'cancel' });
  await isArchived('fork');
});

test('the record of a request that never got a run expires', async () => {
  const requests = await openBucket<RequestRecord>(bus, 'requests');
  const record = { requestId: 'lost', bodyHash: 'a'.repeat(64), workspaceId: 'ws', sessionId: 'lost', agentId: 'main' };
  await requests.put('run.lost', { ...record, acceptedAt: new Date().toISOString() });
  expect((await sweepAfter(RUNS_MS / 2))?.records).toBe(0);
  expect((await sweepAfter(2 * RUNS_MS))?.records).toBe(1);
  expect(await requestOf('lost')).toMatchObject({ expiredAt: expect.any(String) });
  expect((await sweepAfter(2 * RUNS_MS))?.records).toBe(0);
});

test('says why a run is kept, and until when', async () => {
  await archived('kept');
  const why = async (ms: number) => whyKept(await portsAfter(ms), run('kept'));
  const { archivedAt, expiresAfter } = await why(0);
  expect(Date.parse(String(expiresAfter)) - Date.parse(String(archivedAt))).toBe(RUNS_MS);
  expect(await why(0)).toMatchObject({ journal: 'archived', reason: 'age' });
  expect(await why(2 * RUNS_MS)).toMatchObject({ reason: 'events' });
  await withoutEvents();
  expect((await why(2 * RUNS_MS)).reason).toBeUndefined();
  await sweepAfter(2 * RUNS_MS);
  expect(await why(0)).toEqual({ journal: 'none' });
});
