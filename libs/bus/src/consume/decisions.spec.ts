import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES, type ErrorCode, ReinsError } from '@reins/contracts';
import fc from 'fast-check';
import { parseDelivery } from './delivery.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { classifyFailure, isPermanent } from './retry.ts';

describe('a delivery', () => {
  const token = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
  const fields = fc.record({
    stream: token,
    consumer: token,
    deliveries: fc.integer({ min: 1, max: 1_000 }),
    streamSeq: fc.integer({ min: 1, max: 2 ** 40 }),
    consumerSeq: fc.integer({ min: 1, max: 2 ** 40 }),
    timeMs: fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 }),
    pending: fc.nat(),
  });
  const rest = (d: Record<string, unknown>): string =>
    `${d.stream}.${d.consumer}.${d.deliveries}.${d.streamSeq}.${d.consumerSeq}.${d.timeMs}000000.${d.pending}`;

  it('is parsed from both forms of the acknowledgement subject', () => {
    fc.assert(
      fc.property(fields, token, token, token, (delivery, domain, account, random) => {
        expect(parseDelivery(`$JS.ACK.${rest(delivery)}`)).toEqual(delivery);
        expect(parseDelivery(`$JS.ACK.${domain}.${account}.${rest(delivery)}.${random}`)).toEqual(delivery);
      }),
    );
  });

  it('is undefined for any other subject', () => {
    fc.assert(
      fc.property(fc.string(), (subject) => {
        expect(parseDelivery(subject)).toBeUndefined();
      }),
    );
  });
});

describe('a failure', () => {
  const policy = { delaysMs: [1, 10, 100], maxTries: 4 };
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];

  it('is permanent by its code, and does not count while a dependency is unavailable', () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.nat(100), (code, failures) => {
        const error = new ReinsError({ code, message: 'x' });
        const action = classifyFailure(error, failures, policy);
        if (ERROR_CODES[code].retryable) expect(action).toMatchObject({ kind: 'again', counts: false });
        else if (code !== 'internal_error') expect(action).toEqual({ kind: 'dead', problem: { code, message: 'x' } });
        expect(isPermanent(error)).toBe(!ERROR_CODES[code].retryable && code !== 'internal_error');
      }),
    );
  });

  it('of any other kind is retried with growing delays until the attempts are used up', () => {
    const verdicts = [0, 1, 2, 3].map((failures) => classifyFailure(new Error('bug'), failures, policy));
    expect(verdicts).toMatchObject([
      { kind: 'again', delayMs: 1, counts: true },
      { kind: 'again', delayMs: 10 },
      { kind: 'again', delayMs: 100 },
      { kind: 'dead', problem: { code: 'delivery_exhausted', message: 'failed 4 times, last error: bug' } },
    ]);
  });

  it('may be any thrown value', () => {
    fc.assert(
      fc.property(fc.anything(), fc.nat(10), (thrown, failures) => {
        expect(['again', 'dead']).toContain(classifyFailure(thrown, failures, policy).kind);
      }),
    );
  });
});

describe('the keyed queue', () => {
  it('activates one item per key at a time, in order of arrival', () => {
    const step = fc.oneof(fc.record({ enter: fc.constantFrom('a', 'b', 'c') }), fc.record({ leave: fc.nat(2) }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const keyedQueue = new KeyedQueue<number>();
        const under = new Map<string, number>();
        const came = new Map<string, number[]>();
        const went = new Map<string, number[]>();
        const begin = (key: string, item: number): void => {
          expect(under.has(key)).toBe(false);
          under.set(key, item);
          went.set(key, [...(went.get(key) ?? []), item]);
        };
        let next = 0;
        for (const one of steps) {
          if ('enter' in one) {
            came.set(one.enter, [...(came.get(one.enter) ?? []), next]);
            if (keyedQueue.enter(one.enter, next)) begin(one.enter, next);
            next++;
          } else {
            const key = [...under.keys()][one.leave];
            if (key === undefined) continue;
            under.delete(key);
            const item = keyedQueue.leave(key);
            if (item !== undefined) begin(key, item);
          }
          expect(keyedQueue.size).toBe(under.size);
        }
        for (const [key, items] of went) expect(came.get(key)?.slice(0, items.length)).toEqual(items);
      }),
    );
  });
});
