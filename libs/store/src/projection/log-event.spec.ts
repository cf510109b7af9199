import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type LogMessage, readLogMessage } from './log-event.ts';

const body = { type: 'runtime.request.started', requestId: 'r1', sessionId: 's1', agentId: 'main', workspaceId: 'w1' };
const headers = {
  'ce-id': 'id1',
  'ce-source': 'control-bus',
  'ce-time': '2026-01-31T12:00:00.123456789Z',
  'reins-version': '4',
};

interface Parts {
  readonly subject?: string;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function message(parts: Parts = {}): LogMessage {
  const named = new Map(Object.entries(parts.headers ?? headers));
  return {
    subject: parts.subject ?? 'runtime.request.started.w1.r1',
    seq: 5,
    data: parts.data instanceof Uint8Array ? parts.data : new TextEncoder().encode(JSON.stringify(parts.data ?? body)),
    time: new Date('2026-02-01T00:00:00Z'),
    header: (name) => named.get(name),
  };
}

describe('a message of the event log', () => {
  test('is an event with its id, time and version', () => {
    expect(readLogMessage(message())).toEqual({
      event: {
        id: 'id1',
        seq: 5,
        subject: 'runtime.request.started.w1.r1',
        source: 'control-bus',
        time: '2026-01-31T12:00:00.123Z',
        version: 4,
        body,
      },
    });
  });

  test('keeps unknown fields', () => {
    const data = { ...body, somethingNew: { a: 1 } };
    expect(readLogMessage(message({ data }))).toMatchObject({ event: { body: data } });
  });

  test('without a valid time uses the storage time', () => {
    expect(readLogMessage(message({ headers: { 'ce-id': 'x', 'ce-time': 'yesterday' } }))).toMatchObject({
      event: { time: '2026-02-01T00:00:00.000Z' },
    });
  });

  test.each<[string, Parts, string]>([
    ['invalid JSON', { data: new Uint8Array([0xff]) }, 'message_invalid'],
    ['an unknown type', { data: { ...body, type: 'runtime.nothing' } }, 'event_type_unknown'],
    ['a request that differs from its subject', { subject: 'runtime.request.started.w1.r2' }, 'message_invalid'],
    ['a type that differs from its subject', { subject: 'runtime.request.resumed.w1.r1' }, 'message_invalid'],
    ['no id', { headers: {} }, 'message_invalid'],
  ])('that has %s is unreadable with a reason', (_what, parts, code) => {
    expect(readLogMessage(message(parts))).toMatchObject({ unreadable: { seq: 5, problem: { code } } });
  });

  test('never throws for any content', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), fc.dictionary(fc.string(), fc.string()), (data, subject, given) => {
        expect(readLogMessage(message({ data, subject, headers: given }))).toHaveProperty('unreadable');
      }),
    );
  });
});
