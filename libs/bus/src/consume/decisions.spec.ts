import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES, type ErrorCode, ReinsError } from '@reins/contracts';
import fc from 'fast-check';
import { parseDelivery } from './delivery.ts';
import { FairQueue } from './fair-queue.ts';
import { probationMs } from './quarantine.ts';
import { classifyFailure, isPermanent, jittered } from './retry.ts';

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
      fc.property(fc.constantFrom(...codes), fc.nat(100), (code, tries) => {
        const error = new ReinsError({ code, message: 'x' });
        const action = classifyFailure(error, { tries, counted: 0 }, policy);
        const failures = { tries: tries + 1, counted: 0 };
        if (ERROR_CODES[code].retryable) expect(action).toMatchObject({ kind: 'again', failures, isStuck: tries > 2 });
        else if (code !== 'internal_error') expect(action).toEqual({ kind: 'dead', problem: { code, message: 'x' } });
        expect(isPermanent(error)).toBe(!ERROR_CODES[code].retryable && code !== 'internal_error');
      }),
    );
  });

  it('of any other kind is retried with growing delays until the attempts are used up', () => {
    const verdicts = [0, 1, 2, 3].map((failures) =>
      classifyFailure(new Error('bug'), { tries: failures, counted: failures }, policy),
    );
    expect(verdicts).toMatchObject([
      { kind: 'again', delayMs: 1, failures: { tries: 1, counted: 1 }, isStuck: false },
      { kind: 'again', delayMs: 10 },
      { kind: 'again', delayMs: 100 },
      { kind: 'dead', problem: { code: 'delivery_exhausted', message: 'failed 4 times, last error: bug' } },
    ]);
  });

  it('backs off while a dependency is unavailable, although it does not count', () => {
    const away = new ReinsError({ code: 'bus_stream_full', message: 'full' });
    const delays = [0, 1, 2, 9].map((tries) => classifyFailure(away, { tries, counted: 0 }, policy));
    expect(delays).toMatchObject([{ delayMs: 1 }, { delayMs: 10 }, { delayMs: 100 }, { delayMs: 100, isStuck: true }]);
    expect([0, 0.5, 1].map((fraction) => jittered(100, fraction))).toEqual([50, 75, 100]);
  });

  it('may be any thrown value', () => {
    fc.assert(
      fc.property(fc.anything(), fc.nat(10), (thrown, failures) => {
        expect(['again', 'dead']).toContain(
          classifyFailure(thrown, { tries: failures, counted: failures }, policy).kind,
        );
      }),
    );
  });
});

describe('the fair queue', () => {
  const step = fc.oneof(fc.record({ enter: fc.constantFrom('a', 'b', 'c') }), fc.record({ leave: fc.nat(2) }));

  it('activates one item per key at a time, in order of arrival, and gives each key one slot', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new FairQueue<number>({ perKey: 3, total: 5 });
        const active = new Map<string, number>();
        const entered = new Map<string, number[]>();
        const begun = new Map<string, number[]>();
        const begin = (key: string, item: number): void => {
          expect(active.has(key)).toBe(false);
          active.set(key, item);
          begun.set(key, [...(begun.get(key) ?? []), item]);
        };
        for (const [item, one] of steps.entries()) {
          if ('enter' in one) {
            const place = queue.enter(one.enter, item);
            if (place === 'overflow') queue.release();
            else entered.set(one.enter, [...(entered.get(one.enter) ?? []), item]);
            if (place === 'active') begin(one.enter, item);
          } else {
            const key = [...active.keys()][one.leave];
            if (key === undefined) continue;
            active.delete(key);
            const next = queue.leave(key);
            if (next !== undefined) begin(key, next);
          }
          expect(queue.active).toBe(active.size);
          for (const key of ['a', 'b', 'c']) expect(queue.isBusy(key)).toBe(active.has(key));
        }
        for (const [key, items] of begun) expect(entered.get(key)?.slice(0, items.length)).toEqual(items);
      }),
    );
  });

  it('bounds what waits for each key and in total; an item that waits for a retry has no slot', () => {
    const queue = new FairQueue<number>({ perKey: 2, total: 3 });
    expect([1, 2, 3, 4].map((item) => queue.enter('a', item))).toEqual(['active', 'waiting', 'waiting', 'overflow']);
    expect([5, 6, 7].map((item) => queue.enter('b', item))).toEqual(['active', 'waiting', 'overflow']);
    queue.release();
    queue.release();
    expect([queue.active, queue.hasRoomToWait]).toEqual([2, false]);
    expect(queue.leave('b')).toBe(6);
    expect(queue.suspend()).toBe(true);
    expect([queue.active, queue.isBusy('b'), queue.enter('b', 8)]).toEqual([1, true, 'overflow']);
    queue.release();
    queue.resume();
    expect([queue.active, queue.leave('b'), queue.enter(undefined, 9)]).toEqual([2, undefined, 'active']);
  });

  it('lets no more items wait for a retry than it may keep: further ones keep their slot', () => {
    const queue = new FairQueue<number>({ perKey: 2, total: 2 });
    for (const key of ['a', 'b', 'c', 'd']) queue.enter(key, 0);
    expect([queue.suspend(), queue.suspend(), queue.suspend()]).toEqual([true, true, false]);
    expect([queue.active, queue.hasRoomToWait]).toEqual([2, false]);
    queue.resume();
    expect([queue.active, queue.suspend(), queue.active]).toEqual([3, true, 2]);
  });
});

it('any number of suspected messages that hang block the others for a bounded time', () => {
  const blockedMs = Array.from({ length: 1_000 }, (_, hanging) => probationMs(hanging)).reduce((sum, ms) => sum + ms);
  expect(blockedMs).toBeLessThanOrEqual(2 * probationMs(0));
});
