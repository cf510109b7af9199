import { expect, test } from '@jest/globals';
import { INLINE_LIMIT, inline } from '../blobs/externalise.ts';
import { causedBy, EventPublisher } from './event-publisher.ts';
import type { OutgoingMessage } from './outgoing.ts';

const NOW = '2026-01-01T00:00:00.000Z';

function opened() {
  const published: OutgoingMessage[] = [];
  const stored: Uint8Array[] = [];
  const events = new EventPublisher({
    publisher: {
      publishAll: async (messages) => {
        published.push(...messages);
        return messages.map((_, index) => ({ stream: 'EVENTS', seq: index + 1, duplicate: false }));
      },
    },
    blobs: {
      put: async (bytes) => {
        stored.push(bytes);
        return { sha256: 'a'.repeat(64), size: bytes.length };
      },
    },
    source: 'reins/test',
    now: () => new Date(NOW),
  });
  return { events, published, stored };
}

test('builds the headers of an event, and keeps what its sender gives', async () => {
  const { events, published } = opened();
  const body = { type: 'runtime.request.started', requestId: 'r' };
  const receipts = await events.publish(
    { id: 'one', subject: 'a.b', body },
    {
      id: 'two',
      subject: 'a.c',
      body,
      source: 'other',
      time: 'then',
      version: 3,
      reply: 'x',
      expectedLastSubjectSeq: 0,
    },
  );
  expect(receipts.map(({ seq }) => seq)).toEqual([1, 2]);
  const data = new TextEncoder().encode(JSON.stringify(body));
  const { type } = body;
  expect(published).toEqual([
    { subject: 'a.b', data, headers: { id: 'one', type, source: 'reins/test', time: NOW } },
    {
      subject: 'a.c',
      data,
      headers: { id: 'two', type, source: 'other', time: 'then', version: 3, reply: 'x' },
      expectedLastSubjectSeq: 0,
    },
  ]);
});

test('stores a large body as a blob, and publishes its reference', async () => {
  const { events, published, stored } = opened();
  const body = { type: 'runtime.request.started', text: 'x'.repeat(INLINE_LIMIT) };
  await events.publish({ id: 'one', subject: 'a.b', body });
  const [message] = published;
  expect(message?.data.length).toBeLessThan(200);
  const found = await inline({ get: async () => stored[0] as Uint8Array }, message?.data as Uint8Array);
  expect(JSON.parse(new TextDecoder().decode(found))).toEqual(body);
});

test('an event that a message caused names it, and continues its trace', () => {
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  const event = { id: 'cause', type: 't', source: 's', time: NOW, traceparent, reply: 'x' };
  expect(causedBy({ event } as Parameters<typeof causedBy>[0])).toEqual({ causation: 'cause', traceparent });
});
