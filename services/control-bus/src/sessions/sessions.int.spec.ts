import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Blobs, type Bus, connectBus, EventPublisher, OrderedPublisher, openBucket, provision } from '@reins/bus';
import type { CommandRunSubmit, SessionRecord } from '@reins/contracts';
import { applyEntry, type EntryDraft, emptyRun, type RunState, sealEntries } from '@reins/journal';
import { startNats, type TestNats } from '@reins/testing';
import { SessionsRepository } from './sessions.repository.ts';

const PARTITIONS = 4;
let nats: TestNats;
let bus: Bus;
let publisher: OrderedPublisher;
let sessions: SessionsRepository;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
  publisher = new OrderedPublisher(bus);
  const blobs = await Blobs.open(bus);
  sessions = new SessionsRepository(await openBucket<SessionRecord>(bus, 'sessions'), {
    blobs,
    events: new EventPublisher({ publisher, blobs, source: bus.name }),
    partitions: PARTITIONS,
  });
});

afterAll(async () => {
  await publisher.close();
  await bus.close();
  await nats.stop();
});

const submit = (sessionId: string, requestId: string): CommandRunSubmit => ({
  type: 'command.run.submit',
  requestId,
  sessionId,
  agentId: 'main',
  workspaceId: 'ws',
  idempotencyKey: requestId,
  revision: 'a'.repeat(64),
  input: 'x',
  submittedAt: '2026-01-01T00:00:00.000Z',
});

function cancelledRun({ sessionId, requestId }: CommandRunSubmit): RunState {
  const process = { id: 'pipeline', codeHash: 'c' };
  const created = {
    workspaceId: 'ws',
    sessionId,
    agentId: 'main',
    revision: 'a'.repeat(64),
    process,
    inputs: null,
    session: {},
    idempotencyKey: 'k',
  };
  const drafts: EntryDraft[] = [
    { type: 'RUN_CREATED', data: created },
    { type: 'RUN_CANCELLED', data: {} },
  ];
  const state = emptyRun({ workspaceId: 'ws', runId: requestId });
  for (const entry of sealEntries(state.head, drafts, '2026-01-01T00:00:00.000Z')) applyEntry(state, entry);
  return state;
}

const inboxed = async (): Promise<number> => (await bus.jsm.streams.info('INBOX')).state.messages;

test('of many concurrent requests one runs, and each end starts exactly one more', async () => {
  const requests = Array.from({ length: 8 }, (_, index) => submit('s1', `r${index}`));
  const entered = await Promise.all(requests.map((request) => sessions.enter(request)));
  expect(entered.filter(({ status }) => status === 'running')).toHaveLength(1);
  const first = requests[entered.findIndex(({ status }) => status === 'running')] as CommandRunSubmit;
  await sessions.leave(cancelledRun(first));
  await sessions.leave(cancelledRun(first));
  expect(await inboxed()).toBe(1);
});

test('the command of a queued request is available until the request has ended', async () => {
  const [first, second, third] = [submit('s2', 'a1'), submit('s2', 'a2'), submit('s2', 'a3')];
  for (const request of [first, second, third]) await sessions.enter(request);
  for (let times = 0; times < 2; times += 1) expect(await sessions.waiting(third)).toEqual(third);
  await sessions.leave(cancelledRun(third));
  expect(await sessions.waiting(third)).toBeUndefined();
  await sessions.leave(cancelledRun(first));
  expect(await sessions.waiting(second)).toEqual(second);
  await sessions.leave(cancelledRun(second));
  expect(await sessions.enter(submit('s2', 'a4'))).toMatchObject({ status: 'running' });
});

test('a message to a request that is about to start is redelivered', async () => {
  const only = submit('s3', 'b1');
  await sessions.enter(only);
  await expect(sessions.waiting(only)).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('requests with inputs larger than a message are queued and started', async () => {
  const large = { ...submit('s4', 'c2'), input: 'x'.repeat(2_000_000) };
  await sessions.enter(submit('s4', 'c1'));
  expect(await sessions.enter(large)).toEqual({ status: 'queued' });
  const before = await inboxed();
  await sessions.leave(cancelledRun(submit('s4', 'c1')));
  expect(await inboxed()).toBe(before + 1);
});

test('a running request starts again although its command has just been in the inbox', async () => {
  const [first, second] = [submit('s5', 'e1'), submit('s5', 'e2')];
  for (const request of [first, second]) await sessions.enter(request);
  await sessions.leave(cancelledRun(first));
  // Its owner handled the command while the session had lost the place of the request.
  await bus.jsm.streams.purge('INBOX');
  const member = { workspaceId: 'ws', sessionId: 's5', requestId: 'e2' };
  for (let time = 0; time < 2; time += 1) await sessions.restart(member);
  expect(await inboxed()).toBe(1);
});
