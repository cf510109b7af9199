import { expect, test } from '@jest/globals';
import { connectBus, OrderedPublisher, openBucket, provision } from '@reins/bus';
import { heldSubject, inboxSubject, journalSubject, type SessionRecord } from '@reins/contracts';
import { startNats } from '@reins/testing';
import { Observer } from './observer.ts';
import { storedRequests } from './stored-requests.ts';

test('a restored copy has the requests with a journal, a command, a held message or a place in a session', async () => {
  const nats = await startNats();
  const bus = await connectBus({ servers: nats.url, name: 'test' });
  const observer = await Observer.connect({ natsUrl: nats.url, natsOperator: undefined });
  try {
    await provision(bus, { managed: 'self', partitions: 4, replicas: 1, runtimeIds: [] });
    expect([...(await storedRequests(observer))]).toEqual([]);
    const run = (runId: string) => ({ workspaceId: 'ws', runId });
    const time = new Date().toISOString();
    const message = (id: string, subject: string) =>
      ({ subject, data: new TextEncoder().encode('{}'), headers: { id, type: 'test', source: 'test', time } }) as const;
    const publisher = new OrderedPublisher(bus);
    await publisher.publishAll([
      message('1', journalSubject(run('journalled'), 4)),
      message('2', inboxSubject({ ...run('submitted'), type: 'command.run.submit' }, 4)),
      message('3', inboxSubject({ ...run('signalled'), type: 'command.signal' }, 4)),
      message('4', heldSubject(run('held'), 4)),
    ]);
    await publisher.close();
    const turn = (requestId: string) => ({ requestId }) as unknown as SessionRecord['queued'][number];
    const sessions = await openBucket<SessionRecord>(bus, 'sessions');
    await sessions.put('ws.one', { state: {}, running: turn('running'), queued: [turn('queued')] });
    await sessions.put('ws.two', { state: {}, running: turn('removed'), queued: [] });
    await sessions.delete('ws.two');
    const found = [...(await storedRequests(observer))].sort();
    expect(found).toEqual(['held', 'journalled', 'queued', 'running', 'submitted']);
  } finally {
    await observer.close();
    await bus.close();
    await nats.stop();
  }
});
