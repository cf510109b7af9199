import { expect, test } from '@jest/globals';
import { EventPublisher, type OutgoingMessage } from '@reins/bus';
import type { EventOf } from '@reins/contracts';
import { inboxTimers } from './inbox-timers.ts';

test('a timer that fires again is a new message, because the first one may have arrived too early', async () => {
  const sent: OutgoingMessage[] = [];
  let now = 5_000;
  const publisher = {
    publishAll: async (messages: readonly OutgoingMessage[]) => {
      sent.push(...messages);
      return [];
    },
  };
  const blobs = { put: async () => ({ sha256: '', size: 0 }) };
  const timers = inboxTimers({
    events: new EventPublisher({ publisher, blobs, source: 'replica', now: () => new Date(now) }),
    partitions: 2,
    clock: { now: () => new Date(now), after: () => () => {} },
    timers: { set: async () => {}, cancel: async () => true },
  });
  const head = { requestId: 'r', sessionId: 's', agentId: 'a', workspaceId: 'ws' };
  const body: EventOf<'timer.due'> = { type: 'timer.due', ...head, effectId: 'e', attempt: 1, timer: 'run' };
  await timers.fire({ due: 5_000, body });
  now = 8_000;
  await timers.fire({ due: 5_000, body });
  expect(sent.map(({ headers }) => headers.id)).toEqual(['r.e.run.1.due.5000', 'r.e.run.1.due.8000']);
});
