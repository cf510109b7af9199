import { describe, expect, it } from '@jest/globals';
import { MsgHdrsImpl } from '@nats-io/nats-core';
import fc from 'fast-check';
import { decodeEventHeaders, type EventHeaders, encodeEventHeaders, encodeHeaders } from './headers.ts';

/** Valid header text. The client trims values, so these do not start or end with whitespace. */
const value = fc
  .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
  .filter((text) => text.trim() === text && !/[\r\n]/.test(text) && text !== '');
const event: fc.Arbitrary<EventHeaders> = fc.record(
  {
    id: value,
    type: value,
    source: value,
    time: value,
    traceparent: value,
    tracestate: value,
    causation: value,
    version: fc.nat(),
    reply: value,
  },
  { requiredKeys: ['id', 'type', 'source', 'time'] },
);

/** What the receiving client decodes from a header block. */
function read(block: Uint8Array): (name: string) => string | undefined {
  const headers = MsgHdrsImpl.decode(block);
  return (name) => (headers.has(name) ? headers.get(name) : undefined);
}

describe('event headers', () => {
  it('round-trip with any content', () => {
    fc.assert(
      fc.property(event, (headers) => {
        expect(decodeEventHeaders(read(encodeEventHeaders(headers)))).toEqual(headers);
      }),
    );
  });

  it('carry the id for deduplication and the version of CloudEvents', () => {
    fc.assert(
      fc.property(event, (headers) => {
        const header = read(encodeEventHeaders(headers));
        expect([header('Nats-Msg-Id'), header('ce-specversion')]).toEqual([headers.id, '1.0']);
      }),
    );
  });

  it('reject header injection', () => {
    fc.assert(
      fc.property(event, fc.constantFrom('\r\n', '\n', '\r'), value, (headers, lineBreak, rest) => {
        const evil = { ...headers, source: `a${lineBreak}Nats-Rollup: all${rest}` };
        expect(() => encodeEventHeaders(evil)).toThrow(expect.objectContaining({ code: 'message_invalid' }));
      }),
    );
  });

  it('of a message without headers are empty', () => {
    expect(decodeEventHeaders(() => undefined)).toEqual({ id: '', type: '', source: '', time: '' });
    expect(decodeEventHeaders((name) => (name === 'reins-version' ? '12x' : undefined)).version).toBeUndefined();
  });
});

describe('plain headers', () => {
  it('round-trip', () => {
    const name = fc.stringMatching(/^[A-Za-z-]{1,20}$/);
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (headers) => {
        const found = MsgHdrsImpl.decode(encodeHeaders(headers));
        for (const [key, text] of Object.entries(headers)) expect(found.get(key)).toBe(text);
      }),
    );
  });
});
