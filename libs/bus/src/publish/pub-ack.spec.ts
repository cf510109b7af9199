import { describe, expect, it } from '@jest/globals';
import type { Msg } from '@nats-io/nats-core';
import fc from 'fast-check';
import { parsePubAck } from './pub-ack.ts';

const reply = (data: Uint8Array): Msg =>
  ({ data, json: () => JSON.parse(new TextDecoder().decode(data)) }) as Partial<Msg> as Msg;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const ack = (body: unknown): Msg => reply(encode(JSON.stringify(body)));
const error = (code: number, err_code: number, description = 'why') =>
  ack({ error: { code, err_code, description }, stream: 'S' });

describe('the reply to a publish', () => {
  it('is stored, for a new message and for a duplicate', () => {
    expect(parsePubAck(ack({ stream: 'S', seq: 7 }))).toEqual({
      kind: 'stored',
      stored: { stream: 'S', seq: 7, duplicate: false },
    });
    expect(parsePubAck(ack({ stream: 'S', seq: 7, duplicate: true }))).toMatchObject({ stored: { duplicate: true } });
  });

  it.each([
    ['wrong last sequence, R1', error(400, 10071), { kind: 'conflict', stream: 'S' }],
    ['wrong last sequence, R3', error(400, 10164), { kind: 'conflict', stream: 'S' }],
    ['the same id is in process', error(409, 10158), { kind: 'retryable' }],
    ['no leader', error(503, 10008), { kind: 'retryable' }],
    ['no responders', reply(new Uint8Array()), { kind: 'retryable' }],
    ['the stream is full', error(400, 10077, 'maximum bytes exceeded'), { problem: { code: 'bus_stream_full' } }],
    ['the account is full', error(400, 10002, 'resource limits exceeded'), { problem: { code: 'bus_stream_full' } }],
    ['the storage is full', error(500, 10047), { problem: { code: 'bus_stream_full' } }],
    ['the memory is full', error(500, 10028), { problem: { code: 'bus_stream_full' } }],
    ['the disk is full', error(503, 10077, 'no space left on device'), { problem: { code: 'bus_stream_full' } }],
    ['the store failed', error(503, 10077, 'raft: not leader'), { kind: 'retryable' }],
    ['too large', error(400, 10054), { problem: { code: 'bus_message_too_large' } }],
    ['something else', error(400, 10052), { problem: { code: 'bus_publish_refused', message: 'why' } }],
  ])('%s', (_what, message, outcome) => {
    expect(parsePubAck(message)).toMatchObject(outcome);
  });

  it('is a temporary error when it cannot be parsed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ minLength: 1 }), fc.json().map(encode)), (bytes) => {
        expect(['stored', 'retryable', 'refused', 'conflict']).toContain(parsePubAck(reply(bytes)).kind);
      }),
    );
  });
});
