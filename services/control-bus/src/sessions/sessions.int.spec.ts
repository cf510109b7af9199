import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, OrderedPublisher, openBucket, provision } from '@reins/bus';
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
  sessions = new SessionsRepository(await openBucket<SessionRecord>(bus, 'sessions'), publisher, {
    bus,
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

test('many requests that come to a session at once: one runs, and each end starts exactly one more', async () => {
  const requests = Array.from({ length: 8 }, (_, index) => submit('s1', `r${index}`));
  const entered = await Promise.all(requests.map((request) => sessions.enter(request)));
  expect(entered.filter(({ now }) => now === 'running')).toHaveLength(1);
  const first = requests[entered.findIndex(({ now }) => now === 'running')] as CommandRunSubmit;
  await sessions.leave(cancelledRun(first));
  await sessions.leave(cancelledRun(first));
  expect(await inboxed()).toBe(1);
});

test('a request that is cancelled before it begins is found in the queue, and also when its turn has just come', async () => {
  const [first, second, third] = [submit('s2', 'a1'), submit('s2', 'a2'), submit('s2', 'a3')];
  for (const request of [first, second, third]) await sessions.enter(request);
  expect(await sessions.leaveQueue(third)).toEqual(third);
  expect(await sessions.leaveQueue(third)).toBeUndefined();
  await sessions.leave(cancelledRun(first));
  expect(await sessions.leaveQueue(second)).toEqual(second);
  await sessions.leave(cancelledRun(second));
  expect(await sessions.enter(submit('s2', 'a4'))).toMatchObject({ now: 'running' });
});
